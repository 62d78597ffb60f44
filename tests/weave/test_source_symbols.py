"""Finding the lines of a symbol in Python and C, with comments and decorators."""

from pathlib import Path

import pytest

from weave.source_symbols import UnknownSymbolError, find_source, parse_source

# Definitions that `inspect` cannot find; tests/promises compares the others with it.
PYTHON_SOURCE = '''\
"""A module."""

from math import exp, \\
    log

RATE: float = 1.0
A = B = 2


# Why this is so,
# in two lines.
@staticmethod
def f(x): ...


class C:
    field = 1

    def m(self):
        def inner(): ...
'''

C_SOURCE = """\
/* What this file does,
   in two lines. */

#ifndef REAL
#define REAL double
#endif
typedef REAL real;
double sqrt(double);

/* Parts */
enum {
    ONE = 1, /* the first */
    TWO = 2
};
enum { TALL = 8, WIDE = TALL / sizeof(real) };

typedef struct {
    int down, right;
} Grid;


/* Why this is so */
static Grid flip(
    Grid a) {
    real ten = 10;

    if (a.down) ten = sqrt(ten);
    return (Grid){a.right, a.down};
}

const real *last(Grid a) { return 0; }
static void early(Grid a) {
    flip(a);
}
"""


@pytest.fixture
def source_root(tmp_path: Path) -> Path:
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "mod.py").write_text(PYTHON_SOURCE, encoding="utf-8")
    (tmp_path / "pack" / "__init__.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "pack" / "mod.c").write_text(C_SOURCE, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("symbol", "first", "last"),
    [
        ("pack", 1, 1),
        ("pack.mod", 1, 20),
        ("pack.mod:__doc__", 1, 1),
        ("pack.mod:log", 3, 4),
        ("pack.mod:B", 7, 7),
        ("pack.mod:f", 10, 13),
        ("pack.mod:C..C.field", 16, 17),
        ("pack.mod:__doc__..RATE", 1, 6),
        ("pack/mod.c", 1, 34),
        ("pack/mod.c:__doc__", 1, 2),
        ("pack/mod.c:REAL", 4, 8),
        ("pack/mod.c:real", 4, 8),
        ("pack/mod.c:WIDE", 10, 15),
        ("pack/mod.c:Grid", 17, 19),
        ("pack/mod.c:flip", 22, 29),
        ("pack/mod.c:early", 31, 34),
        ("pack/mod.c:__doc__..Grid", 1, 19),
    ],
)
def test_find_source_returns_the_lines_of_a_symbol(
    source_root: Path, symbol: str, first: int, last: int
) -> None:
    span = find_source(source_root, symbol)
    assert (span.first, span.last) == (first, last)
    text = {"mod.py": PYTHON_SOURCE, "mod.c": C_SOURCE}.get(span.path.name)
    if text:
        assert list(span.lines) == text.splitlines()[first - 1 : last]


@pytest.mark.parametrize(
    ("symbol", "hint"),
    [
        ("pack.missing:f", "no module 'pack.missing'"),
        ("pack.mod:h", "does not define 'h'; it defines A, B, C, C.field"),
        ("pack.mod:C.m.inner", "does not define 'C.m.inner'; it defines"),
        ("pack.mod:f..B", "write 'pack.mod:B..f'"),
        ("", "no module ''"),
        ("pack/missing.c:f", "no module 'pack/missing.c'"),
        ("pack/mod.c:ten", "does not define 'ten'; it defines Grid, ONE, REAL, TALL"),
        ("pack/mod.c:sqrt", "does not define 'sqrt'"),
        ("pack/mod.c:Grid.down", "does not define 'Grid.down'"),
        ("pack/mod.c:flip..Grid", "write 'pack/mod.c:Grid..flip'"),
        ("pack.mod.c:flip", "no module 'pack.mod.c'"),
    ],
)
def test_unknown_symbol_lists_known_names(
    source_root: Path, symbol: str, hint: str
) -> None:
    with pytest.raises(UnknownSymbolError, match=hint):
        find_source(source_root, symbol)


@pytest.mark.parametrize(
    ("file", "names"),
    [
        ("mod.py", {13: "f", 16: "C", 19: "C.m", 20: "C.m.inner"}),
        ("mod.c", {17: "Grid", 23: "flip", 31: "last", 32: "early"}),
    ],
)
def test_definitions_are_found_by_line(file: str, names: dict[int, str]) -> None:
    text = PYTHON_SOURCE if file == "mod.py" else C_SOURCE
    assert parse_source(Path(file), text).definitions_by_line == names
