"""How far each matrix of the GPT moves in sixty steps, with SGD and with Adam."""

from microgpt import SGD, Adam, linear_decay
from microgpt.engines import lists
from pictures.chart import Axis
from pictures.drawing import Drawing
from snippets.ready import distances, untrained_gpt

STEPS, ALL = 60, 1000
TOP, ROW = 48, 25  # pixels
MOVED = Axis(1e-4, 1, 112, 452, tens=True)


def draw() -> Drawing:
    """Draw a row for each matrix, with a mark for each optimizer on a scale of tens."""
    by_sgd, by_adam = moved(SGD, 0.1), moved(Adam, 0.01)
    bottom = TOP + ROW * len(by_sgd)
    sheet = Drawing(bottom + 42)
    for tick in (0.0001, 0.001, 0.01, 0.1, 1):
        x = MOVED(tick)
        sheet.line([(x, TOP - 12), (x, bottom - 8)], "soft")
        sheet.text(x, bottom + 12, f"{tick:g}", "small soft")
    for row, (name, distance) in enumerate(by_sgd.items()):
        y = TOP + ROW * row
        label = name.removeprefix("layer0.")
        sheet.text(MOVED.start - 14, y + 5, label, "parameter small end")
        ends = [(MOVED(distance), y), (MOVED(by_adam[name]), y)]
        sheet.line(ends, "soft")
        sheet.dot(*ends[0], 6, "data ring")
        sheet.dot(*ends[1], 6, "gradient")
    sheet.text(MOVED(0.004), 22, "with SGD", "data small")
    sheet.text(MOVED(0.09), 22, "with Adam", "gradient small")
    sheet.text(MOVED(0.01), bottom + 34, "moved in sixty steps", "small")
    return sheet


def moved(optimizer: type[SGD | Adam], rate: float) -> dict[str, float]:
    """Train the GPT for some steps, and return how far each matrix has come."""
    names, tokenizer, model = untrained_gpt()
    followed = optimizer(model.parameters())
    for step, name in enumerate(names[:STEPS]):
        lists.gradient(model, tokenizer.document(name))
        followed.step(linear_decay(rate, step, ALL))
        followed.zero_grad()
    return distances(model)
