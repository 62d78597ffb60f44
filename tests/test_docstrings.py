"""What docstrings and comments of the package and the programs of the steps, and the
sentences of widgets, call by name is there.
"""

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import pytest

from tests.commands import code_spans
from tests.promises.test_03_every_number import PROGRAMS, words_of
from weave.guide import Guide
from weave.prose.names import FILE, KNOWN, names_in, names_said

PYTHON = [path for path in PROGRAMS if path.suffix == ".py"]
OTHERS = {"mps"}  # a kind of device that PyTorch has


def unknown(guide: Guide, program: Path, said: Iterable[str]) -> list[str]:
    """Return the names in code spans that neither the program nor the package has."""
    known = KNOWN | OTHERS | names_in(guide.code)
    known |= names_in(program.read_text(encoding="utf-8"))
    spans = [span for words in said for span in code_spans(words)]
    names = [names_said(span) for span in spans if not FILE.fullmatch(span)]
    return [name for name in chain(*names) if name not in known]


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: path.stem)
def test_a_name_in_words_is_one_that_code_has(path: Path, guide: Guide) -> None:
    assert unknown(guide, path, words_of(path)) == []


def test_a_name_that_no_code_has_is_found(guide: Guide) -> None:
    assert unknown(guide, PYTHON[0], ["as `foresee` and `Value`"]) == ["foresee"]
