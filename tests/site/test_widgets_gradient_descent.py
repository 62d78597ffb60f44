"""The gradient check by mouse, while Python starts, and stopped."""

from playwright.sync_api import BrowserContext, expect

from tests.site.figure import Figure
from tests.thorough import thorough

NONE = "None of 3,184 slopes"


# All widgets together are looked at every day.
@thorough
def test_gradient_check(newcomer: BrowserContext, address: str) -> None:
    # To others, Python would answer at once.
    figure = Figure.open(newcomer, address, "gradient_check")
    figure.tab.route("**/python_stdlib.zip", lambda route: None)  # never answered
    verdict = figure.find(".verdict")
    expect(verdict).to_contain_text(NONE)
    figure.find(".wte .cells").hover(position={"x": 1, "y": 1})
    expect(figure.find(".readout caption")).to_contain_text("wte[0][0]")
    assert not figure.asked_python()

    # Loading Python can be stopped, and tried again.
    figure.type("aa", enter=False)
    button, status = figure.find(".python button"), figure.find(".python [role=status]")
    expect(button).to_have_text("Stop")
    button.press("Enter")
    expect(button).to_have_text("Try again")
    expect(status).to_have_text("stopped")
    figure.tab.unroute("**/python_stdlib.zip")
    button.press("Enter")
    expect(button).to_be_hidden()
    expect(figure.find(".stale")).to_have_count(0)
    expect(verdict).to_contain_text(NONE)
    assert figure.tab.evaluate("document.activeElement.closest('.widget') !== null")
