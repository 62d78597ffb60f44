"""Finding one's way: the search, what was read, links to lines, keys, paper."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.promises.site import Site
from tests.site.browsing import DESK, LONG
from tests.thorough import thorough
from weave.guide import Guide, address_of
from weave.kinds.listing import homes

# What readers type, and the page and section that must be among the first results.
LEADS = {
    "Value.__add__": "autograd/recording/#listing-value-add-value-mul-code",
    "__radd__": "autograd/more-operations/#listing-value-radd-value-rtruediv-code",
    "backward": "autograd/backward/#listing-value-backward-code",
    "microgpt.autograd:Value.backward": "autograd/backward/#listing-value-backward-code",
    "rmsnorm": "attention/rmsnorm/",
    "head_dim": "transformer/heads-in-code/#listing-config-head-dim-code",
    "--engine": "reference/command-line/#train",
    "optim.py": "reference/source/optim/",
    "bakward": "autograd/backward/",
    "ZeroDivisionError": "attention/rmsnorm/#exercise-a-vector-of-zeros",
}
# What learners type, and the page or section that must be the first or the second result.
QUERIES = {
    "why divide by sqrt": "attention/scores/#why-divide-by-d",
    "adam": "adam/what-changes/",
    "softmax": "gradient-descent/softmax/",
    "weight tying": "transformer/choices/",
    "bpe": "efficiency/left-out/",
    "backprop": "autograd/backward/",
    "kv cache": "attention/cache/",
    "what is a token": "counting/tokens/",
    "loss nats": "counting/loss/",
    "learning rate too high": "reference/what-if/#what-if-the-learning-rate-is-ten-times-as-high",
    "lr": "gradient-descent/training/",
    "vanishing gradient": "attention/residuals/",
    "layernorm vs rmsnorm": "attention/rmsnorm/",
    "temperature": "inference/temperature/",
    "softmax temperature": "inference/temperature/",
    "top p": "inference/top-p/",
    "cross entropy": "counting/loss/",
    "perplexity": "counting/loss/",
    "causal mask": "attention/cache/",
    "residual connection": "attention/residuals/",
    "why multiple heads": "transformer/heads/",
    "flashattention": "efficiency/flash/",
    "mixed precision": "efficiency/bits/",
    "gelu": "reference/questions/transformer/#why-gelu-and-why-with-a-tanh-in-it",
    "dropout": "efficiency/left-out/",
    "weight decay adamw": "efficiency/practice/",
    "gradient clipping": "efficiency/practice/",
    "batch size": "efficiency/batches/",
    "overfitting": "inference/memorised/",
    "chain rule": "gradient-descent/chain-rule/",
    "topological sort": "autograd/order/",
    "zero grad": "autograd/training-loop/",
    "numpy backward": "efficiency/numpy",
    "rope": "efficiency/left-out/",
    "gqa": "efficiency/left-out/",
    "mixture of experts": "efficiency/left-out/",
    "scaling laws": "efficiency/scale/",
    "lora": "efficiency/serving/",
    "rlhf": "efficiency/assistant/",
    "positional encoding": "attention/positions/",
    "query key value": "attention/queries-keys-values/",
    "why is my loss nan": "reference/questions/gradient-descent/#why-does-my-loss-fall-then-rise-then-become-nan",
    "do i need a gpu": "reference/questions/efficiency/#do-i-need-a-graphics-card",
    "how do I train it on my own data": "labs/own-dataset/",
    "fine-tuning": "efficiency/assistant/",
    "how does it know when to stop": "inference/sampling/",
    "quantization": "efficiency/bits/",
    "hallucinations": "efficiency/scale/",
    "atention": "attention/queries-keys-values/",
    "backpropogation": "autograd/backward/",
    "self-attention": "attention/queries-keys-values/",
    "what does the mlp do": "gradient-descent/network/",
}
# The theme's search, as its page starts it, asked without typing.
ASK = """async queries => {
  const { base, search } = JSON.parse(document.querySelector("#__config").textContent);
  const address = new URL(base, location);
  const index = await fetch(new URL("search/search_index.json", `${address}/`));
  const worker = new Worker(new URL(search, location));
  const ask = (type, data) => new Promise(done => {
    worker.onmessage = message => done(message.data.data);
    worker.postMessage({ type, data });
  });
  await ask(0, { ...await index.json(), options: { suggest: true } });
  const found = {};
  for (const query of queries) found[query] = (await ask(2, query)).items.map(page => page[0]);
  worker.terminate();
  return found;
}"""
IS_AMONG_THE_FIRST = """wanted => {
  const links = document.querySelectorAll(".md-search-result__item:nth-child(-n + 3) a");
  return [...links].some(({pathname, hash}) => (pathname + hash).slice(1).startsWith(wanted));
}"""


def test_the_search_finds_names_in_code_terms_and_slips(
    context: BrowserContext, address: str
) -> None:
    tab = context.new_page()
    tab.goto(f"{address}counting/dataset/")
    field = tab.locator(".md-search__input")
    field.click()
    for typed, wanted in LEADS.items():
        field.fill(typed)
        tab.wait_for_function(IS_AMONG_THE_FIRST, arg=wanted)
    field.fill("how does the KV cache")
    tab.wait_for_function(IS_AMONG_THE_FIRST, arg="attention/cache/")
    expect(tab.locator(".md-search-result__item").first).not_to_contain_text("Missing")
    field.fill("xqzzyv")
    result = tab.locator(".md-search-result__meta")
    expect(result).to_have_text("No matching documents")


def test_the_search_leads_learners_to_explanations(
    context: BrowserContext, address: str
) -> None:
    tab = context.new_page()
    tab.goto(f"{address}counting/dataset/")
    names = json.loads(Path("web/runtime/synonyms.json").read_text("utf-8"))
    found = tab.evaluate(ASK, [*QUERIES, *names, *names.values()])
    lost = {}
    for typed, wanted in QUERIES.items():
        first = [section["location"] for section in found[typed][:2]]
        if not any(location.startswith(wanted) for location in first):
            lost[typed] = first
        assert not first[0].endswith("-code"), typed
        for section in found[typed]:
            assert not re.search(r"<pre>|section \d+ of \d+", section["text"])
            assert {"why", "how", "do", "does", "the"}.isdisjoint(section["terms"])
    assert lost == {}
    for name, meaning in names.items():
        # The guide has these words, and what is best for them is found by the name.
        best = found[meaning][0]
        assert all(best["terms"].values()), meaning
        first = [page_of(section["location"]) for section in found[name][:3]]
        assert page_of(best["location"]) in first, name


def page_of(location: str) -> str:
    return location.partition("#")[0]


def test_the_search_knows_what_each_home_defines_and_nothing_else(
    site: Site, guide: Guide
) -> None:
    index = json.loads((site.folder / "search/search_index.json").read_text("utf-8"))
    pages = {address_of(path) for path in [*guide.paths, *guide.labs]}
    assert {page_of(entry["location"]) for entry in index["docs"]} == pages
    found = {
        entry["location"].removesuffix("-code"): entry["title"].split(", ")
        for entry in index["docs"]
        if entry["location"].endswith("-code")
    }
    defined = {}
    first = homes(guide)
    for listing in set(first.values()):
        span = listing.span(guide)
        if first[span.path, span.first] != listing:
            continue
        path = guide.root / span.path
        text = path.read_text(encoding="utf-8")
        in_c = path.suffix == ".c"
        known = names_in_c(text) if in_c else names_in(compile(text, path, "exec"))
        place = listing.page.path.relative_to("docs").with_suffix("").as_posix()
        names = [n for n, line in known if span.first <= line <= span.last]
        if names:
            defined[f"{place}/#{listing.anchor}"] = names
    assert found == defined


def names_in(code: CodeType) -> Iterator[tuple[str, int]]:
    """Yield what Python calls each function and class of a module, and its line."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            name = inner.co_qualname.replace(".<locals>", "")
            if "<" not in name:
                yield name, inner.co_firstlineno
            yield from names_in(inner)


def names_in_c(text: str) -> Iterator[tuple[str, int]]:
    """Yield the functions and types of a file in C, and where their names stand."""
    defined = r"^(?:[a-zA-Z][\w *]*?\b(?P<function>\w+)\([^;{]*\) \{|\} (?P<type>\w+);)"
    for found in re.finditer(defined, text, re.MULTILINE):
        line = text.count("\n", 0, found.start()) + 1
        yield found["function"] or found["type"], line


@pytest.fixture
def reader(browser: Browser, address: str) -> Iterator[Page]:
    """A reader at a desk of whom this site has kept nothing."""
    with browser.new_context(viewport=DESK) as context:
        yield context.new_page()


READING = "JSON.parse(localStorage.getItem('guide:reading'))"


@thorough
def test_what_was_read_is_kept_shown_and_forgotten(
    reader: Page, address: str, guide: Guide
) -> None:
    step = guide.sections["attention/rmsnorm.md"]
    every = [s for s in guide.sections.values() if s.step in guide.steps]
    reader.goto(f"{address}attention/rmsnorm/")
    reader.mouse.wheel(0, 100)
    footer = reader.locator(".reading")
    expect(reader.locator(".md-nav .read")).to_have_count(0)
    reader.wait_for_timeout(1500)  # the end must be seen for a second, and was not
    assert reader.evaluate(READING) == {"last": "attention/rmsnorm/", "read": []}
    reader.locator(".md-footer").scroll_into_view_if_needed()
    expect(footer).to_contain_text(f"Read on this device: 1 of {len(every)} pages.")
    tick = reader.locator(".md-nav__link:has(> .read)").filter(visible=True)
    expect(tick).to_have_text(re.compile(r"RMSNorm\s+read"))
    expect(reader.locator(".read-count")).to_have_text(f" 1 of {step.count} read")
    reader.goto(address)
    start = reader.locator("article a.md-button--primary")
    expect(start).to_have_text("Go on with “The cache”")
    assert start.evaluate("x => x.pathname") == "/attention/cache/"
    footer.get_by_role("button", name="Forget").click()
    expect(start).not_to_contain_text("Go on")
    assert reader.evaluate(READING) is None


@thorough
def test_a_browser_that_keeps_nothing_shows_no_reading_and_no_error(
    reader: Page, address: str
) -> None:
    errors: list[str] = []
    reader.on("pageerror", lambda error: errors.append(str(error)))
    reader.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException(); }})"
    )
    reader.goto(f"{address}attention/rmsnorm/")
    reader.keyboard.press("End")
    reader.wait_for_timeout(1500)
    assert not reader.locator(".reading").is_visible()
    assert errors == []


def test_a_link_leads_to_lines_and_keys_choose_them(reader: Page, address: str) -> None:
    reader.goto(f"{address}reference/source/optim/#L12-L18")
    chosen = reader.locator(".chosen")
    expect(chosen).to_have_count(7)
    expect(chosen.first).to_be_in_viewport()
    reader.locator("#L20 .number").click()
    expect(chosen).to_have_count(1)
    reader.locator("#L22 .number").click(modifiers=["Shift"])
    expect(chosen).to_have_count(3)
    assert reader.url.endswith("#L20-L22")

    reader.goto(f"{address}autograd/backward/")
    numbers = reader.locator("#listing-value-backward [data-linenos]")
    third = int(numbers.nth(2).get_attribute("data-linenos") or "")
    numbers.nth(2).click()
    expect(chosen).to_have_count(1)
    assert reader.url.endswith(f"#listing-value-backward:L{third}")
    reader.locator("#block-1 > .block-link").focus()
    expect(reader.locator("#block-1 > .block-link")).to_have_css("opacity", "1")
    for key in ("ArrowDown", "ArrowDown", "Shift+ArrowDown"):
        reader.keyboard.press(key)
    expect(chosen).to_have_count(2)
    assert reader.url.endswith("#block-1:L2-L3")
    reader.reload()
    expect(chosen).to_have_count(2)
    assert chosen.first.text_content() == "    c = a + b\n"


# Each line is what some test does: those of one key here, those of lines above, those
# of the editor in test_cells.py.
TOLD = {
    "/": "search",
    "n": "the next page",
    "p": "the page before",
    "?": "this help",
    "Shift+Enter or Ctrl+Enter": "run the block of code that has the focus",
    "Escape": "close what is open; leave the editor, then Tab goes on",
    "↑ ↓ on a block’s #": "choose a line of the block, for a link to it; with Shift, more lines",
}


@thorough
def test_single_keys_are_told_and_can_be_turned_off(reader: Page, address: str) -> None:
    reader.goto(f"{address}attention/rmsnorm/")
    reader.keyboard.press("?")
    dialog = reader.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_be_visible()
    names, does = (dialog.locator(kind).all_text_contents() for kind in ("dt", "dd"))
    assert dict(zip(names, does, strict=True)) == TOLD
    dialog.get_by_role("checkbox").uncheck()
    reader.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()
    for key in ("?", "/", "n"):
        reader.keyboard.press(key)
    expect(dialog).not_to_be_visible()
    expect(reader.locator("#__search")).not_to_be_checked()
    assert reader.url == f"{address}attention/rmsnorm/"
    reader.get_by_role("button", name="Keyboard shortcuts").click()
    dialog.get_by_role("checkbox").check()
    reader.keyboard.press("Escape")
    reader.keyboard.press("/")
    expect(reader.locator(".md-search__input")).to_be_focused()
    # The theme opens the search a moment after, and closes only an open one.
    expect(reader.locator("#__search")).to_be_checked()
    reader.keyboard.press("Escape")
    reader.keyboard.press("n")
    reader.wait_for_url("**/attention/cache/")
    reader.keyboard.press("p")
    reader.wait_for_url("**/attention/rmsnorm/")


def test_a_lost_address_gets_the_pages_that_are_nearest(
    reader: Page, address: str, site: Site
) -> None:
    lost = (site.folder / "404.html").read_text("utf-8")
    reader.route(
        "**/attenton/rmsnrm", lambda route: route.fulfill(status=404, body=lost)
    )
    reader.goto(f"{address}attenton/rmsnrm")
    first = reader.locator(".nearest a").first
    expect(first).to_have_text("RMSNorm")
    assert first.evaluate("x => x.pathname") == "/attention/rmsnorm/"
    expect(reader.locator("article .go-on")).to_be_hidden()  # nothing was read
    reader.get_by_role("button", name="Search the guide").click()
    expect(reader.locator(".md-search__input")).to_be_focused()


@thorough
def test_a_link_to_a_page_shows_what_the_page_is_about(
    reader: Page, address: str
) -> None:
    reader.goto(f"{address}autograd/value/")
    card = reader.locator(".link-card")
    link = reader.locator("article p a[href='../recording/']").last
    link.hover()
    place = card.locator("small")
    expect(place).to_have_text("Step 2 · Autograd · section 3 of 12")
    card.hover()  # one can go there, and it stays
    reader.wait_for_timeout(500)
    expect(card).to_be_visible()
    reader.keyboard.press("Escape")
    expect(card).not_to_be_visible()
    reader.mouse.move(0, 0)
    reader.keyboard.press("Tab")
    link.focus()
    expect(card).to_be_visible()
    expect(link).to_have_attribute("aria-describedby", "link-card")
    reader.locator(".md-nav a:visible").first.hover()
    reader.keyboard.press("Escape")
    reader.wait_for_timeout(700)
    expect(card).not_to_be_visible()


@thorough
def test_offline_a_lost_address_gets_the_same_page(
    browser: Browser, address: str
) -> None:
    with browser.new_context(viewport=DESK, service_workers="allow") as context:
        tab = context.new_page()
        tab.goto(f"{address}attention/rmsnorm/")
        tab.mouse.wheel(0, 100)
        kept = tab.locator(".offline p")
        expect(kept).to_contain_text("Kept on this device: all pages", timeout=LONG)
        context.set_offline(True)
        tab.goto(f"{address}attention/scors/")
        expect(tab.locator(".nearest a").first).to_have_text("Scores and weights")


WIDER_THAN_PAPER = """() => [...document.querySelectorAll("article *")]
  .filter(x => !x.closest("svg, math") || x.matches("svg, math"))
  .filter(x => getComputedStyle(x).display !== "inline") // its last space may hang out
  .filter(x => x.getBoundingClientRect().width > 1)
  .filter(x => x.getBoundingClientRect().right > document.body.clientWidth + 1)
  .map(x => x.outerHTML.slice(0, 80))"""


def test_on_paper_all_is_read_and_nothing_is_pressed(
    reader: Page, address: str
) -> None:
    reader.emulate_media(media="print", color_scheme="dark")
    reader.set_viewport_size({"width": 673, "height": 950})  # A4 without its margins
    reader.goto(f"{address}autograd/backward/")
    assert reader.evaluate(WIDER_THAN_PAPER) == []
    pressed = "button, .bar, .controls, header, footer, .md-nav, .headerlink"
    assert reader.locator(pressed).filter(visible=True).count() == 0
    expect(reader.locator(".solution pre").first).to_be_visible()
    expect(reader.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    sheets = re.findall(rb"/Type\s*/Page\b", reader.pdf(format="A4"))
    assert 4 <= len(sheets) < 15
