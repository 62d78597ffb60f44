"""Symbols are found where Python would find them, with all that belongs to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from weave.source import UnknownSymbol, find

SOURCE = '''\
"""A module."""

from math import exp, \\
    log
import os.path as p

RATE: float = 1.0
A = B = 2


# Why this is so,
# in two lines.
@staticmethod
def f(
    x,
):
    return x


class C:
    """A class."""

    field = 1

    def m(self):
        def inner():
            pass

    async def n(self): ...


def g(): return 1
'''


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "mod.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "pack" / "__init__.py").write_text("x = 1\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("symbol", "first", "last"),
    [
        ("pack.mod", 1, 33),
        ("pack.mod:__doc__", 1, 1),
        ("pack.mod:log", 3, 4),
        ("pack.mod:p", 5, 5),
        ("pack.mod:RATE", 7, 7),
        ("pack.mod:B", 8, 8),
        ("pack.mod:f", 11, 17),
        ("pack.mod:C", 20, 29),
        ("pack.mod:C.__doc__", 21, 21),
        ("pack.mod:C.field", 23, 23),
        ("pack.mod:C.m", 25, 27),
        ("pack.mod:C.n", 29, 29),
        ("pack.mod:C..C.field", 20, 23),
        ("pack.mod:__doc__..RATE", 1, 7),
        ("pack.mod:g", 32, 32),
        ("pack", 1, 1),
        ("pack:x", 1, 1),
    ],
)
def test_a_symbol_has_lines(root: Path, symbol: str, first: int, last: int) -> None:
    if symbol == "pack.mod":
        last = len(SOURCE.splitlines())
    span = find(root, symbol)
    assert (span.first, span.last) == (first, last)
    if span.path.name == "mod.py":
        assert list(span.lines) == SOURCE.splitlines()[first - 1 : last]


@pytest.mark.parametrize(
    ("symbol", "hint"),
    [
        ("pack.missing:f", "no module 'pack.missing'"),
        ("pack.mod:h", "no 'h' among"),
        ("pack.mod:C.h", "no 'h' among"),
        ("pack.mod:C.m.inner", "no 'inner' among"),
        ("pack.mod:f.x", "no 'x' among"),
        ("pack.mod:g..f", "ends before it begins"),
        ("", "no module ''"),
    ],
)
def test_an_unknown_symbol_says_what_there_is(
    root: Path, symbol: str, hint: str
) -> None:
    with pytest.raises(UnknownSymbol, match=hint):
        find(root, symbol)


def test_a_change_above_a_symbol_moves_its_lines(root: Path) -> None:
    before = find(root, "pack.mod:C.m")
    (root / "pack" / "mod.py").write_text("# more\n" + SOURCE, encoding="utf-8")
    after = find(root, "pack.mod:C.m")
    assert (after.first, after.lines) == (before.first + 1, before.lines)
