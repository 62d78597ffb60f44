"""Three parameters of the untrained network, each with the loss of "emma" along it."""

from pictures.drawing import Drawing
from snippets.ready import untrained
from snippets.step1 import mean_loss

PLACES = (("m", 13), ("m", 12), ("e", 2))
REACH, SAMPLES = 60.0, 60  # how far each is moved to either side
WIDTH, UP = 140, 150  # pixels
LEAST, MOST = 2.9, 4.0  # nats


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
        now = (drawn, mean_loss(tokens, weights))

        def place(value: float, loss: float, left: float = left) -> tuple[float, float]:
            x = left + WIDTH * (value + REACH) / (2 * REACH)
            return x, 24 + UP * (MOST - loss) / (MOST - LEAST)

        sheet.line([(left, 196), (left + WIDTH, 196)], "soft")
        sheet.line([place(*p) for p in curve if p[1] < MOST], "cost thick")
        sheet.box(place(*now)[0] - 5, 188, 10, 16, "parameter", strength=0.9)
        sheet.dot(*place(*now), 5, "parameter")
        best = min(curve, key=lambda point: point[1])
        sheet.dot(*place(*best), 5, "cost ring")
        said = f"number {column} of {letter}"
        sheet.text(left + WIDTH / 2, 226, said, "parameter small")
    return sheet
