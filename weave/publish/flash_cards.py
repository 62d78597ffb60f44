"""A deck of cards for Anki, from the questions of the companion pages.

A paragraph that begins with a question in bold is a card. Cards have no text besides the
pages', so a check of the pages checks the cards.
"""

import hashlib
import html
import io
import os
import re
import time
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin
from zlib import crc32

import genanki
from markdown import markdown

from weave.files import write_if_changed
from weave.guide import Guide, url_path
from weave.markdown_text import INLINE_FORMULA, replace_outside_code
from weave.page import Page

DECK_PATH = Path("docs", "downloads", "microgpt.apkg")
PREVIEW_ADDRESS = "http://127.0.0.1:8000/"  # where `mkdocs serve` shows the guide
QUESTION = re.compile(r"\*\*(?P<question>.+?\?)\*\* (?P<answer>.+)")
# The target of a link within the site: a file, or nothing for this page, then an anchor
PAGE_LINK = re.compile(r"(?<=\]\()(?!\w+:)([^)#]*)(#[^)]*)?(?=\))")
CHECKED_NUMBER_TAG = re.compile(r"""</?(?:data|span)\b(?:"[^"]*"|'[^']*'|[^>"'])*>""")
FRONT = '<p class="page">{{Step}}: {{Page}}</p>{{Question}}'
BACK = (
    '{{FrontSide}}<hr id="answer">{{Answer}}<p><a href="{{Address}}">{{Page}}</a></p>'
)
STYLES = """\
.card { max-width: 34em; margin: 1em auto; padding: 0 1em; font: 20px/1.5 serif; }
.page { font-size: 70%; }
"""


class FlashCard(NamedTuple):
    """A question and its answer, as HTML with formulas for MathJax."""

    question: str
    answer: str
    step: str  # of the page that the card is about, such as `Step 3 · Attention`
    address: str  # of that page
    page: str  # its title in the menu


def make_cards(guide: Guide) -> Iterator[FlashCard]:
    """Yield the cards of all companion pages, in the order of the navigation.

    Raises:
        WeaveError: A section has a title that no page of its step has in the menu, or an
            answer does not end within its paragraph.
    """
    for path, page in guide.pages.items():
        if path.parent == Path("docs", "companion"):
            yield from _make_cards_of_step(guide, page)


def _make_cards_of_step(guide: Guide, companion: Page) -> Iterator[FlashCard]:
    steps_and_addresses = {
        entry.menu_title: (entry.step_title, _address(path))
        for path in guide.page_paths
        if path.parent.name == companion.path.stem
        and (entry := guide.navigation_entry(path))
    }
    title = ""
    for number, line in companion.prose_lines():
        if line.startswith("## "):
            title = line.removeprefix("## ")
        match = QUESTION.fullmatch(line)
        if (match or line.startswith("## ")) and title not in steps_and_addresses:
            message = f"expected the menu's title of a page of the step, got '{title}'"
            raise companion.error(message, number)
        if not match:
            continue
        if match["answer"].endswith(":"):
            message = "expected an answer that ends with its paragraph"
            raise companion.error(message, number)
        step, address = steps_and_addresses[title]
        question, answer = (
            _render(text, companion.path) for text in match.group("question", "answer")
        )
        yield FlashCard(question, answer, step, address, title)


def _address(path: Path) -> str:
    """Return the address of a page on the site, or in a preview if no site is known."""
    return urljoin(os.environ.get("SITE_URL") or PREVIEW_ADDRESS, url_path(path))


def _render(text: str, path: Path) -> str:
    """Return Markdown of a page as HTML, with absolute links and formulas for MathJax."""
    formulas: list[str] = []

    def stash_formula(formula: re.Match[str]) -> str:
        formulas.append(rf"\({html.escape(formula[0].strip('$'), quote=False)}\)")
        return f"formula{len(formulas) - 1}end"

    def make_absolute(link: re.Match[str]) -> str:
        target = Path(os.path.normpath(path.parent / link[1])) if link[1] else path
        return _address(target) + (link[2] or "")

    text = replace_outside_code(INLINE_FORMULA, stash_formula, text)
    text = PAGE_LINK.sub(make_absolute, CHECKED_NUMBER_TAG.sub("", text))
    rendered = markdown(text).removeprefix("<p>").removesuffix("</p>")
    return re.sub(r"formula(\d+)end", lambda m: formulas[int(m[1])], rendered)


def write_deck(guide: Guide) -> None:
    """Write the deck, unless the file that is there has the same cards.

    The same cards and SOURCE_DATE_EPOCH give the same bytes. A note's identity is its step
    and question, so an import of a later deck changes the answers of notes that a reader
    already has and keeps what Anki knows about them.
    """
    cards = list(make_cards(guide))
    path = guide.root / DECK_PATH
    if not cards:
        path.unlink(missing_ok=True)
        return
    digest = hashlib.sha256(repr(cards).encode()).hexdigest().encode()
    with suppress(OSError, zipfile.BadZipFile), zipfile.ZipFile(path) as present:
        if present.comment == digest:
            return
    name = str(guide.mkdocs_settings["site_name"])
    model = genanki.Model(
        crc32(name.encode()),
        name,
        fields=[{"name": field.capitalize()} for field in FlashCard._fields],
        templates=[{"name": "Card", "qfmt": FRONT, "afmt": BACK}],
        css=STYLES,
    )
    decks: dict[str, genanki.Deck] = {}
    for card in cards:
        deck_name = f"{name}::{card.step}"
        deck = genanki.Deck(crc32(deck_name.encode()), deck_name)
        note_id = genanki.guid_for(card.step, card.question)
        note = genanki.Note(
            model,
            list(card),
            guid=note_id,
            tags=[card.step.partition(" ·")[0].replace(" ", "-")],
        )
        decks.setdefault(card.step, deck).add_note(note)
    # Anki takes over a change of a note that is newer than what it has.
    timestamp = float(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    archive = io.BytesIO()
    genanki.Package([*decks.values()]).write_to_file(archive, timestamp)
    deck_file = io.BytesIO()
    with (
        zipfile.ZipFile(archive) as dated,
        zipfile.ZipFile(deck_file, "w", zipfile.ZIP_DEFLATED) as undated,
    ):
        for name in dated.namelist():
            undated.writestr(
                zipfile.ZipInfo(name), dated.read(name), zipfile.ZIP_DEFLATED
            )
        undated.comment = digest
    write_if_changed(path, deck_file.getvalue())
