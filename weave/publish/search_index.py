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

from weave.guide import Guide, url_path
from weave.markdown_text import strip_markup
from weave.page import Page
from weave.prose.glossary import GLOSSARY, Term, glossary_of

Entry = dict[str, Any]
# The theme ranks a page far above its sections, and lunr what says a name repeatedly.
PAGE_BOOST, TERM_BOOST, LISTING_BOOST = 0.5, 0.8, 0.2
SECTION_LABEL = re.compile(r"<p>[^<]* (section|lab) \d+ of \d+</p>")
OPTION_IN_HELP = re.compile(r"^  --([a-z-]+)", re.MULTILINE)  # in the help of a command
ERROR_NAME = re.compile(r"\b[A-Z]\w*Error\b")
CODE_BLOCK = re.compile(r"<pre>.*?</pre>", re.DOTALL)
PROSE_ELEMENT = re.compile(r"<(p|ul|ol)>.*?</\1>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")


def rank_entries(entries: list[Entry], guide: Guide) -> Iterator[Entry]:
    """Yield the entries of all pages, given those that the plugin has made."""
    terms = glossary_of(guide).terms
    for address, found in groupby(entries, lambda e: e["location"].partition("#")[0]):
        page, *sections = found
        if SECTION_LABEL.fullmatch(page["text"]):
            title, *sections = sections
            page = {**title, "location": address}
        if address == url_path(GLOSSARY):
            sections = [_term_entry(term) for term in terms]
        names = [n for t in terms if url_path(t.home) == address for n in t.names]
        explained = " ".join(map(_join_words, names))
        yield {"boost": PAGE_BOOST, **_split_entry_text(page), "terms": explained}
        yield from map(_split_entry_text, sections)


def first_paragraph(page: Page) -> str:
    """Return what search engines and previews of links say of a page, without markup.

    A card and fences may stand above it.
    """
    found: list[str] = []
    for _, line in page.prose_lines():
        if re.match(r"[^\W_]|[*_`\"“$\[(]|<data", line):
            found.append(line.strip())
        elif found:
            break
    return strip_markup(" ".join(found))


def _term_entry(term: Term) -> Entry:
    return {
        "location": f"{url_path(GLOSSARY)}#{term.anchor}",
        "title": ", ".join(term.names),
        "text": f"<p>{escape(term.meaning, quote=False)}</p>",
        "boost": TERM_BOOST,
    }


def _split_entry_text(entry: Entry) -> Entry:
    if entry["location"].endswith("-code"):
        words = dict.fromkeys(re.findall(r"[^\W\d]\w+", TAG.sub("", entry["text"])))
        return {**entry, "text": "", "more": " ".join(words), "boost": LISTING_BOOST}
    text = CODE_BLOCK.sub(" ", entry["text"])
    prose = [
        match[0]
        for match in PROSE_ELEMENT.finditer(text)
        if TAG.sub("", match[0]).strip()
    ]
    errors = dict.fromkeys(ERROR_NAME.findall(entry["text"]))
    more = [*TAG.sub(" ", PROSE_ELEMENT.sub(" ", text)).split(), *errors]
    divided = {**entry, "text": "".join(prose), "more": " ".join(more)}
    if options := dict.fromkeys(
        _join_words(f"option {name}") for name in OPTION_IN_HELP.findall(entry["text"])
    ):
        divided["terms"] = " ".join(options)
    return divided


def _join_words(name: str) -> str:
    """Return a name of several words as one, of which no single word is found."""
    return re.sub(r"\W+", "_", name)
