"""Links that say where they lead: each must lead to the page that it names."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from weave.findings import Finding, Results
from weave.guide import Guide
from weave.kinds import lines
from weave.page import Page
from weave.text import CODE_SPAN, STEPS, plain, prose_of

LINK = re.compile(r"(?:\[([^\[\]]+))?\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)")
NEXT = "Next: "


def check(guide: Guide, page: Page, results: Results) -> Iterator[Finding]:
    """Find links that lead nowhere, or elsewhere than they say, and steps not there."""
    if guide.sections and not (page.is_lab or guide.section(page.path)):
        yield page.error("is not in the navigation: add it to nav in mkdocs.yml", 1)
    named = (section.step.split() for section in guide.sections.values())
    steps = {step[1] for step in named if step[:1] == ["Step"]}
    for line, text in lines(page):
        for match in STEPS.finditer(prose_of(text)):
            if unknown := {*re.findall(r"\d+", match[0])} - (steps or {*"0123456789"}):
                yield page.error(f"there is no Step {min(unknown)}", line)
        for match in LINK.finditer(CODE_SPAN.sub(" ", text)):
            if text.startswith(NEXT):
                what = f"write '{NEXT}' and the question: where it leads is computed"
                yield page.error(what, line)
            target = Path(os.path.normpath(page.path.parent / match[2]))
            if not (guide.root / target).is_file():
                yield page.error(f"{match[2]} is no page or file", line)
            elif wrong := _wrong(guide, plain(match[1] or ""), target):
                yield page.error(f"[{match[1]}] does not lead {wrong}", line)


def _wrong(guide: Guide, text: str, target: Path) -> str:
    """Return where a link should lead by its words; nothing if they fit its target."""
    section = guide.section(target) if target.is_relative_to("docs") else None
    step = section.step if section else ""
    named = re.search(r"\bSteps?\s(\d)", text)
    if named and not step.startswith(f"Step {named[1]} "):
        return f"to Step {named[1]}"
    homes = guide.names.get(text.lower(), [])
    return f"to {homes[0]}" if homes and target not in homes else ""
