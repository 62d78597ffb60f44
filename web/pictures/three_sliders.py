"""Three parameters of the untrained network, each with the loss of "emma" along it."""

from pictures.chart import Axis
from pictures.drawing import Drawing
from snippets.ready import untrained
from snippets.step1 import mean_loss

PLACES = (("m", 13), ("m", 12), ("e", 2))
REACH, SAMPLES = 60.0, 60  # how far each is moved to either side
LOSS = Axis(2.9, 4.0, 174, 24)


def draw() -> Drawing:
    """Draw a meter's curve for each slider, where it stands, and its lowest point."""
    _, tokenizer, weights = untrained()
    tokens = tokenizer.document("emma")
    sheet = Drawing(236)
    for i, (letter, column) in enumerate(PLACES):
        (token,) = tokenizer.encode(letter)
        row, left = weights["wte"][token], 12 + 160 * i
        drawn, curve = row[column], []
        for step in range(SAMPLES + 1):
            row[column] = -REACH + 2 * REACH * step / SAMPLES
            curve.append((row[column], mean_loss(tokens, weights)))
        row[column] = drawn
        x = Axis(-REACH, REACH, left, left + 140)
        sheet.line([(left, 196), (left + 140, 196)], "soft")
        shown = [(x(value), LOSS(loss)) for value, loss in curve if loss < LOSS.last]
        sheet.line(shown, "cost thick")
        sheet.box(x(drawn) - 5, 188, 10, 16, "parameter", strength=0.9)
        sheet.dot(x(drawn), LOSS(mean_loss(tokens, weights)), 5, "parameter")
        best, least = min(curve, key=lambda point: point[1])
        sheet.dot(x(best), LOSS(least), 5, "cost ring")
        said = f"number {column} of {letter}"
        sheet.text(left + 70, 226, said, "parameter small")
    return sheet
