"""Numbers in rows of steps are of those steps; those of the original, of their columns."""

import re

import pytest

from tests.tables import label, tables
from weave.guide import Guide
from weave.text import DATA

STEP = re.compile(r"'step(\d)'")
# Steps whose models learn the same numbers, so that one record stands for both
SAME = {"2": "1", "6": "5"}
COLUMNS = {
    "first": r"\['published'\]\['step\d'\]\[0\]|\['first'\]",
    "last": r"\['published'\]\['step\d'\]\[1\]|\['last'\]",
    "theirs": r"\['(?:published|theirs)'\]",
    "ours": r"^(?!.*'(?:published|theirs)')",
    "held": r"held.out",
    "mean": r"last_100|sum\(",
}


def strangers(text: str) -> list[str]:
    """Return the cells whose expression is about another step or column than theirs."""
    found = []
    for head, *rows in tables(text):
        columns = [set(re.findall("[a-z]+", label(cell))) for cell in head]
        for row in rows:
            said = re.match(r"Steps?\D+(\d)(?:\D+(\d))?$", label(row[0]))
            steps = {number for number in said.groups() if number} if said else set()
            for column, cell in zip(columns, row, strict=False):
                for expression, _ in DATA.findall(cell):
                    asked = set(STEP.findall(expression))
                    of_row = not steps or asked <= steps | {SAME.get(s) for s in steps}
                    of_column = "recorded('original')" not in expression or all(
                        re.search(COLUMNS[word], expression)
                        for word in column & COLUMNS.keys()
                        if not (word == "last" and "mean" in column)
                    )
                    if not (of_row and of_column):
                        found.append(expression)
    return found


def test_numbers_of_steps_and_of_the_original_stand_where_they_belong(
    guide: Guide,
) -> None:
    texts = {path: (guide.root / path).read_text("utf-8") for path in guide.paths}
    wrong = {path: found for path, text in texts.items() if (found := strangers(text))}
    assert wrong == {}


# What is replaced on a page, and how many numbers are then in the wrong place
MOVED = {
    "reference/original.md": [
        ("first, theirs | first, ours", "first, ours | first, theirs", 10),
        ("| last, theirs |", "| first, theirs |", 5),
        ("| step | theirs | ours |", "| step | ours | theirs |", 12),
        ("['step3']['held_out']", "['step4']['held_out']", 1),
        ("| held out, ours |", "| last, ours |", 5),
    ],
    "adam/training.md": [("['step4']", "['step3']", 1)],
    "attention/training.md": [("| Step 3 |", "| Step 4 |", 2)],
}


@pytest.mark.parametrize("page", MOVED)
def test_a_number_of_another_row_or_column_is_found(page: str, guide: Guide) -> None:
    text = (guide.root / "docs" / page).read_text("utf-8")
    for old, new, count in MOVED[page]:
        assert old in text
        assert len(strangers(text.replace(old, new, 1))) == count, new
