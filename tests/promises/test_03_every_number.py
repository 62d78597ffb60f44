"""Numbers in comments and docstrings occur in the code; `pytest docs` checks the others."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.models import load_record
from tests.processes import ROOT
from weave.nontrivial_numbers import find_nontrivial_numbers, numeric_value

# Files whose default values the comments of any program may mention
DEFAULTS_FILES = [ROOT / "microgpt/cli/options.py", ROOT / "microgpt/sampling.py"]
# Code within prose, and versions, sections and addresses of other works
UNCHECKED_TEXT = re.compile(
    r"`[^`]*`|\"[^\"]*=[^\"]*\"|\{[^}]*\}|SHA-256|https:\S+|Python 3\.\d+|section [\d.]+|--[a-z-]+ [\d.]+"
)


def iterate_constants(file: Path) -> Iterator[object]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Constant):
            yield node.value


def find_numbers_missing_in_code(file: Path) -> list[str]:
    """Return the numbers in comments and docstrings that the code does not contain."""
    own = [*iterate_constants(file)]
    words = [value for value in own if isinstance(value, str)]
    words += re.findall("^ *# .*|  # .*", file.read_text("utf-8"), re.MULTILINE)
    sentences = [text for text in words if re.search(r"[a-z]{2,} ", text)]
    defaults = [number for file in DEFAULTS_FILES for number in iterate_constants(file)]
    known = {n for n in own + defaults if isinstance(n, int | float)}
    known.add(load_record("original")["names"])
    claims = "\n".join(UNCHECKED_TEXT.sub(" ", text) for text in sentences)
    numbers = find_nontrivial_numbers(claims)
    return [claim for claim in numbers if numeric_value(claim) not in known]


def test_comments_and_docstrings_mention_only_numbers_in_code() -> None:
    programs = [*ROOT.glob("microgpt/**/*.py"), *ROOT.glob("snippets/*.py")]
    wrong = {file.name: find_numbers_missing_in_code(file) for file in programs}
    assert {name: numbers for name, numbers in wrong.items() if numbers} == {}


def test_number_missing_in_code_is_found(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text('"""Read at most 160 letters, 2,000 in Python 3.12."""\nN = 160\n')
    assert find_numbers_missing_in_code(file) == ["2,000"]
