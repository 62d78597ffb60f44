"""What our model loses when its weights are rounded: held-out loss by bits for a weight."""

from microgpt import load_model
from microgpt.engines.lists import document_loss
from pictures.chart import Axis, Chart
from snippets.ready import shuffled

BITS = (2, 3, 4, 5, 6, 8)


def draw() -> Chart:
    """Draw a dot for each number of bits, and the loss of the unrounded model dashed."""
    sheet = Chart(246, Axis(1.66, 8.34, 70, 450), Axis(2.48, 2.62, 190, 24))
    sheet.levels((2.5, 2.55, 2.6), ".2f", "nats per token")
    whole = sheet.floor(loss(0))
    sheet.text(sheet.x.end, whole - 10, "64 bits", "small soft end")
    for point in sheet.curve([(bits, loss(bits)) for bits in BITS], "cost"):
        sheet.dot(*point, 5, "cost")
    sheet.foot(BITS, "g", "bits for a weight")
    return sheet


def loss(bits: int) -> float:
    """Return the loss per token on held-out names, with weights of so many bits."""
    model, _ = load_model()
    for row in [row for rows in model.weights.values() for row in rows] if bits else ():
        step = max(abs(p.data) for p in row) / (2 ** (bits - 1) - 1)
        for p in row:
            p.data = round(p.data / step) * step
    names, tokenizer = shuffled()
    read = [tokenizer.document(name) for name in names[-100:]]
    paid = sum(document_loss(model, tokens) * (len(tokens) - 1) for tokens in read)
    return paid / sum(len(tokens) - 1 for tokens in read)
