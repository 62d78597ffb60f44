"""What the search finds on each page: its entries, weighted so that explanations lead.

`web/runtime/search-query.ts` ranks what is found for a reader's query.

The theme's plug-in divides pages at their headings, with an entry for each section. Of a
section, `text` keeps its paragraphs and lists, of which results show a piece; `more` has
the words of tables, cards and captions, which are searched but not shown. The words of
listings are searched, too; of other code only the names of errors, which readers look up.
Each term of the glossary becomes an entry. The `terms` of a page are phrases that compete
with titles: its title in the menu, what it sets in bold, the terms of the glossary that it
explains, and what readers call its topic, which `web/search-phrases.yml` lists.
"""

import re
from collections import Counter
from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml

from weave.errors import WeaveError
from weave.guide import Guide, url_path
from weave.markdown_text import strip_markup
from weave.page import Page
from weave.prose.glossary import GLOSSARY_PATH, Term, load_glossary

SearchEntry = dict[str, Any]
SEARCH_PHRASES_PATH = Path("web", "search-phrases.yml")
# The theme ranks a page far above its sections, and lunr text that repeats a name.
PAGE_BOOST, TERM_BOOST, LISTING_BOOST = 0.5, 0.8, 0.2
# How much a title counts on pages that repeat what a chapter explains, by how the location
# begins, and that of a listing
TITLE_RANKS = {
    "reference/questions/": 0.95,
    "reference/": 0.8,
    "companion/": 0.6,
}
LISTING_RANK = 0.8
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
    phrases = _read_phrases(guide)
    for url, group in groupby(entries, lambda e: e["location"].partition("#")[0]):
        page, *sections = group
        if SECTION_LABEL.fullmatch(page["text"]):  # the title is the first section
            title, *sections = sections
            page = {**title, "location": url}
        if url == url_path(GLOSSARY_PATH):
            sections = [_build_term_entry(term) for term in terms]
        ranks = (rank for start, rank in TITLE_RANKS.items() if url.startswith(start))
        rank = {"rank": next(ranks, 1)}
        here = "; ".join(phrases.get(url, []))
        yield {
            "boost": PAGE_BOOST,
            **_sort_text_into_fields(page),
            **rank,
            "terms": here,
        }
        yield from (rank | _sort_text_into_fields(section) for section in sections)


def _read_phrases(guide: Guide) -> dict[str, list[str]]:
    """Return the phrases that readers may type for each page, by the page's location.

    Raises:
        WeaveError: The file of phrases names a page that does not exist.
    """
    text = guide.read_text(SEARCH_PHRASES_PATH)
    listed = {Path("docs", name): words for name, words in yaml.safe_load(text).items()}
    pages = {
        path: guide.read_page(path) for path in [*guide.page_paths, *guide.lab_paths]
    }
    if unknown := listed.keys() - pages.keys():
        names = ", ".join(sorted(path.as_posix() for path in unknown))
        raise WeaveError(f"no page has the path {names}", SEARCH_PHRASES_PATH)
    bold = {path: {*_bold_phrases(page)} for path, page in pages.items()}
    page_counts = Counter(phrase for phrases in bold.values() for phrase in phrases)
    phrases: dict[Path, list[str]] = {}
    for path in pages:
        entry = guide.navigation_entry(path)
        phrases[path] = [entry.menu_title] if entry else []
        if entry and entry.number == 1 and " · " in entry.step_title:
            phrases[path] += entry.step_title.split(" · ")
        phrases[path] += listed.get(path, [])
        # What many pages have, such as "In a production model", is about none of them.
        phrases[path] += sorted(
            phrase for phrase in bold[path] if page_counts[phrase] < 4
        )
    for term in load_glossary(guide).terms:
        phrases[term.explaining_page] += map(_split_compound, term.names)
    return {url_path(path): found for path, found in phrases.items()}


def _bold_phrases(page: Page) -> Iterator[str]:
    """Yield what a page sets in bold: the terms that it introduces, and its questions."""
    for _, line in page.prose_lines():
        for match in re.finditer(r"\*\*(?=\w)([^*]+(?:\*[^*]+\*[^*]*)*)\*\*", line):
            yield strip_markup(match[1]).replace(";", ",")


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
        listing = {"boost": LISTING_BOOST, "rank": LISTING_RANK}
        return {**entry, "text": "", "more": more, **listing}
    text = CODE_BLOCK.sub(" ", entry["text"])
    elements = [match[0] for match in PROSE_ELEMENT.finditer(text)]
    prose = [element for element in elements if HTML_TAG.sub("", element).strip()]
    errors = dict.fromkeys(ERROR_NAME.findall(entry["text"]))
    more_words = [*HTML_TAG.sub(" ", PROSE_ELEMENT.sub(" ", text)).split(), *errors]
    sorted_entry = {**entry, "text": "".join(prose), "more": " ".join(more_words)}
    if options := dict.fromkeys(COMMAND_LINE_OPTION.findall(entry["text"])):
        sorted_entry["terms"] = "; ".join(f"option {name}" for name in options)
    return sorted_entry


def _split_compound(name: str) -> str:
    """Return `FlashAttention` as `Flash Attention`, so that each of its words is found."""
    return re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", name)
