"""The glossary: its terms, and where a page uses each of them first.

`docs/reference/glossary.md` is a definition list. A term is a line of names, separated
by commas; below it are one sentence and a link to the page that explains the term.
A name in italics has everyday meanings, so pages don't link it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path

from weave.errors import WeaveError
from weave.guide import Guide, cached_per_guide
from weave.markdown_text import extract_prose, strip_markup
from weave.page import Page

GLOSSARY_PATH = Path("docs/reference/glossary.md")
DEFINITION_LINE = re.compile(r":   ([^.]+\.) \[[^\]]+\]\(([^)#]+)(?:#[^)]+)?\)")
# Elements and tags in which no term is linked
UNLINKED_HTML = (
    r"<(?P<tag>a|code|pre|summary|h\d)\b.*?</(?P=tag)>"
    r"|<p class=.admonition-title.>.*?</p>|<[^>]+>"
)


@dataclass(frozen=True)
class Term:
    """A term of the glossary."""

    names: tuple[str, ...]  # the first is the main one
    linked_names: tuple[str, ...]  # those that pages link to the glossary
    definition: str  # one sentence, without Markdown
    explaining_page: Path
    line: int  # in the glossary

    @property
    def anchor(self) -> str:
        """The id of the term in the glossary's HTML."""
        return "-".join(re.findall(r"\w+", self.names[0].lower()))


class Glossary:
    """All terms of a guide, in the order of its glossary."""

    def __init__(self, guide: Guide) -> None:
        page = guide.pages.get(GLOSSARY_PATH)
        self.terms = [*_parse_terms(page)] if page else []
        pairs = [(name, term) for term in self.terms for name in term.linked_names]
        self._term_by_name = {_fold_case(name): term for name, term in pairs}
        names = _names_pattern(name for name, _ in pairs)
        self._pattern = re.compile(rf"{UNLINKED_HTML}|(?P<name>{names})", re.DOTALL)

    def link_first_uses(
        self, html: str, page: Page, url_of: Callable[[Term], str]
    ) -> str:
        """Link the first use of each term in a page's HTML to the address of its entry.

        Terms that the page itself explains are left alone.
        """
        unlinked = {term for term in self.terms if term.explaining_page != page.path}

        def link(match: re.Match[str]) -> str:
            name = _fold_case(match["name"] or "")
            singular = self._term_by_name.get(name[:-1])
            term = self._term_by_name.get(name) or singular
            if term not in unlinked:
                return match[0]
            unlinked.remove(term)
            attributes = f'href="{url_of(term)}" title="{escape(term.definition)}"'
            return f'<a class="term" {attributes}>{match[0]}</a>'

        return self._pattern.sub(link, html)


def check_explaining_pages(guide: Guide) -> Iterator[WeaveError]:
    """Yield errors for terms that the page which should explain them doesn't use."""
    for term in load_glossary(guide).terms:
        page = guide.pages.get(term.explaining_page)
        lines = [text for _, text in page.prose_lines()] if page else []
        prose = "\n".join(extract_prose(text) for text in lines if text[:1] != "#")
        if not re.search(_names_pattern(term.names), prose):
            yield WeaveError(
                f"the glossary says that {term.explaining_page.as_posix()} explains "
                f"{term.names[0]!r}, but that page does not use the term: link another "
                "page",
                GLOSSARY_PATH,
                term.line,
            )


def _parse_terms(page: Page) -> Iterator[Term]:
    defined_names: set[str] = set()
    for (line, text), (_, below) in pairwise(list(page.prose_lines())):
        if not below.startswith(":"):
            continue
        names = [name.strip() for name in text.split(",")]
        linked_names = tuple(name for name in names if "*" not in name)
        match = DEFINITION_LINE.fullmatch(below)
        if match is None:
            raise page.error(
                f"expected ':   One sentence. [Page](its-page.md)', got {below!r}",
                line + 1,
            )
        if not linked_names:
            raise page.error(
                f"all names of {text!r} are in italics, so no page could link them: "
                "write one without *",
                line,
            )
        all_names = tuple(name.strip("* ") for name in names)
        if repeated := defined_names.intersection(map(_fold_case, all_names)):
            raise page.error(
                f"{min(repeated)!r} is defined above already: remove one of the two",
                line,
            )
        defined_names.update(map(_fold_case, all_names))
        explaining_page = Path(os.path.normpath(page.path.parent / match[2]))
        definition = strip_markup(match[1])
        yield Term(all_names, linked_names, definition, explaining_page, line)


def _fold_case(name: str) -> str:
    """Return a name as it is looked up: on one line, and `Token` as `token`."""
    name = " ".join(name.split())
    return name if name[1:] != name[1:].lower() else name.lower()


def _names_pattern(names: Iterable[str]) -> str:
    """Return a pattern for names as prose may write them; longer ones match first."""
    longest_first = sorted(names, key=len, reverse=True)
    alternatives = "|".join(map(_name_pattern, longest_first)) or r"(?!)"
    return rf"(?<![\w-])(?:{alternatives})(?![\w-])"


def _name_pattern(name: str) -> str:
    """Return a pattern for a name, also over two lines, as a plural or capitalized."""
    words = r"\s+".join(re.escape(word) for word in name.split())
    first = name[0]
    if name.islower():
        words = f"[{first}{first.upper()}]{words[1:]}"
    return f"{words}s?"


@cached_per_guide
def load_glossary(guide: Guide) -> Glossary:
    """Return the glossary of a guide, which is empty if the guide has none."""
    return Glossary(guide)
