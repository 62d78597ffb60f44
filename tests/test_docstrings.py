"""What docstrings, comments and sentences of the programs call by name is there."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.promises.test_03_every_number import PROGRAMS, words_of
from weave.guide import Guide
from weave.prose.names import FILE, KNOWN, names_in, names_said
from weave.text import CODE_SPAN

PYTHON = [path for path in PROGRAMS if path.suffix == ".py"]
OTHERS = {"mps"}  # a kind of device that PyTorch has


def unknown(guide: Guide, program: Path, said: Iterable[str]) -> list[str]:
    """Return the names in code spans that neither the program nor the package has."""
    known = KNOWN | OTHERS | names_in(guide.code)
    known |= names_in(program.read_text(encoding="utf-8"))
    matches = [span for words in said for span in CODE_SPAN.finditer(words)]
    spans = [match[0].strip("` ") for match in matches]
    names = [
        name for span in spans if not FILE.fullmatch(span) for name in names_said(span)
    ]
    return [name for name in names if name not in known]


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: path.stem)
def test_a_name_in_words_is_one_that_code_has(path: Path, guide: Guide) -> None:
    assert unknown(guide, path, words_of(path)) == []


def test_a_name_that_no_code_has_is_found(guide: Guide) -> None:
    assert unknown(guide, PYTHON[0], ["as `foresee` and `Value`"]) == ["foresee"]
