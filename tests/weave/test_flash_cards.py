"""Anki imports the deck of cards, and a later deck changes what it has."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from anki.collection import (
    Collection,
    ImportAnkiPackageOptions,
    ImportAnkiPackageRequest,
)

from tests.built_site import Site
from tests.weave.conftest import Project
from weave.errors import WeaveError
from weave.guide import Guide
from weave.publish.flash_cards import DECK_PATH, PREVIEW_ADDRESS, make_cards, write_deck

COMPANION = "# A companion\n\n## First page\n\n"


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    collection = Collection(str(tmp_path / "collection.anki2"))
    yield collection
    collection.close()


@pytest.fixture
def step_two(project: Project) -> Project:
    """A project with a page and a companion that a test writes."""
    settings = "nav:\n  - Step 2 · Two:\n      - First page: two/first.md\n"
    project.write("mkdocs.yml", f"site_name: Test\n{settings}")
    project.write("docs/two/first.md", "# First\n")
    return project


def import_deck(collection: Collection, deck: Path) -> list[tuple[str, str]]:
    """Import a deck, and return the questions and answers of all notes."""
    options = ImportAnkiPackageOptions(merge_notetypes=True)
    request = ImportAnkiPackageRequest(package_path=str(deck), options=options)
    collection.import_anki_package(request)
    notes = [collection.get_note(note) for note in collection.find_notes("")]
    return [(note["Question"], note["Answer"]) for note in notes]


def test_anki_imports_a_card_for_each_question(
    collection: Collection, site: Site, guide: Guide
) -> None:
    cards = list(make_cards(guide))
    notes = import_deck(collection, site.folder / DECK_PATH.relative_to("docs"))
    assert len(notes) >= 200
    assert sorted(notes) == sorted((card.question, card.answer) for card in cards)
    decks = {deck.name for deck in collection.decks.all_names_and_ids()}
    assert decks > {f"{guide.mkdocs_settings['site_name']}::{c.step}" for c in cards}
    for card in map(collection.get_card, collection.find_cards("")):
        (address,) = re.findall('<p><a href="([^"]+)">[^<]+</a></p>$', card.answer())
        page = site.folder / address.removeprefix(PREVIEW_ADDRESS) / "index.html"
        assert page.is_file()


def test_cards_have_formulas_for_mathjax_and_no_markdown(guide: Guide) -> None:
    texts = [text for card in make_cards(guide) for text in card[:2]]
    assert any(r"\(" in text for text in texts)
    for text in texts:
        html = re.sub(r"<code>.*?</code>|\\\(.*?\\\)", "", text)
        assert not re.search(r"[$`]|\*\*|\]\(|<(?:data|span)|\\\(|formula\d", html), (
            text
        )


def test_question_becomes_a_card_with_checked_number_and_link(
    step_two: Project,
) -> None:
    step_two.write(
        "docs/companion/two.md",
        f"{COMPANION}**What's *x*?** <data value='1 + (1 > 0)'>2</data>, or $a_i < b$: "
        "[here](../two/first.md#x).\n\n**Not a question.** No card.\n",
    )
    (card,) = make_cards(step_two.guide)
    address = f"{PREVIEW_ADDRESS}two/first/"
    link = f'<a href="{address}#x">here</a>'
    assert card == (
        "What's <em>x</em>?",
        rf"2, or \(a_i &lt; b\): {link}.",
        "Step 2 · Two",
        address,
        "First page",
    )


def test_later_deck_changes_the_answers_of_its_notes(
    step_two: Project, collection: Collection
) -> None:
    deck = step_two.root / DECK_PATH
    for answer in ("Early.", "Late."):
        step_two.write("docs/companion/two.md", f"{COMPANION}**When?** {answer}\n")
        write_deck(step_two.guide)
        if answer == "Late.":
            assert collection.db
            collection.db.execute("update notes set mod = mod - 60")  # an earlier day
        assert import_deck(collection, deck) == [("When?", answer)]


def test_unchanged_cards_are_not_written_again(step_two: Project) -> None:
    step_two.write("docs/companion/two.md", f"{COMPANION}**When?** Now.\n")
    write_deck(step_two.guide)
    before = (step_two.root / DECK_PATH).stat().st_mtime_ns
    write_deck(step_two.guide)
    assert (step_two.root / DECK_PATH).stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("## Second page\n", "3: expected the menu's title of a page of the step"),
        ("**Why?** Because.\n", "3: expected the menu's title of a page of the step"),
        (
            f"{COMPANION[15:]}**Why?** Because:\n",
            "5: expected an answer that ends with",
        ),
    ],
)
def test_mistake_in_a_companion_has_its_line(
    text: str, message: str, step_two: Project
) -> None:
    step_two.write("docs/companion/two.md", f"# A companion\n\n{text}")
    with pytest.raises(WeaveError, match=message):
        list(make_cards(step_two.guide))
