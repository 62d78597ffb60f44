"""Numbers in the words of programs are those of their code; `pytest docs` compares others."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

from tests.promises.site import ROOT
from weave.nontrivial_numbers import find_nontrivial_numbers, numeric_value

# Programs whose docstrings and comments pages show
PROGRAMS = [*ROOT.glob("microgpt/**/*.py"), *ROOT.glob("snippets/*.py")]
# What they may speak of beside their own numbers: defaults, and the original's names
SHARED_FILES = [ROOT / "microgpt/cli/options.py", ROOT / "microgpt/sampling.py"]
ORIGINAL_RECORD = json.loads((ROOT / "docs/data/original.json").read_text("utf-8"))
# Code within words, and another's version, section or address
NOT_A_CLAIM = re.compile(
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
    shared = [number for file in SHARED_FILES for number in iterate_constants(file)]
    known = {n for n in own + shared if isinstance(n, int | float)}
    known.add(ORIGINAL_RECORD["names"])
    claims = "\n".join(NOT_A_CLAIM.sub(" ", text) for text in sentences)
    found = find_nontrivial_numbers(claims)
    return [claim for claim in found if numeric_value(claim) not in known]


def test_comments_and_docstrings_mention_only_numbers_of_their_code() -> None:
    wrong = {file.name: find_numbers_missing_in_code(file) for file in PROGRAMS}
    assert {name: found for name, found in wrong.items() if found} == {}


def test_number_in_a_docstring_but_not_in_code_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text('"""Read at most 160 letters, 2,000 in Python 3.12."""\nN = 160\n')
    assert find_numbers_missing_in_code(file) == ["2,000"]
