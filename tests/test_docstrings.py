"""What docstrings and comments of the programs call by name is there."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from weave.guide import Guide
from weave.prose.names import FILE, KNOWN, names_in, names_said
from weave.text import CODE_SPAN

ROOT = Path(__file__).parents[1]
PROGRAMS = [
    path
    for folder in ("microgpt", "snippets", "web/widgets")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
OTHERS = {"mps"}  # a kind of device that PyTorch has
COMMENT = re.compile(r"(?:^|  )#.*", re.MULTILINE)


def said_in(program: str) -> Iterator[str]:
    """Yield the docstrings and the comments of a program."""
    yield from COMMENT.findall(program)
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
            yield ast.get_docstring(node) or ""


def unknown(guide: Guide, program: str) -> list[str]:
    """Return the names in code spans that neither the program nor the package has."""
    known = KNOWN | OTHERS | names_in(guide.code) | names_in(program)
    spans = [
        span[0].strip("` ")
        for said in said_in(program)
        for span in CODE_SPAN.finditer(said)
    ]
    names = [
        name for span in spans if not FILE.fullmatch(span) for name in names_said(span)
    ]
    return [name for name in names if name not in known]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_name_in_words_is_one_that_code_has(path: Path, guide: Guide) -> None:
    assert unknown(guide, path.read_text(encoding="utf-8")) == []


def test_a_name_that_no_code_has_is_found(guide: Guide) -> None:
    program = (ROOT / "microgpt/optim.py").read_text(encoding="utf-8")
    old = "`backward`"
    assert old in program
    assert "foresee" in unknown(guide, program.replace(old, "`foresee`"))
