"""How far each matrix of the GPT moves in sixty steps, with SGD and with Adam."""

import math

from microgpt import SGD, Adam, linear_decay
from microgpt.engines import lists
from pictures.drawing import Drawing
from snippets.ready import distances, untrained_gpt

STEPS, ALL = 60, 1000
LEAST, MOST = -4, 0  # powers of ten, from left to right
LEFT, ACROSS, TOP, ROW = 112, 340, 48, 25  # pixels


def draw() -> Drawing:
    """Draw a row for each matrix, with a mark for each optimizer on a scale of tens."""
    by_sgd, by_adam = moved(SGD, 0.1), moved(Adam, 0.01)
    bottom = TOP + ROW * len(by_sgd)
    sheet = Drawing(bottom + 42)
    for power in range(LEAST, MOST + 1):
        x = place(10.0**power)
        sheet.line([(x, TOP - 12), (x, bottom - 8)], look="soft")
        sheet.text(x, bottom + 12, f"{10.0**power:g}", look="small soft")
    for row, (name, distance) in enumerate(by_sgd.items()):
        y = TOP + ROW * row
        label = name.removeprefix("layer0.")
        sheet.text(LEFT - 14, y + 5, label, "parameter", look="small", anchor="end")
        ends = [(place(distance), y), (place(by_adam[name]), y)]
        sheet.line(ends, look="soft")
        sheet.dot(*ends[0], 6, "data", look="ring")
        sheet.dot(*ends[1], 6, "gradient")
    sheet.text(place(0.004), 22, "with SGD", "data", look="small")
    sheet.text(place(0.09), 22, "with Adam", "gradient", look="small")
    sheet.text(LEFT + ACROSS / 2, bottom + 34, "moved in sixty steps", look="small")
    return sheet


def place(distance: float) -> float:
    """Return where a distance stands, in pixels."""
    return LEFT + ACROSS * (math.log10(distance) - LEAST) / (MOST - LEAST)


def moved(optimizer: type[SGD | Adam], rate: float) -> dict[str, float]:
    """Train the GPT for some steps, and return how far each matrix has come."""
    names, tokenizer, model = untrained_gpt()
    followed = optimizer(model.parameters())
    for step, name in enumerate(names[:STEPS]):
        lists.gradient(model, tokenizer.document(name))
        followed.step(linear_decay(rate, step, ALL))
        followed.zero_grad()
    return distances(model)
