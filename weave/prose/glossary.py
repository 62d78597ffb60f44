"""The glossary: its terms, and where a page uses each of them first.

`docs/reference/glossary.md` is a definition list. A term is a line of names, separated
by commas; below it stand one sentence and a link to the page that explains the term.
A name in italics has everyday meanings, and is not marked where pages use it.
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
from weave.markdown_text import remove_non_prose, strip_markup
from weave.page import Page

GLOSSARY = Path("docs/reference/glossary.md")
DEFINITION = re.compile(
    r":   (?P<sentence>[^.]+\.) \[[^\]]+\]\((?P<home>[^)#]+)(?:#[^)]+)?\)"
)
# Elements and tags in which no term is marked
UNMARKED = (
    r"<(?P<tag>a|code|pre|summary|h\d)\b.*?</(?P=tag)>"
    r"|<p class=.admonition-title.>.*?</p>|<[^>]+>"
)


@dataclass(frozen=True)
class Term:
    """A term: its names, what it means, and the page that explains it."""

    names: tuple[str, ...]
    marked: tuple[str, ...]  # those of its names that pages mark
    meaning: str  # one sentence, without Markdown
    home: Path
    line: int

    @property
    def anchor(self) -> str:
        """The id of the term in the glossary."""
        return "-".join(re.findall(r"\w+", self.names[0].lower()))


class Glossary:
    """All terms, in the order of the alphabet."""

    def __init__(self, guide: Guide) -> None:
        there = GLOSSARY in guide.page_paths
        self.terms = list(_read(guide.read_page(GLOSSARY))) if there else []
        marked = [(name, term) for term in self.terms for name in term.marked]
        self._by_name = {_folded(name): term for name, term in marked}
        names = _any_of(name for name, _ in marked)
        self._uses = re.compile(rf"{UNMARKED}|(?P<name>{names})", re.DOTALL)

    def mark(self, html: str, page: Page, link: Callable[[Term], str]) -> str:
        """Link the first use of each term, except on the page that explains it."""
        waiting = {term for term in self.terms if term.home != page.path}

        def linked(use: re.Match[str]) -> str:
            name = _folded(use["name"] or "")
            term = self._by_name.get(name) or self._by_name.get(name[:-1])
            if term not in waiting:
                return use[0]
            waiting.remove(term)
            title = escape(term.meaning)
            return f'<a class="term" href="{link(term)}" title="{title}">{use[0]}</a>'

        return self._uses.sub(linked, html)


def examine(guide: Guide) -> Iterator[WeaveError]:
    """Find terms that the page said to explain them does not use."""
    for term in glossary_of(guide).terms:
        home = guide.pages.get(term.home)
        lines = (
            (text for _, text in home.prose_lines() if text[:1] != "#") if home else ()
        )
        if not re.search(_any_of(term.names), "\n".join(map(remove_non_prose, lines))):
            what = f"{term.home}, said to explain {term.names[0]!r}, does not use it"
            yield WeaveError(what, GLOSSARY, term.line)


def _read(page: Page) -> Iterator[Term]:
    known: set[str] = set()
    for (line, said), (_, below) in pairwise(list(page.prose_lines())):
        if not below.startswith(":"):
            continue
        names = [name.strip() for name in said.split(",")]
        marked = tuple(name for name in names if "*" not in name)
        match = DEFINITION.fullmatch(below)
        if match is None or not marked:
            what = "below a name that pages can mark, write a definition as "
            raise page.error(f"{what}':   One sentence. [Page](its-page.md)'", line + 1)
        all_names = tuple(name.strip("* ") for name in names)
        if again := known.intersection(map(_folded, all_names)):
            raise page.error(f"{min(again)!r} is defined above already", line)
        known.update(map(_folded, all_names))
        home = Path(os.path.normpath(page.path.parent / match["home"]))
        yield Term(all_names, marked, strip_markup(match["sentence"]), home, line)


def _folded(name: str) -> str:
    """Return a name as it is looked up: on one line, and `Token` as `token`."""
    name = " ".join(name.split())
    return name if name[1:] != name[1:].lower() else name.lower()


def _any_of(names: Iterable[str]) -> str:
    """Return a pattern for names as prose may write them; of two, the longer."""
    longest_first = sorted(names, key=len, reverse=True)
    alternatives = "|".join(map(_spellings, longest_first)) or r"(?!)"
    return rf"(?<![\w-])(?:{alternatives})(?![\w-])"


def _spellings(name: str) -> str:
    """Return a pattern for a name: over two lines, as a plural, to begin a sentence."""
    words = r"\s+".join(re.escape(word) for word in name.split())
    first = name[0]
    if name.islower():
        words = f"[{first}{first.upper()}]{words[1:]}"
    return f"{words}s?"


glossary_of = cached_per_guide(Glossary)  # the glossary of a guide
