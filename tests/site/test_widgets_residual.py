"""The residual stream and the cache in a reader's hands."""

from __future__ import annotations

from functools import cache

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.site.browsing import styles
from tests.thorough import thorough
from widgets.cache_mask.model import CacheMask, cache_mask
from widgets.residual_stream.model import StreamToken, residual_stream

# All widgets together are looked at every day.
pytestmark = thorough

PAGES = {
    "residual_stream": "attention/residuals/",
    "cache_mask": "attention/cache/",
}
WAYS = {
    "cache": "token by token",
    "unmasked": "all at once, no mask",
    "masked": "all at once, masked",
}
stream = cache(residual_stream)
attention = cache(cache_mask)


def opened(tab: Page, address: str, name: str) -> Locator:
    """Open the page of a widget, and wait until it can be touched."""
    tab.goto(address + PAGES[name])
    widget = tab.locator(f".widget.{name}")
    widget.scroll_into_view_if_needed()
    tab.locator(f".widget.{name}[data-alive]").wait_for()
    return widget


def number(text: str) -> float:
    """Read a number as readers see it."""
    return float(text.replace("−", "-"))


def fill_in(widget: Locator, name: str) -> None:
    field = widget.get_by_label("A name", exact=True)
    field.fill(name)
    field.press("Enter")


def strips_of(way: StreamToken) -> list[list[float]]:
    """Return the vectors from top to bottom."""
    sum_, normed, mixed, end = way["stream"]
    by_attention, by_mlp = way["added"]
    shown = [*way["embeddings"], sum_, normed, by_attention, mixed, by_mlp, end]
    return [each["numbers"] for each in shown]


def assert_stream(
    widget: Locator, way: StreamToken, names: list[str], at: int, rel: float = 1e-6
) -> None:
    """Each strip, each length, each guess and all probabilities are Python's."""
    vectors = strips_of(way)
    strips = widget.locator(".strip")
    expect(strips).to_have_count(len(vectors))
    for strip, vector in zip(strips.all(), vectors, strict=True):
        below = strip.locator(".square").evaluate_all(
            "all => all.map(x => x.classList.contains('below'))"
        )
        assert below == [value < 0 for value in vector]
    sum_, normed, mixed, end = way["stream"]
    by_attention, by_mlp = way["added"]
    order = [*way["embeddings"], sum_, normed, by_attention, mixed, by_mlp, end]
    lengths = [number(text) for text in widget.locator(".length").all_inner_texts()]
    assert lengths == pytest.approx([x["length"] for x in order], abs=0.0051)
    for guess, place in zip(
        widget.locator(".guess").all_inner_texts(), way["stream"], strict=True
    ):
        said = guess.partition("likeliest:")[2].split(",")
        p = place["probabilities"]
        likeliest = sorted(range(len(p)), key=lambda token: -p[token])[:3]
        for each, token in zip(said, likeliest, strict=True):
            name, value = each.split()
            assert name == names[token]
            assert number(value) == pytest.approx(p[token], rel=0.06)
    p = way["stream"][at]["probabilities"]
    bars = [number(x) for x in widget.locator(".bars .value").all_inner_texts()]
    assert bars == pytest.approx(p, rel=0.06)
    most = max(max(each["probabilities"]) for each in way["stream"])
    widths = styles(widget.locator(".bars .fill"), "width")
    assert widths == pytest.approx([100 * x / most for x in p], abs=0.06 + 100 * rel)
    expect(widget.locator(".bars .mark .name")).to_have_text(names[way["next"]])
    expect(widget.locator(".verdict")).to_contain_text(
        f"{names[way['next']]} comes next"
    )
    expect(widget.locator(".verdict")).to_contain_text(
        f"loss {way['stream'][at]['loss']:.3f}"
    )


def test_the_stream_of_each_letter_is_pythons(tab: Page, address: str) -> None:
    widget = opened(tab, address, "residual_stream")
    shown = stream("emma")
    names = shown["tokens"]
    assert_stream(widget, shown["trained"][-1], names, 3)
    letters = widget.get_by_role("group", name="The token that is read")
    expect(letters.get_by_role("button")).to_have_text(["BOS", *"emma"])
    for position in range(5):
        letters.get_by_role("button").nth(position).click()
        assert_stream(widget, shown["trained"][position], names, 3)

    # By keyboard: the untrained model, then from place to place along the stream
    widget.get_by_role("button", name="untrained", exact=True).press("Enter")
    expect(widget.locator(".whole .title").first).to_contain_text("untrained")
    places = widget.get_by_role("radio")
    places.nth(3).focus()
    for at in (2, 1, 0):
        tab.keyboard.press("ArrowUp")
        expect(places.nth(at)).to_be_checked()
        assert_stream(widget, shown["untrained"][-1], names, at)
    status = widget.locator(".verdict[role=status]")
    expect(status).to_contain_text("the sum: BOS comes next")


def test_the_readers_name_flows_and_nonsense_is_refused(
    tab: Page, address: str
) -> None:
    widget = opened(tab, address, "residual_stream")
    fill_in(widget, "ab1")
    refusal = widget.locator(".refusal")
    expect(refusal).to_contain_text("does not know the character '1'")
    assert_stream(widget, stream("emma")["trained"][-1], stream("emma")["tokens"], 3)
    fill_in(widget, "bo")
    letters = widget.get_by_role("group", name="The token that is read")
    expect(letters.get_by_role("button")).to_have_text(["BOS", "b", "o"])
    expect(refusal).to_have_text("")
    expect(widget.locator(".stale")).to_have_count(0)
    assert_stream(widget, stream("bo")["trained"][-1], stream("bo")["tokens"], 3, 0.01)


def assert_matrix(
    widget: Locator, shown: CacheMask, way: str, what: str, done: int
) -> None:
    """Each cell holds Python's number, or what stands for none."""
    of = shown[way]  # type: ignore[literal-required]
    count = len(shown["tokens"])
    expect(widget.locator(".matrix thead th")).to_have_text(shown["tokens"])
    expect(widget.locator(".matrix tbody th")).to_have_text(shown["tokens"])
    texts = widget.locator(".matrix tbody td").all_inner_texts()
    hidden = "−∞" if what == "scores" else "0"
    for row in range(count):
        for column in range(count):
            text = texts[row * count + column].strip()
            if row >= done or (column > row and way == "cache"):
                assert text == ""
            elif column > row and way == "masked":
                assert text == hidden
            else:
                assert number(text) == pytest.approx(of[what][row][column], abs=0.0051)
    if way == "cache":
        entries = widget.locator(".entry:not(.none)")
        expect(entries).to_have_count(done)
        expect(widget.locator(".kept .title")).to_have_text(
            f"The cache: {done} keys, {done} values"
        )
        for entry, *vectors in zip(
            entries.all(), shown["keys"], shown["values"], strict=False
        ):
            for strip, vector in zip(
                entry.locator(".strip").all(), vectors, strict=True
            ):
                below = strip.locator(".square").evaluate_all(
                    "all => all.map(x => x.classList.contains('below'))"
                )
                assert below == [value < 0 for value in vector]
        verdict = widget.locator(".verdict")
        expect(verdict).to_contain_text(f"so far: {shown['cached'][done]};")
        expect(verdict).to_contain_text(f"have been {shown['anew'][done]}.")
    expect(widget.locator(".kept .note")).to_contain_text(
        f"{shown['kept'][done]} numbers"
    )


def test_the_cache_grows_token_by_token(tab: Page, address: str) -> None:
    widget = opened(tab, address, "cache_mask")
    shown = attention("emma")
    assert_matrix(widget, shown, "cache", "weights", 5)
    widget.get_by_role("button", name="To the start").press("Enter")
    on = widget.get_by_role("button", name="One step on")
    for done in range(5):
        assert_matrix(widget, shown, "cache", "weights", done)
        on.press("Enter")
    expect(on).to_be_focused()
    spoken = widget.locator(".player [role=status]")
    expect(spoken).to_have_text("Token 5, a, is read; it attends to 5 tokens")


def test_a_mask_gives_the_numbers_of_the_cache(tab: Page, address: str) -> None:
    widget = opened(tab, address, "cache_mask")
    shown = attention("emma")
    verdict = widget.locator(".verdict")
    for way in ("unmasked", "masked"):
        widget.get_by_role("button", name=WAYS[way], exact=True).press("Enter")
        for what in ("weights", "scores"):
            widget.get_by_role("button", name=what, exact=True).click()
            assert_matrix(widget, shown, way, what, 5)
        expect(verdict).to_contain_text(f"{shown[way]['loss']:.4f}")  # type: ignore[literal-required]
        expect(widget.locator(".sr-only[role=status]").last).to_have_text(
            verdict.inner_text()
        )
        expect(widget.get_by_role("button", name="Play")).to_be_hidden()
    expect(verdict).to_contain_text("from the cache, in any logit: 0.")
    expect(verdict).to_contain_text(f"{shown['cache']['loss']:.4f} both ways")
    widget.get_by_role("button", name=WAYS["unmasked"], exact=True).click()
    furthest = max(shown["unmasked"]["apart"])
    expect(verdict).to_contain_text("The logits of 4 of them")
    expect(verdict).to_contain_text(f"by {furthest:.3f} at most")

    # In the reader's browser, with another name; a longer one is refused.
    fill_in(widget, "alexandra")
    expect(widget.locator(".refusal")).to_contain_text("at most 8 letters")
    assert_matrix(widget, shown, "unmasked", "scores", 5)
    fill_in(widget, "zoe")
    expect(widget.locator(".matrix thead th")).to_have_text(["BOS", *"zoe"])
    expect(widget.locator(".stale")).to_have_count(0)
    widget.get_by_role("button", name=WAYS["masked"], exact=True).click()
    assert_matrix(widget, attention("zoe"), "masked", "scores", 4)
    expect(verdict).to_contain_text("from the cache, in any logit: 0.")
    widget.get_by_role("button", name=WAYS["cache"], exact=True).click()
    assert_matrix(widget, attention("zoe"), "cache", "scores", 4)
