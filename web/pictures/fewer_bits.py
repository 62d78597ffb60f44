"""What our model loses when its weights are rounded: held-out loss by bits for a weight."""

from microgpt import load_model
from microgpt.engines.lists import document_loss
from pictures.drawing import Drawing
from snippets.ready import shuffled

BITS = (2, 3, 4, 5, 6, 8)
LEFT, RIGHT, TOP, LOW = 70, 450, 24, 190  # pixels
MOST, LEAST = 2.62, 2.48  # nats per token


def draw() -> Drawing:
    """Draw a dot for each number of bits, and the loss of the unrounded model dashed."""
    sheet = Drawing(246)
    for nats in (2.5, 2.55, 2.6):
        sheet.line([(LEFT, _y(nats)), (RIGHT, _y(nats))], look="soft")
        sheet.text(
            LEFT - 8, _y(nats) + 5, f"{nats:.2f}", look="small soft", anchor="end"
        )
    whole = _y(loss(0))
    sheet.line([(LEFT, whole), (RIGHT, whole)], look="dashed")
    sheet.text(RIGHT, whole - 10, "64 bits", look="small soft", anchor="end")
    points = [(_x(bits), _y(loss(bits))) for bits in BITS]
    sheet.line(points, "cost", look="thick")
    for (x, y), bits in zip(points, BITS, strict=True):
        sheet.dot(x, y, 5, "cost")
        sheet.text(x, LOW + 22, bits, look="small soft")
    sheet.text((LEFT + RIGHT) / 2, LOW + 46, "bits for a weight", look="small soft")
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


def _x(bits: float) -> float:
    return LEFT + 20 + (RIGHT - LEFT - 40) * (bits - 2) / 6


def _y(nats: float) -> float:
    return TOP + (LOW - TOP) * (MOST - nats) / (MOST - LEAST)
