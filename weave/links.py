"""Links that say where they lead: each must lead to the page that it names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from weave.glossary import GLOSSARY
from weave.guide import Guide, plain
from weave.numbers import STEPS, prose_of
from weave.page import Page

LINK = re.compile(
    r"\[(?P<text>[^\[\]]+)\]\((?P<to>[^)#\s]+\.(?:md|ipynb))(?:#[^)]*)?\)"
)
STEP = re.compile(r"\bSteps?\s(\d)")
CODE = re.compile(r"`([^`]+)`")
BESIDE = {"next page": 1, "page before": -1}


def misnamed(guide: Guide, page: Page) -> Iterator[tuple[int, str]]:
    """Yield line and message for each link that names another page than it leads to.

    A link names a page by its title or its place in the menu, by "Step 2" or "next
    page", or by a name in code, which the page must then have.
    """
    for line, text in page.prose():
        for match in STEPS.finditer(prose_of(text)):
            if unknown := {*re.findall(r"\d+", match[0])} - _numbers(guide):
                yield line, f"there is no Step {min(unknown)}"
        for match in LINK.finditer(text):
            target = Path(os.path.normpath(page.path.parent / match["to"]))
            if wrong := _wrong(guide, page.path, match["text"], target):
                yield line, f"[{match['text']}] does not lead {wrong}"


def _wrong(guide: Guide, source: Path, text: str, target: Path) -> str:
    """Return where a link should lead by its words; nothing if they fit its target."""
    step = _step(guide, target)
    words = plain(text)
    if (named := STEP.search(words)) and not step.startswith(f"Step {named[1]} "):
        return f"to Step {named[1]}"
    for said, distance in BESIDE.items():
        if re.fullmatch(rf"(?:the )?{said}(?:['’]s)?", words, re.IGNORECASE):
            order = [Path("docs", path) for path in guide.sections]
            place = order.index(source) + distance
            return "" if order[place : place + 1] == [target] else f"to the {said}"
    if spans := CODE.findall(text):
        there = _said(guide, target)
        missing = [s for s in spans if s.rpartition(".")[2] not in there]
        return f"to a page that has {missing[0]!r}" if missing else ""
    homes = guide.names.get(words.lower(), [])
    if homes and target not in homes:
        return f"to {homes[0]}"
    if source == GLOSSARY and not homes:
        own = [name for name, pages in guide.names.items() if target in pages]
        said_words = set(words.lower().split())
        if not any(said_words >= set(name.split()) for name in own):
            return f"to a page of that name, but to {target}"
    return ""


def _said(guide: Guide, path: Path) -> str:
    """Return what a page says and shows."""
    page = guide.read(path)
    shown = [
        line for listing in guide.listings.get(path, []) for line in listing.span.lines
    ]
    return "\n".join([*page.lines, *shown])


def _step(guide: Guide, path: Path) -> str:
    section = guide.sections.get(path.relative_to("docs").as_posix())
    return section.step if section else ""


def _numbers(guide: Guide) -> set[str]:
    return {step.split()[1] for step in guide.steps} or set("0123456789")
