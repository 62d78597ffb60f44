"""What if: a guess, both models trained in the page, and what is recorded of them."""

from typing import Any

from playwright.sync_api import expect

from tests.promises.site import Site
from tests.site.figure import Figure, Open
from tests.thorough import thorough
from widgets.what_if.model import recorded, what_if

# All widgets together are looked at every day.
pytestmark = thorough

SWITCHES = {switch["id"]: switch for switch in what_if()["switches"]}
PAGE = "reference/what-if/"


def answers(figure: Figure, switch: Any, seed: int, guess: str) -> None:
    """Wait until both models have learnt; what stands there has the losses of a seed."""
    ends = recorded()["plain"], switch["losses"]
    losses = [f"{losses[seed - 1]:.3f}" for losses in ends]
    expect(figure.find(".invented td:nth-child(2)")).to_have_text(losses)
    expect(figure.find(".question")).to_have_text(switch["question"])
    expect(figure.find(".verdict")).to_contain_text(guess)
    expect(figure.find(".seeds .seed")).to_have_count(len(switch["losses"]))
    expect(figure.find(".seeds .title")).to_contain_text(f"seed {seed})")


def test_a_guess_trains_both_models_and_the_record_answers(open_figure: Open) -> None:
    figure = open_figure("what_if")
    zeros, again, *_ = SWITCHES.values()
    figure.press("Lower")
    answers(figure, zeros, 1, "You said: lower.")
    expect(figure.find(".reason p")).to_contain_text("nothing ever moves")
    figure.press("Another seed")
    answers(figure, zeros, 2, f"{zeros['more']:.4f}".lstrip("-"))
    figure.press("Next")
    expect(figure.find(".question")).to_have_text(again["question"])
    expect(figure.find(".question")).to_be_focused()
    expect(figure.find(".invented")).to_have_count(0)
    figure.press("No difference")
    answers(figure, again, 1, "That’s what you said.")
    expect(figure.find(".score")).to_have_text("1 of 2 guesses right")
    assert not figure.asked_python()


def test_without_scripts_each_switch_leads_to_its_answer(site: Site) -> None:
    html = (site.folder / PAGE / "index.html").read_text(encoding="utf-8")
    for switch in SWITCHES.values():
        assert f'href="#{switch["anchor"]}"' in html
        assert f'<h3 id="{switch["anchor"]}">' in html
