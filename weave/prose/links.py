"""Links that say where they lead: each must lead to the page that it names."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from weave.findings import Finding, Results
from weave.guide import Guide
from weave.kinds.listing import Listing
from weave.page import Page
from weave.prose.prose import Prose, lines
from weave.text import CODE_SPAN, STEPS, plain, prose_of

LINK = re.compile(
    r"\[(?P<text>[^\[\]]+)\]\((?P<to>[^)#\s]+\.(?:md|ipynb))(?:#(?P<anchor>[^)]*))?\)"
)
RELATIVE = re.compile(r"\]\((?!https?:|mailto:|#)(?P<to>[^)#\s]+)(?:#[^)]*)?\)")
NEXT = "Next: "
STEP = re.compile(r"\bSteps?\s(\d)")
CODE = re.compile(r"`([^`]+)`")
BESIDE = {"next page": 1, "page before": -1}


class Links(Prose):
    """Each link leads somewhere, and to the page that its words name."""

    def check(self, guide: Guide, page: Page, results: Results) -> Iterator[Finding]:
        """Find links that lead nowhere, or elsewhere than they say."""
        if guide.sections and not (page.is_lab or guide.section(page.path)):
            yield page.error("is not in the navigation: add it to nav in mkdocs.yml", 1)
        for line, text in lines(page):
            for match in RELATIVE.finditer(CODE_SPAN.sub(" ", text)):
                target = Path(os.path.normpath(page.path.parent / match["to"]))
                if not (guide.root / target).is_file():
                    yield page.error(f"{match['to']} is no page or file", line)
            if text.startswith(NEXT) and LINK.search(text):
                what = f"write '{NEXT}' and the question: where it leads is computed"
                yield page.error(what, line)
            for match in STEPS.finditer(prose_of(text)):
                if unknown := {*re.findall(r"\d+", match[0])} - _numbers(guide):
                    yield page.error(f"there is no Step {min(unknown)}", line)
            for match in LINK.finditer(text):
                target = Path(os.path.normpath(page.path.parent / match["to"]))
                if not (guide.root / target).is_file():
                    continue  # which is told above
                if wrong := _wrong(guide, page.path, match["text"], target):
                    what = f"[{match['text']}] does not lead {wrong}"
                    yield page.error(what, line)


def _wrong(guide: Guide, source: Path, text: str, target: Path) -> str:
    """Return where a link should lead by its words; nothing if they fit its target.

    A link names a page by its title or its place in the menu, by "Step 2" or "next
    page", or by a name in code, which the page must then have.
    """
    section = guide.section(target) if target.is_relative_to("docs") else None
    step = section.step if section else ""
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
    return f"to {homes[0]}" if homes and target not in homes else ""


def _said(guide: Guide, path: Path) -> str:
    """Return what a page says and shows."""
    page = guide.read(path)
    shown = [x for each in Listing.on(page) for x in each.span(guide).lines]
    return "\n".join([*page.lines, *shown])


def _numbers(guide: Guide) -> set[str]:
    return {step.split()[1] for step in guide.steps} or set("0123456789")
