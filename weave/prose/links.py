"""Links that say where they lead: each must lead to the page that it names."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from weave.corrections import Finding
from weave.fences import prose_lines
from weave.guide import Guide
from weave.markdown_text import CODE_SPAN, remove_non_prose, strip_markup
from weave.number_claims import STEP_REFERENCE
from weave.page import Page
from weave.results import RunResults

LINK = re.compile(r"(?:\[([^\[\]]+))?\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)")
NEXT = "Next: "


def check(guide: Guide, page: Page, results: RunResults) -> Iterator[Finding]:
    """Find links that lead nowhere, or elsewhere than they say, and steps not there."""
    if guide.navigation and not (page.is_lab or guide.navigation_entry(page.path)):
        yield page.error("is not in the navigation: add it to nav in mkdocs.yml", 1)
    named = (section.step_title.split() for section in guide.navigation.values())
    steps = {step[1] for step in named if step[:1] == ["Step"]}
    for line, text in prose_lines(page):
        for match in STEP_REFERENCE.finditer(remove_non_prose(text)):
            if unknown := {*re.findall(r"\d+", match[0])} - (steps or {*"0123456789"}):
                yield page.error(f"there is no Step {min(unknown)}", line)
        for match in LINK.finditer(CODE_SPAN.sub(" ", text)):
            if text.startswith(NEXT):
                what = f"write '{NEXT}' and the question: where it leads is computed"
                yield page.error(what, line)
            target = Path(os.path.normpath(page.path.parent / match[2]))
            if not (guide.root / target).is_file():
                yield page.error(f"{match[2]} is no page or file", line)
            elif wrong := _wrong(guide, strip_markup(match[1] or ""), target):
                yield page.error(f"[{match[1]}] does not lead {wrong}", line)


def _wrong(guide: Guide, text: str, target: Path) -> str:
    """Return where a link should lead by its words; nothing if they fit its target."""
    section = guide.navigation_entry(target) if target.is_relative_to("docs") else None
    step = section.step_title if section else ""
    named = re.search(r"\bSteps?\s(\d)", text)
    if named and not step.startswith(f"Step {named[1]} "):
        return f"to Step {named[1]}"
    homes = guide.page_paths_by_name.get(text.lower(), [])
    return f"to {homes[0]}" if homes and target not in homes else ""
