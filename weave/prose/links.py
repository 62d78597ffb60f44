"""Links: each must lead to a page that exists, and to the one that its text names."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from weave.errors import WeaveError
from weave.fences import prose_lines
from weave.guide import Guide
from weave.markdown_text import CODE_SPAN, extract_prose, strip_markup
from weave.nontrivial_numbers import GUIDE_STEP_REFERENCE
from weave.page import Page

# A link within the guide: its text, and the path that it leads to
INTERNAL_LINK = re.compile(
    r"(?:\[([^\[\]]+))?\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)"
)
NEXT_PREFIX = "Next: "  # begins the line that links the next page


def check_links(guide: Guide, page: Page) -> Iterator[WeaveError]:
    """Yield an error for each wrong link to a file or page, and each unknown step."""
    if guide.navigation and not (page.is_lab or guide.navigation_entry(page.path)):
        yield page.error(
            "this page is not in the navigation: add it to nav in mkdocs.yml", 1
        )
    titles = (entry.step_title.split() for entry in guide.navigation.values())
    steps = {words[1] for words in titles if words[:1] == ["Step"]} or {*"0123456789"}
    for line, text in prose_lines(page):
        for match in GUIDE_STEP_REFERENCE.finditer(extract_prose(text)):
            if unknown := {*re.findall(r"\d+", match[0])} - steps:
                yield page.error(
                    f"there is no Step {min(unknown)}: expected one of Steps "
                    f"{min(steps)} to {max(steps)}",
                    line,
                )
        for match in INTERNAL_LINK.finditer(CODE_SPAN.sub(" ", text)):
            if text.startswith(NEXT_PREFIX):
                yield page.error(
                    f"expected '{NEXT_PREFIX}' and a question without a link: the "
                    "build links the next page of the navigation",
                    line,
                )
            target = Path(os.path.normpath(page.path.parent / match[2]))
            if not (guide.root / target).is_file():
                yield page.error(
                    f"the link leads to {match[2]}, but there is no file "
                    f"{target.as_posix()}",
                    line,
                )
            elif named := _find_other_named_target(guide, match[1] or "", target):
                yield page.error(
                    f"the link [{match[1]}] leads to {target.as_posix()}, not to {named}: "
                    "change the path or the text",
                    line,
                )


def _find_other_named_target(guide: Guide, link_text: str, target: Path) -> str:
    """Return the page or step that a link's text names, or "" if it is the target."""
    entry = guide.navigation_entry(target) if target.is_relative_to("docs") else None
    step_title = entry.step_title if entry else ""
    link_text = strip_markup(link_text)
    step = re.search(r"\bSteps?\s(\d)", link_text)
    if step and not step_title.startswith(f"Step {step[1]} "):
        return f"Step {step[1]}"
    pages = guide.page_paths_by_title.get(link_text.lower(), [])
    return pages[0].as_posix() if pages and target not in pages else ""
