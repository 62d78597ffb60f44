"""The pictures of Step 5, in the order of its pages."""

import cmath
import inspect
from collections.abc import Callable

from microgpt import SGD, Adam, Value, linear_decay
from microgpt.engines import lists
from pictures.drawing import Axis, Drawing, Point
from pictures.records import means, recorded
from snippets.ready import distances, untrained_gpt


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


STEEPNESS = 50  # across; along, it is 1
START = (-4.0, 1.5)
BETA = 0.85
STEPS = 40
Rule = Callable[[list[Value]], Callable[[float], None]]


def narrow_valley(sheet: Drawing) -> None:
    """SGD, momentum and Adam go down the same narrow valley, each at a rate that suits it."""
    rings = (0.75, 2, 4)  # half the square of each is the loss on it
    rules: tuple[tuple[str, str, Rule, float], ...] = (
        ("SGD", "gradient", lambda both: SGD(both).step, 0.038),
        ("momentum", "attention", with_momentum, 0.1),
        ("Adam", "data", lambda both: Adam(both).step, 0.2),
    )
    for place, (said, role, rule, rate) in enumerate(rules):
        middle = 124 * place + 70  # pixels; a unit has 38 either way
        sheet.axes(Axis(0, 1, 195, 233), Axis(0, 1, middle, middle - 38))
        for ring in rings:
            turn = [cmath.rect(ring, i / 60 * cmath.tau) for i in range(61)]
            sheet.curve([(p.real, p.imag / STEEPNESS**0.5) for p in turn], look="soft")
        sheet.dot(*sheet.at(0, 0), 3)
        points = sheet.curve(path(rule, rate), role)
        for x, y in points[1:]:
            sheet.dot(x, y, 2.5, role)
        sheet.dot(*points[0], 6, "parameter")
        sheet.text(464, middle - 22, said, "strong end")
        sheet.text(464, middle + 4, f"rate {rate:g}", "small soft end")


def with_momentum(parameters: list[Value]) -> Callable[[float], None]:
    """Return the step of an optimizer that follows the running mean."""
    means = [0.0] * len(parameters)

    def step(rate: float) -> None:
        for i, parameter in enumerate(parameters):
            means[i] = BETA * means[i] + (1 - BETA) * parameter.grad
            parameter.data -= rate * means[i]

    return step


def path(rule: Rule, rate: float) -> list[Point]:
    """Return the start, and where each step leads."""
    x, y = map(Value, START)
    step = rule([x, y])
    found = [START]
    for _ in range(STEPS):
        x.grad, y.grad = x.data, STEEPNESS * y.data
        step(rate)
        found.append((x.data, y.data))
    return found


def weight_given(sheet: Drawing) -> None:
    """How much of a running mean's weight the gradients have so far, for Adam's two means."""
    steps = 100
    sheet.axes(Axis(1, steps, 44, 454), Axis(0, 1, 184, 34))
    given = inspect.signature(Adam).parameters
    sheet.levels((0, 0.5, 1), ".0%", axes="")
    sheet.line([(44, 34), (454, 34)], "dashed soft")
    sheet.foot((1, 25, 50, 75, 100), "g", "steps")
    for name, role in (("beta1", "gradient"), ("beta2", "cost")):
        beta = given[name].default
        points = sheet.curve([(t, 1 - beta**t) for t in range(1, steps + 1)], role)
        sheet.dot(*points[0], 4, role)
    x, y = sheet.at(21, 0.97)
    sheet.label(x, y + 24, "the mean", "gradient")
    x, y = sheet.at(62, 0.46)
    sheet.label(x, y + 24, "the mean of squares", "cost")
    sheet.text(454, 20, "all the weight", "small soft end")


SEEN = (3000, 10_000, 30_000, 100_000)


def sooner(sheet: Drawing) -> None:
    """Held-out loss of the GPT against names read, with SGD and with Adam."""
    sheet.axes(Axis(SEEN[0], SEEN[-1], 50, 450, tens=True), Axis(2.34, 2.46, 210, 20))
    sheet.levels((2.36, 2.4, 2.44), ".2f", "nats per token", axes="")
    sheet.foot(SEEN, ",", "names read")
    curves = []
    for name, rung, role, look in (
        ("SGD", "four heads, SGD", "gradient", "thick dashed"),
        ("momentum", "", "attention", "dashed"),
        ("Adam", "four heads", "data", "thick"),
    ):
        curves.append(sheet.curve(losses(rung, name), role, look=look, dots=4))
    sgd, momentum, adam = curves
    (start, low), (above, below) = adam[1], sgd[1:3]
    share = (low - above[1]) / (below[1] - above[1])
    sheet.arrow((start + 8, low), (above[0] + share * (below[0] - above[0]) - 4, low))
    sheet.label(sgd[1][0] + 12, sgd[1][1] - 12, "SGD", "gradient")
    sheet.label(adam[0][0] + 12, adam[0][1] + 56, "Adam", "data")
    x, y = momentum[0]
    sheet.label(x + 22, y - 22, "with momentum", "attention")


def losses(rung: str, variant: str) -> list[Point]:
    """Return the points of an optimizer: a long training has finer tuned rates."""
    ends, variants = (recorded(x)["guide"]["rungs"] for x in ("ends", "variants"))
    found = dict(means({**ends.get(rung, {}), **variants[variant]}))
    return [(seen, found[seen]) for seen in SEEN if seen in found]
