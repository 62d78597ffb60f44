"""What the search finds on each page: its entries, weighted so that explanations lead.

`web/runtime/search-query.ts` decides what the words of a reader's query match.

The theme's plug-in divides pages at their headings, with an entry for each section. Of a
section, `text` keeps its paragraphs and lists, of which results show a piece; `more` has
the words of tables, cards and captions, which are searched but not shown. The words of
listings are searched, too; of other code only the names of errors, which readers look up.
Each term of the glossary becomes an entry, and the names of the terms that a page explains
are added to the entry of the page.
"""

import re
from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import Any

from weave.guide import Guide, url_path
from weave.markdown_text import strip_markup
from weave.page import Page
from weave.prose.glossary import GLOSSARY_PATH, Term, load_glossary

SearchEntry = dict[str, Any]
# The theme ranks a page far above its sections, and lunr text that repeats a name.
PAGE_BOOST, TERM_BOOST, LISTING_BOOST = 0.5, 0.8, 0.2
SECTION_LABEL = re.compile(r"<p>[^<]* (section|lab) \d+ of \d+</p>")
COMMAND_LINE_OPTION = re.compile(r"^  --([a-z-]+)", re.MULTILINE)  # in a help text
ERROR_NAME = re.compile(r"\b[A-Z]\w*Error\b")
CODE_BLOCK = re.compile(r"<pre>.*?</pre>", re.DOTALL)
PROSE_ELEMENT = re.compile(r"<(p|ul|ol)>.*?</\1>", re.DOTALL)
HTML_TAG = re.compile(r"<[^>]*>")


def weight_entries(entries: list[SearchEntry], guide: Guide) -> Iterator[SearchEntry]:
    """Yield the entries of all pages, with their texts sorted into fields and a boost.

    The entries are those of the theme's plug-in: each page, followed by its sections.
    """
    terms = load_glossary(guide).terms
    for url, group in groupby(entries, lambda e: e["location"].partition("#")[0]):
        page, *sections = group
        if SECTION_LABEL.fullmatch(page["text"]):  # the title is the first section
            title, *sections = sections
            page = {**title, "location": url}
        if url == url_path(GLOSSARY_PATH):
            sections = [_build_term_entry(term) for term in terms]
        here = [term for term in terms if url_path(term.explaining_page) == url]
        explained = " ".join(_join_words(name) for term in here for name in term.names)
        yield {"boost": PAGE_BOOST, **_sort_text_into_fields(page), "terms": explained}
        yield from map(_sort_text_into_fields, sections)


def first_paragraph(page: Page) -> str:
    """Return the text of a page's first paragraph, for previews of links to the page.

    A card and fences may come before the paragraph.
    """
    lines: list[str] = []
    for _, line in page.prose_lines():
        if re.match(r"[^\W_]|[*_`\"“$\[(]|<data", line):
            lines.append(line.strip())
        elif lines:
            break
    return strip_markup(" ".join(lines))


def _build_term_entry(term: Term) -> SearchEntry:
    return {
        "location": f"{url_path(GLOSSARY_PATH)}#{term.anchor}",
        "title": ", ".join(term.names),
        "text": f"<p>{escape(term.definition, quote=False)}</p>",
        "boost": TERM_BOOST,
    }


def _sort_text_into_fields(entry: SearchEntry) -> SearchEntry:
    """Return an entry with its text sorted into `text`, `more` and `terms`."""
    if entry["location"].endswith("-code"):
        words = re.findall(r"[^\W\d]\w+", HTML_TAG.sub("", entry["text"]))
        more = " ".join(dict.fromkeys(words))
        return {**entry, "text": "", "more": more, "boost": LISTING_BOOST}
    text = CODE_BLOCK.sub(" ", entry["text"])
    elements = [match[0] for match in PROSE_ELEMENT.finditer(text)]
    prose = [element for element in elements if HTML_TAG.sub("", element).strip()]
    errors = dict.fromkeys(ERROR_NAME.findall(entry["text"]))
    more_words = [*HTML_TAG.sub(" ", PROSE_ELEMENT.sub(" ", text)).split(), *errors]
    sorted_entry = {**entry, "text": "".join(prose), "more": " ".join(more_words)}
    if options := dict.fromkeys(COMMAND_LINE_OPTION.findall(entry["text"])):
        terms = (_join_words(f"option {name}") for name in options)
        sorted_entry["terms"] = " ".join(terms)
    return sorted_entry


def _join_words(name: str) -> str:
    """Return a name of several words as one word, so that no part of it matches alone."""
    return re.sub(r"\W+", "_", name)
