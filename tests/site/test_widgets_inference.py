"""Names that grow, temperatures and neighbours in a reader's hands."""

from __future__ import annotations

import random
import re
from typing import Literal

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from microgpt import load_model, sample
from tests.site.browsing import DESK, LONG, Sized, styles
from tests.thorough import thorough
from widgets.grow.model import model as grow_
from widgets.memorised.model import model as memorised_
from widgets.temperature.model import model as temperature_

# All widgets together are looked at every day.
pytestmark = thorough

PAGES = {
    "grow": "inference/sampling",
    "temperature": "inference/temperature",
    "memorised": "inference/memorised",
}
SEED = 9  # of the page


def opened(
    context: BrowserContext,
    address: str,
    name: str,
    motion: Literal["reduce", "no-preference"] = "reduce",
) -> Locator:
    """Open the page of a widget, and wait until it can be touched."""
    tab = context.new_page()
    tab.emulate_media(reduced_motion=motion)
    tab.goto(f"{address}{PAGES[name]}/")
    figure = tab.locator(f"[data-widget={name}]")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-alive", "", timeout=LONG)
    return figure


def answered(figure: Locator) -> None:
    """Wait until Python has answered what was asked last."""
    expect(figure.locator(".stale")).to_have_count(0, timeout=LONG)
    status = figure.locator(".python")
    expect(status).to_have_attribute("data-busy", "false", timeout=LONG)


def percent(p: float) -> str:
    if p > 0.9995:
        return "100 %"
    return "<0.1 %" if p < 0.0005 else f"{100 * p:.1f} %"


def press(figure: Locator, name: str) -> None:
    figure.get_by_role("button", name=name, exact=True).click()


def letters(figure: Locator) -> str:
    """The name as it stands: its letters, ? for what may come, . for its end."""
    tiles = figure.locator(".line .tile .letter").all_inner_texts()
    return "".join({"end": "."}.get(tile, tile) for tile in tiles)


def name_of(seed: int, temperature: float = 0.5, prompt: str = "") -> str:
    model, tokenizer = load_model()
    return sample(model, tokenizer, random.Random(seed), temperature, prompt)


def assert_line(figure: Locator, places: dict[str, grow_.GrowPlace]) -> None:
    """Each letter has the probability that Python gives it, in words and as a fill."""
    shown = letters(figure)
    text = shown.rstrip(".?")
    chances = []
    for place, letter in enumerate(shown):
        row = places[text[:place]]["probabilities"]
        token = 26 if letter == "." else ord(letter) - ord("a")
        chances.append(None if letter == "?" else row[token])
    expect(figure.locator(".line .p")).to_have_text(
        ["–" if p is None else percent(p) for p in chances]
    )
    assert styles(figure.locator(".line .fill"), "height") == [
        pytest.approx(100 * (p or 0), abs=0.06) for p in chances
    ]


def assert_offered(figure: Locator, place: grow_.GrowPlace, count: int = 10) -> None:
    """The likeliest letters are offered, the likeliest first."""
    p = place["probabilities"]
    order = sorted(range(27), key=lambda token: -p[token])[:count]
    names = [chr(ord("a") + token) if token < 26 else "end" for token in order]
    expect(figure.locator(".offered .letter")).to_have_text(names)
    expect(figure.locator(".offered .p")).to_have_text([percent(p[t]) for t in order])
    assert styles(figure.locator(".offered .fill"), "height") == [
        pytest.approx(100 * p[t] / p[order[0]], abs=0.06) for t in order
    ]


def test_names_grow_as_sample_draws_them_before_python_is_loaded(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "grow")
    places = grow_.grow("", 0.5, SEED)["places"]
    first = name_of(SEED)
    assert letters(figure) == f"{first}."
    assert_line(figure, places)
    assert_offered(figure, places[first])
    says = figure.locator(".says")
    expect(says).to_contain_text(f"One name in {places[first]['one_in']:,.0f} is")
    call = figure.locator(".call")
    expect(call).to_have_text("sample(model, tokenizer, random.Random(9), 0.5)")
    # The page carries the next names too; who asks for little motion sees them at once.
    for seed in (SEED + 1, SEED + 2, SEED + 3):
        press(figure, "New name")
        name = name_of(seed)
        expect(figure.locator(".says b")).to_have_text(f"“{name}”")
        assert letters(figure) == f"{name}."
        assert_line(figure, places)
        expect(call).to_contain_text(f"random.Random({seed})")
        kind = places[name]["kind"]
        expect(says).to_contain_text(
            {
                "new": "It is not in the dataset.",
                "held out": "It is in the dataset, but was not trained on.",
                "trained": "It is in the dataset, and was trained on.",
            }[kind]
        )
    expect(figure.locator(".kept button")).to_have_text(
        [name_of(seed) for seed in range(SEED + 3, SEED - 1, -1)]
    )
    figure.locator(".kept button").last.click()
    assert letters(figure) == f"{first}."
    # Back to a letter: what else could have come there, and the end if the reader wants.
    figure.get_by_role("button", name="Place 3:").click()
    assert_offered(figure, places[first[:2]])
    assert letters(figure) == f"{first}."
    press(figure, "All 27")
    assert_offered(figure, places[first[:2]], 27)
    figure.locator(".offered").get_by_role("button", name="end,").click()
    assert letters(figure) == f"{first[:2]}."
    assert_line(figure, places)
    is_it = places[first[:2]]["one_in"]
    expect(says).to_contain_text(f"One name in {is_it:,.0f} is “{first[:2]}”")
    expect(call).to_have_text("")
    loaded = figure.page.evaluate(
        "performance.getEntriesByType('resource').map(x => x.name)"
    )
    assert not any("pyodide" in name for name in loaded)


def test_a_reader_leads_a_name_astray_and_the_model_goes_on(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "grow")
    first = name_of(SEED)
    figure.get_by_role("button", name="Place 2:").click()
    press(figure, "All 27")
    odd = figure.locator(".offered .tile").last
    letter = odd.locator(".letter").inner_text()
    odd.click()
    answered(figure)
    chosen = first[0] + letter
    expect(figure.locator(".asked")).to_contain_text(f"After “{chosen}”")
    assert letters(figure) == f"{chosen}?"
    places = grow_.grow(chosen, 0.5, SEED)["places"]
    assert_line(figure, places)
    assert_offered(figure, places[chosen], 27)
    begins = percent(places[chosen]["begins"])
    expect(figure.locator(".says")).to_have_text(
        f"{begins} of its names begin with “{chosen}”."
    )
    grown = name_of(SEED, prompt=chosen)
    press(figure, "One letter")
    expect(figure.locator(".line .letter").nth(2)).to_have_text(grown[2])
    press(figure, "Let the model go on")
    expect(figure.locator(".says b")).to_have_text(f"“{grown}”")
    assert letters(figure) == f"{grown}."
    assert_line(figure, places)
    call = f'sample(model, tokenizer, random.Random({SEED}), 0.5, "{chosen}")'
    expect(figure.locator(".call")).to_have_text(call)
    expect(figure.locator(".choices [role=status]")).to_contain_text(
        f"The name is “{grown}”."
    )
    # Hotter: the same letters, other probabilities.
    figure.get_by_role("slider", name="temperature").press("End")
    expect(figure.locator(".asked")).to_contain_text("at temperature 10", timeout=LONG)
    answered(figure)
    assert letters(figure) == f"{grown}."
    assert_line(figure, grow_.grow(grown, 10, SEED)["places"])
    # Nonsense leaves the name as it is; a seed grows its own.
    seed = figure.get_by_label("seed")
    seed.fill("nine")
    seed.press("Enter")
    expect(figure.locator(".refusal")).to_have_text("seed: a whole number is needed")
    assert letters(figure) == f"{grown}."
    seed.fill("123")
    press(figure, "Grow")
    hot = name_of(123, temperature=10)
    expect(figure.locator(".says b")).to_have_text(f"“{hot}”", timeout=LONG)
    expect(figure.locator(".refusal")).to_have_text("")


def test_letters_come_one_after_another_and_keys_go_back(
    context: BrowserContext, address: str
) -> None:
    context = Sized(context, DESK)
    figure = opened(context, address, "grow", "no-preference")
    name = name_of(SEED + 1)
    figure.get_by_role("button", name="New name").focus()
    figure.page.keyboard.press("Enter")
    # It grows: for a while it is not over.
    expect(figure.locator(".line .open")).to_have_count(1)
    expect(figure.locator(".line .over")).to_have_count(1, timeout=LONG)
    expect(figure.locator(".says b")).to_have_text(f"“{name}”")
    assert letters(figure) == f"{name}."
    figure.locator(".line .here").focus()
    keys = figure.page.keyboard
    keys.press("Home")
    expect(figure.locator(".asked")).to_contain_text("At the beginning")
    keys.press("ArrowRight")
    expect(figure.locator(".asked")).to_contain_text(f"After “{name[0]}”")
    focused = figure.page.evaluate("document.activeElement.ariaLabel")
    assert focused.startswith(f"Place 2: {name[1]}")
    keys.press("End")
    expect(figure.locator(".asked")).to_contain_text(f"After “{name}”")


def assert_look(figure: Locator, prefix: str, temperature: float) -> None:
    result = next(temperature_.temperature(prefix, 0.5))
    (look,) = (look for look in result["looks"] if look["temperature"] == temperature)
    expect(figure.locator(".says")).to_have_text(
        f"Entropy {look['entropy']:.3f} nats: "
        f"as unsure as a fair choice among {look['choice']:.2f} letters."
    )
    p = look["probabilities"]
    texts = [
        "0" if x == 0 else "<0.1 %" if x < 0.0005 else f"{100 * x:.1f} %" for x in p
    ]
    expect(figure.locator(".bars .value")).to_have_text(texts)
    full = min(scale for scale in (0.1, 0.25, 0.5, 1) if scale >= max(p))
    assert styles(figure.locator(".bars .fill"), "width") == [
        pytest.approx(100 * x / full, abs=0.06) for x in p
    ]
    best = figure.locator(".bars .mark .name").inner_text()
    assert (
        best
        == [*"abcdefghijklmnopqrstuvwxyz", "end"][
            result["logits"].index(max(result["logits"]))
        ]
    )
    expected = temperature_.samples(prefix, temperature)
    expect(figure.locator(".drawn code")).to_have_text(expected, timeout=LONG)


def test_a_distribution_at_every_temperature(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "temperature")
    assert_look(figure, "mar", 0.5)
    scale = figure.get_by_role("slider", name="temperature")
    scale.press("Home")
    assert_look(figure, "mar", 0.001)
    scale.press("End")
    assert_look(figure, "mar", 1000.0)
    status = figure.locator(".sr-only[role=status]")
    expect(status).to_contain_text("a fair choice among 27.00 letters")
    # Typed: Python draws names anew, first where the reader looks.
    scale.press("ArrowLeft")
    figure.get_by_label("How the name begins").fill("jo")
    expect(figure.locator(".title")).to_contain_text("After “jo”", timeout=LONG)
    assert_look(figure, "jo", 100.0)
    figure.get_by_label("How the name begins").fill("Jo")
    expect(figure.locator(".refusal")).to_contain_text("type 'jo', in small letters")
    expect(figure.locator(".title")).to_contain_text("After “jo”")
    press(figure, "nothing")
    expect(figure.locator(".title")).to_contain_text("After BOS alone", timeout=LONG)
    answered(figure)
    assert_look(figure, "", 100.0)


def assert_judged(figure: Locator, name: str) -> None:
    result = memorised_.memorised(name)
    rows = figure.locator("table tr:has(th[scope=row])")
    expected = [one["name"] for one in result["likeliest"]]
    if name not in expected:
        expected.append(name)
    expect(rows.locator("th")).to_have_text(expected)
    expect(figure.locator("tr.now th")).to_have_text(name)
    kinds = [one["kind"] for one in result["likeliest"]]
    if len(expected) > len(kinds):
        kinds.append(result["itself"]["kind"])
    shown = [
        "no" if kind == "new" else str(kind).replace("trained", "trained on")
        for kind in kinds
    ]
    expect(rows.locator("td.kind")).to_have_text(shown)
    says = figure.locator(".says")
    expect(says).to_contain_text(f"Its loss is {result['loss']:.3f} nats")
    expect(says).to_contain_text(f"Of {result['total']} names")
    rank = result["itself"]["rank"]
    place = "is the likeliest" if rank == 1 else f"comes at place {rank};"
    expect(says).to_contain_text(place)
    widths = styles(rows.locator(".fill"), "width")
    for one, width in zip(result["likeliest"], widths, strict=False):
        assert width == pytest.approx(100 * one["share"], abs=0.06)


def test_a_name_is_judged_among_its_neighbours(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "memorised")
    assert_judged(figure, "christopher")
    expect(figure.locator(".says")).to_contain_text(
        re.compile("step 862 trained on it")
    )
    press(figure, "mara")
    expect(figure.locator("tr.now th")).to_have_text("mara", timeout=LONG)
    assert_judged(figure, "mara")
    expect(figure.locator(".says")).to_contain_text("but not among the 1,000 names")
    field = figure.get_by_label("A name", exact=True)
    field.fill("qwert")
    expect(figure.locator("tr.now th")).to_have_text("qwert", timeout=LONG)
    assert_judged(figure, "qwert")
    expect(figure.locator(".says")).to_contain_text("none of the 5,676 names")
    field.fill("a b")
    expect(figure.locator(".refusal")).to_contain_text("does not know the character")
    expect(figure.locator("tr.now th")).to_have_text("qwert")
