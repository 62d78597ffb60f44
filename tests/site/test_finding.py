"""Finding one's way: the search."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import CodeType

from playwright.sync_api import BrowserContext, expect

from tests.promises.site import Site
from weave.guide import Guide

# What readers type, and the page and section that must be among the first results.
LEADS = {
    "Value.__add__": "autograd/recording/#listing-value-add-value-mul-code",
    "__radd__": "autograd/more-operations/#listing-value-neg-value-rtruediv-code",
    "backward": "autograd/backward/#listing-value-backward-code",
    "microgpt.autograd:Value.backward": "autograd/backward/#listing-value-backward-code",
    "rmsnorm": "attention/rmsnorm/",
    "head_dim": "transformer/what-changes/#listing-config-head-dim-code",
    "--engine": "efficiency/lists/",
    "KV cache": "attention/cache/",
    "topological sort": "autograd/depth/",
    "optim.py": "reference/source/optim/",
    "bakward": "autograd/backward/",
}
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
        field.press("End")  # the search listens to keys
        tab.wait_for_function(IS_AMONG_THE_FIRST, arg=wanted)
    field.fill("xqzzyv")
    field.press("End")
    result = tab.locator(".md-search-result__meta")
    expect(result).to_have_text("No matching documents")


def test_the_search_knows_what_each_home_defines_and_nothing_else(
    site: Site, guide: Guide
) -> None:
    index = json.loads((site.folder / "search/search_index.json").read_text("utf-8"))
    found = {
        entry["location"].removesuffix("-code"): entry["title"].split(", ")
        for entry in index["docs"]
        if entry["location"].endswith("-code")
    }
    defined = {}
    for listing in {guide.homes[span] for span in guide.homes}:
        span = listing.span
        if guide.homes[span.path, span.first] != listing:
            continue
        path = guide.root / span.path
        code = compile(path.read_text(encoding="utf-8"), path, "exec")
        place = listing.page.relative_to("docs").with_suffix("").as_posix()
        names = [n for n, line in names_in(code) if span.first <= line <= span.last]
        if names:
            defined[f"{place}/#{listing.anchor}"] = names
    assert found == defined


def names_in(code: CodeType) -> Iterator[tuple[str, int]]:
    """Yield what Python calls each function and class of a module, and its line."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            if "<" not in inner.co_qualname:
                yield inner.co_qualname, inner.co_firstlineno
            yield from names_in(inner)
