"""Machines, networks and cards in a reader's hands."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.site.browsing import LONG, styles
from tests.thorough import thorough
from widgets.machines.model import CARD, MACHINES, MODELS, Machines, machines

# All widgets together are looked at every day.
pytestmark = thorough

PAGE = "efficiency/machines/"


def opened(context: BrowserContext, address: str) -> Locator:
    tab = context.new_page()
    tab.emulate_media(reduced_motion="reduce")
    tab.goto(f"{address}{PAGE}")
    figure = tab.locator("[data-widget=machines]")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-alive", "", timeout=LONG)
    return figure


def assert_shown(
    figure: Locator, result: Machines, place: tuple[int, int, int, int], cut: bool
) -> None:
    which, tokens, count, link = place
    model = result["models"][which]
    way = model["cut"] if cut else model["copied"]
    expected = [
        model["compute"][tokens][count],
        way["send"][link][count],
        way["memory"][count],
        CARD,
    ]
    texts = figure.locator(".bars .value").all_inner_texts()
    assert [float(text.split()[0].replace(",", "")) for text in texts] == expected
    assert [text.split()[1] for text in texts] == ["s", "s", "GB", "GB"]
    title = figure.locator(".title")
    expect(title).to_contain_text(
        f"{model['name']}, {model['parameters']:,} parameters"
    )
    cards = "1 card" if count == 0 else f"{MACHINES[count]} cards"
    expect(title).to_contain_text(f"{'cut' if cut else 'copied'} to {cards}")
    room = "The card has room" if expected[2] <= CARD else "The card is too small"
    expect(figure.locator(".says")).to_contain_text(room)
    widths = styles(figure.locator(".bars .fill"), "width")
    for pair in (0, 2):
        full = max(expected[pair : pair + 2])
        for at in (pair, pair + 1):
            assert widths[at] == pytest.approx(100 * expected[at] / full, abs=0.06)


def test_the_bars_are_what_python_computes_for_every_choice(
    context: BrowserContext, address: str
) -> None:
    result = machines("GPT-2", 2**19, 8, 100)
    figure = opened(context, address)
    assert_shown(figure, result, (0, 0, 3, 2), cut=False)
    says = figure.locator(".says")
    expect(says).to_contain_text("Computing takes longer")
    figure.get_by_role("slider", name="network").press("Home")
    assert_shown(figure, result, (0, 0, 3, 0), cut=False)
    expect(says).to_contain_text("Sending takes longer")
    figure.get_by_role("button", name="GPT-3", exact=True).click()
    figure.get_by_role("slider", name="tokens").press("End")
    figure.get_by_role("slider", name="machines").press("ArrowRight")
    assert_shown(figure, result, (len(MODELS) - 1, 3, 4, 0), cut=False)
    figure.get_by_role("checkbox").check()
    figure.get_by_role("slider", name="machines").press("End")
    assert_shown(figure, result, (len(MODELS) - 1, 3, len(MACHINES) - 1, 0), cut=True)
    figure.get_by_role("slider", name="machines").press("Home")
    assert_shown(figure, result, (len(MODELS) - 1, 3, 0, 0), cut=True)
    expect(says).to_contain_text("nobody to send to")
