"""The pictures of Step 5, in the order of its pages."""

from microgpt import SGD, Adam, linear_decay
from microgpt.engines import lists
from pictures.drawing import Axis, Drawing
from snippets.ready import untrained_gpt
from snippets.ready.gradients import distances


def faders(sheet: Drawing) -> None:
    """How far each matrix of the GPT moves in sixty steps, with SGD and with Adam."""
    by_sgd, by_adam = moved(SGD, 0.1), moved(Adam, 0.01)
    rows = Axis(len(by_sgd) - 0.4, -0.5, 263, 36)
    sheet.axes(Axis(1e-4, 1, 112, 452, tens=True), rows)
    ticks = (0.0001, 0.001, 0.01, 0.1, 1)
    sheet.foot(ticks, "g", "moved in sixty steps", grid=True)
    for row, (name, distance) in enumerate(by_sgd.items()):
        ends = sheet.curve([(distance, row), (by_adam[name], row)], look="soft")
        label = name.removeprefix("layer0.")
        sheet.text(sheet.x.start - 14, ends[0][1] + 5, label, "parameter small end")
        sheet.dot(*ends[0], 6, "gradient ring")
        sheet.dot(*ends[1], 6, "data")
    sheet.text(sheet.x(0.004), 22, "with SGD", "gradient small")
    sheet.text(sheet.x(0.09), 22, "with Adam", "data small")


def moved(optimizer: type[SGD | Adam], rate: float) -> dict[str, float]:
    """Train the GPT for some steps, and return how far each matrix has come."""
    names, tokenizer, model = untrained_gpt()
    followed = optimizer(model.parameters())
    for step, name in enumerate(names[:60]):
        lists.accumulate_gradient(model, tokenizer.document(name))
        followed.step(linear_decay(rate, step, 1000))
        followed.zero_grad()
    return distances(model)
