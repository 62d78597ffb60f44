"""The gradient check by mouse, while Python starts, and stopped."""

from playwright.sync_api import BrowserContext, expect

from snippets import step1
from tests.models import document
from tests.site.figure import Figure
from tests.thorough import thorough
from widgets._network import network_weights

NONE = "None of 3,184 slopes"


# All widgets together are looked at every day.
@thorough
def test_gradient_check(newcomer: BrowserContext, address: str) -> None:
    # To others, Python would answer at once.
    figure = Figure.open(newcomer, address, "gradient_check")
    figure.tab.route("**/python_stdlib.zip", lambda route: None)  # never answered
    verdict = figure.find(".verdict")
    expect(verdict).to_contain_text(NONE)
    # A point is found by the mouse: the largest slope lies at the upper right.
    gradient = step1.analytic_gradient(document("anna"), network_weights("untrained"))
    slopes = {
        f"{name}[{i}][{j}]": slope
        for name, rows in gradient.items()
        for i, row in enumerate(rows)
        for j, slope in enumerate(row)
    }
    largest = max(slopes, key=lambda name: slopes[name])
    square, box = figure.find(".plot-of-both svg"), figure.box(".plot-of-both svg")
    across = (160 + 152 * slopes[largest] / max(map(abs, slopes.values()))) / 320
    at = across * box["width"]
    square.hover(position={"x": at, "y": box["height"] - at})
    expect(figure.find(".readout caption")).to_contain_text(largest)
    assert not figure.asked_python()

    # Loading Python can be stopped, and tried again.
    figure.type("aa", enter=False)
    button, status = figure.find(".python button"), figure.find(".python [role=status]")
    expect(button).to_be_visible()
    expect(button).to_have_text("Stop")
    button.press("Enter")
    expect(button).to_have_text("Try again")
    expect(status).to_have_text("stopped")
    figure.tab.unroute("**/python_stdlib.zip")
    button.press("Enter")
    expect(button).to_have_attribute("aria-disabled", "true")
    expect(figure.find(".stale")).to_have_count(0)
    expect(verdict).to_contain_text(NONE)
    expect(button).to_be_focused()
    figure.tab.keyboard.press("Tab")
    expect(button).to_be_hidden()
