"""What if: a guess, both models trained in the page, and what is recorded of them."""

from typing import Any

from playwright.sync_api import expect

from tests.promises.site import Site
from tests.site import see
from tests.site.figure import Open
from tests.site.see import Seen
from tests.thorough import thorough
from widgets.what_if.model import recorded, what_if

# All widgets together are looked at every day.
pytestmark = thorough

SWITCHES = {switch["id"]: switch for switch in what_if()["switches"]}
PAGE = "reference/what-if/"


def answer(switch: Any, seed: int = 1, guess: str = "") -> Seen:
    """What stands there once both models have learnt, with the losses of a seed."""
    ends = recorded()["plain"], switch["losses"]
    return {
        ".question": switch["question"],
        ".invented td:nth-child(2)": [f"{losses[seed - 1]:.3f}" for losses in ends],
        ".verdict": see.containing(guess or f"{abs(switch['more']):.4f}"),
        see.count(".seeds .seed"): len(switch["losses"]),
        ".seeds .title": see.containing(f"seed {seed})"),
    }


def test_a_guess_trains_both_models_and_the_record_answers(open_figure: Open) -> None:
    figure = open_figure("what_if")
    zeros, again, *_ = SWITCHES.values()
    figure.press("Lower")
    figure.shows(answer(zeros, guess="You said: lower."))
    figure.shows({".reason p": see.containing("nothing ever moves")})
    figure.press("Another seed")
    figure.shows(answer(zeros, seed=2))
    figure.press("Next")
    figure.shows({".question": again["question"], see.count(".invented"): 0})
    expect(figure.find(".question")).to_be_focused()
    figure.press("No difference")
    figure.shows(answer(again, guess="That’s what you said."))
    figure.shows({".score": "1 of 2 guesses right"})
    assert not figure.asked_python()


def test_without_scripts_each_switch_leads_to_its_answer(site: Site) -> None:
    html = (site.folder / PAGE / "index.html").read_text(encoding="utf-8")
    for switch in SWITCHES.values():
        assert f'href="#{switch["anchor"]}"' in html
        assert f'<h3 id="{switch["anchor"]}">' in html
