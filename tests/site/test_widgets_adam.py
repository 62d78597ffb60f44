"""What readers see in the widgets of Adam is what Python computes."""

from functools import cache
from typing import Any
from unittest.mock import ANY

from playwright.sync_api import expect
from pytest import approx

from tests.site import see
from tests.site.figure import Open
from tests.site.see import Seen
from tests.thorough import thorough
from widgets.running_mean.model import running_mean

# All widgets together are looked at every day.
pytestmark = thorough


mean_of = cache(running_mean)


def means(result: Any, step: int) -> Seen:
    """Both tables of the running mean, and all its curves."""
    keys = ["values", "mean"]
    also = ["share", "corrected"] if result["corrected"] else []
    steps = f"{result['half']} step{'s' if result['half'] > 1 else ''}"
    facts = [result[key] for key in ("newest", "window", "held")]
    moves = [result[key] for key in ("series_moves", "mean_moves")]
    near = [approx(fact, rel=0.01, abs=0.0006) for fact in facts + moves]
    curves = [*keys, *also[1:]]
    values = [value for key in curves for value in result[key]]
    low, high = values.index(min(values)), values.index(max(values))

    def read(lines: list[list[tuple[float, float]]]) -> list[float]:
        """All values, on the scale that the lowest and the highest point tell."""
        heights = [y for line in lines for _, y in line]
        scale = (values[high] - values[low]) / (heights[high] - heights[low])
        return [values[low] + scale * (y - heights[low]) for y in heights]

    now = [see.rounded(result[key][step - 1], 3) for key in keys + also]
    return {
        ".readout caption": [f"Step {step:,}", ANY],
        see.numbers(".readout td"): [*now, *near[:3], steps, *near[3:]],
        see.outline(".plane path.line"): see.reading_all(
            read, approx(values, abs=0.01)
        ),
    }


def test_running_mean(open_figure: Open) -> None:
    figure = open_figure("running_mean", page="adam/bias-correction/")
    result: Any = mean_of(0.95, "jump", True)
    figure.shows(means(result, 5))
    size = figure.height()
    for key, step in (("Home", 1), ("ArrowRight", 2), ("End", 100)):
        figure.slide("Step", key)
        figure.shows(means(result, step))
    figure.press("One step back")
    figure.shows(means(result, 99))
    said = figure.find(".scrub [role=status]")
    expect(said).to_contain_text("step 99: gradient ")
    assert figure.height() == size
    assert not figure.asked_python()
    figure.slide("Step", 5)
    for key, beta in (("ArrowRight", 0.96), ("End", 0.99), ("Home", 0)):
        figure.slide("β", key)
        figure.shows(means(mean_of(beta, "jump", True), 5))
    figure.slide("β", 0.9)
    for name, series in (("a real gradient", "gradient"), ("noise alone", "noise")):
        figure.press(name)
        figure.shows(means(mean_of(0.9, series, True), 5))
        expect(figure.button(name)).to_have_attribute("aria-pressed", "true")


OWN = "\n".join(f"{a}{b}{c}" for a in "bdk" for b in "aeo" for c in ("na", "l", "mi"))
