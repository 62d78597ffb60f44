"""Same results: from the loss to the gradient by a derivation, and by a graph."""

import inspect
import math
from collections.abc import Callable

from pictures.drawing import Drawing
from snippets import step1, step2
from snippets.ready import untrained, untrained_values


def draw() -> Drawing:
    """Draw both ways, with the lines that each needs and what comes out for "emma"."""
    sheet = Drawing(250)
    _, tokenizer, weights = untrained()
    emma = tokenizer.document("emma")
    by_hand = step1.analytic_gradient(emma, weights)["fc2"][0][0]
    values = untrained_values()[2]
    step2.mean_loss(emma, values).backward()
    by_graph = values["fc2"][0][0].grad
    if not math.isclose(by_hand, by_graph):
        raise ValueError(f"the two gradients differ: {by_hand} and {by_graph}")
    derived = lines(step1.analytic_gradient) + lines(step1.linear_backward)
    ways = (
        (120, "Step 1", f"{derived} lines, derived", "for this network", by_hand),
        (360, "Step 2", "no line derived:", "recorded, for any network", by_graph),
    )
    for x, name, first, second, slope in ways:
        sheet.text(x, 24, name, "strong")
        sheet.arrow((x, 38), (x, 74))
        sheet.block(x - 108, 78, 216, 62, first, "small", down=-5)
        sheet.text(x, 126, second, "small soft")
        sheet.arrow((x, 144), (x, 182), "gradient", weight=2)
        sheet.text(x, 206, f"{slope:+.6f}", "gradient strong")
    sheet.text(240, 206, "=", "large")
    sheet.text(240, 240, "the slope of one number of fc2, for emma", "small soft")
    return sheet


def lines(function: Callable[..., object]) -> int:
    """Count a function's lines of code, without its docstring and empty lines."""
    body = inspect.getsource(function).partition('"""\n')[2].partition('"""\n')
    return sum(bool(line.strip()) for line in (body[2] or body[0]).splitlines())
