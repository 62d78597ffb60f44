"""The pictures of Step 5, in the order of its pages."""

import inspect

from microgpt import SGD, Adam, linear_decay
from microgpt.engines import lists
from pictures.drawing import Axis, Drawing, Point
from pictures.records import means, recorded
from snippets.ready import untrained_gpt
from snippets.ready.gradients import distances


def faders(sheet: Drawing) -> None:
    """How far each matrix of the GPT moves in sixty steps, with SGD and with Adam."""
    by_sgd, by_adam = moved(SGD, 0.1), moved(Adam, 0.01)
    rows = Axis(len(by_sgd) - 0.4, -0.5, 263, 36)
    sheet.axes(Axis(1e-4, 1, 112, 452, tens=True), rows)
    ticks = (0.0001, 0.001, 0.01, 0.1, 1)
    sheet.foot(ticks, "g", "moved in sixty steps", grid="soft")
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
        lists.gradient(model, tokenizer.document(name))
        followed.step(linear_decay(rate, step, 1000))
        followed.zero_grad()
    return distances(model)


def weight_given(sheet: Drawing) -> None:
    """How much of a running mean's weight the gradients have so far, for Adam's two means."""
    steps = 100
    sheet.axes(Axis(1, steps, 44, 454), Axis(0, 1, 184, 34))
    given = inspect.signature(Adam).parameters
    sheet.levels((0, 0.5, 1), ".0%", axes="")
    sheet.line([(44, 34), (454, 34)], "dashed soft")
    sheet.foot((1, 25, 50, 75, 100), "g", "steps")
    for name, role, said, at in (
        ("beta1", "gradient", "the mean", 20),
        ("beta2", "cost", "the mean of squares", 61),
    ):
        beta = given[name].default
        points = [(t, 1 - beta**t) for t in range(1, steps + 1)]
        start, *_ = sheet.curve(points, role, said=said, beside=(at, 0, 24))
        sheet.dot(*start, 4, role)
    sheet.text(454, 20, "all the weight", "small soft end")


SEEN = (3000, 10_000, 30_000, 100_000)


def sooner(sheet: Drawing) -> None:
    """Held-out loss of the GPT against names read, with SGD and with Adam."""
    sheet.axes(Axis(SEEN[0], SEEN[-1], 50, 450, tens=True), Axis(2.34, 2.46, 210, 20))
    sheet.levels((2.36, 2.4, 2.44), ".2f", "nats per token", axes="")
    sheet.foot(SEEN, ",", "names read")
    sgd, _, adam = (
        sheet.curve(losses(rung, of), role, look=look, dots=4, said=said, beside=beside)
        for of, rung, role, look, said, beside in (
            ("SGD", "four heads, SGD", "gradient", "thick dashed", "SGD", (1, 12, -12)),
            ("momentum", "", "attention", "dashed", "with momentum", (0, 22, -22)),
            ("Adam", "four heads", "data", "thick", "Adam", (0, 12, 56)),
        )
    )
    (start, low), (above, below) = adam[1], sgd[1:3]
    share = (low - above[1]) / (below[1] - above[1])
    sheet.arrow((start + 8, low), (above[0] + share * (below[0] - above[0]) - 4, low))


def losses(rung: str, variant: str) -> list[Point]:
    """Return the points of an optimizer: a long training has finer tuned rates."""
    ends, variants = (recorded(x)["guide"]["rungs"] for x in ("ends", "variants"))
    found = dict(means({**ends.get(rung, {}), **variants[variant]}))
    return [(seen, found[seen]) for seen in SEEN if seen in found]
