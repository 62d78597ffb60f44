"""What the search has of each page, so that it finds explanations before code.

The theme's plugin takes pages apart at their headings. What stands in paragraphs and lists
stays the text of a section, of which results show a piece; tables, cards and captions are
searched as well, but not shown. Of programs only listings are searched: what one defines
is its title, and it has each of its words once. Other programs have their errors, which
readers look up. Each term of the glossary is an entry, and what a page explains is said
with the page.
"""

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import Any

from weave.guide import Guide, address_of
from weave.page import Page
from weave.prose.glossary import GLOSSARY, Term, glossary_of
from weave.text import plain

Entry = dict[str, Any]
# The theme ranks a page far above its sections, and lunr what says a name repeatedly.
PAGE, DEFINITION, LISTING = 0.5, 0.8, 0.2
ABOVE_A_TITLE = re.compile(r"<p>[^<]* (section|lab) \d+ of \d+</p>")
OPTION = re.compile(r"^  --([a-z-]+)", re.MULTILINE)  # in the help of a command
ERROR = re.compile(r"\b[A-Z]\w*Error\b")
PROGRAM = re.compile(r"<pre>.*?</pre>", re.DOTALL)
PROSE = re.compile(r"<(p|ul|ol)>.*?</\1>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")


def searchable(entries: list[Entry], guide: Guide) -> Iterator[Entry]:
    """Yield the entries of all pages, given those that the plugin has made."""
    terms = glossary_of(guide).terms
    for address, found in groupby(entries, lambda e: e["location"].partition("#")[0]):
        page, *sections = found
        if ABOVE_A_TITLE.fullmatch(page["text"]):
            title, *sections = sections
            page = {**title, "location": address}
        if address == address_of(GLOSSARY):
            sections = [_definition(term) for term in terms]
        names = [n for t in terms if address_of(t.home) == address for n in t.names]
        explained = " ".join(map(_joined, names))
        yield {"boost": PAGE, **_divided(page), "terms": explained}
        yield from map(_divided, sections)


def first_paragraph(page: Page) -> str:
    """Return what search engines and previews of links say of a page, without markup.

    A card and fences may stand above it.
    """
    found: list[str] = []
    for _, line in page.prose():
        if re.match(r"[^\W_]|[*_`\"“$\[(]|<data", line):
            found.append(line.strip())
        elif found:
            break
    return plain(" ".join(found))


def _definition(term: Term) -> Entry:
    return {
        "location": f"{address_of(GLOSSARY)}#{term.anchor}",
        "title": ", ".join(term.names),
        "text": f"<p>{escape(term.meaning, quote=False)}</p>",
        "boost": DEFINITION,
    }


def _divided(entry: Entry) -> Entry:
    if entry["location"].endswith("-code"):
        words = dict.fromkeys(re.findall(r"[^\W\d]\w+", TAG.sub("", entry["text"])))
        return {**entry, "text": "", "more": " ".join(words), "boost": LISTING}
    text = PROGRAM.sub(" ", entry["text"])
    prose = [
        match[0] for match in PROSE.finditer(text) if TAG.sub("", match[0]).strip()
    ]
    errors = dict.fromkeys(ERROR.findall(entry["text"]))
    more = [*TAG.sub(" ", PROSE.sub(" ", text)).split(), *errors]
    divided = {**entry, "text": "".join(prose), "more": " ".join(more)}
    if options := dict.fromkeys(
        _joined(f"option {name}") for name in OPTION.findall(entry["text"])
    ):
        divided["terms"] = " ".join(options)
    return divided


def _joined(name: str) -> str:
    """Return a name of several words as one, of which no single word is found."""
    return re.sub(r"\W+", "_", name)
