"""The messages that authors read: `messages.yml` has a page or command for each."""

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.processes import ROOT
from tests.weave.page_errors import PAGE_PATH, first_error
from weave.__main__ import main
from weave.errors import WeaveError
from weave.guide import Guide

MessageRow = dict[str, Any]

MESSAGE_ROWS: list[MessageRow] = yaml.safe_load(
    Path(__file__).with_name("messages.yml").read_text(encoding="utf-8")
)


def parametrize(*keys: str) -> pytest.MarkDecorator:
    rows = [row for row in MESSAGE_ROWS if row.keys() & {*keys}]
    return pytest.mark.parametrize("row", rows, ids=lambda row: row["message"])


@parametrize("checking", "running", "rendering")
def test_first_error_of_a_page_has_its_line_and_message(row: MessageRow) -> None:
    phase, page = next(iter(row.items()))
    line, message = first_error(page, Path(row.get("path", PAGE_PATH)), phase)
    assert f"{line}: {message}" == row["message"]


@parametrize("command")
def test_wrong_command_prints_a_sentence_and_returns_a_status(
    row: MessageRow, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main([*shlex.split(row["command"]), "--root", str(ROOT)])
    except SystemExit as exit:
        status = int(str(exit.code))
    output = capsys.readouterr()
    assert (status, output.out) == (row["status"], "")
    assert row["message"] in output.err.splitlines()[-1]


@parametrize("file")
def test_file_that_cannot_be_read_is_named_with_the_reason(row: MessageRow) -> None:
    path = Path(row["file"])
    with pytest.raises(WeaveError) as raised:
        texts = {path: row["text"]} if "text" in row else {}
        Guide(ROOT, text_overrides=texts).read_page(path)
    assert str(raised.value) == f"{path}: {row['message']}"


# Parts of messages that need a project of their own or time, and the test of each
TESTED_ELSEWHERE = {
    "was saved during the check": "tests/weave/test_check.py",
    "no test checks this file": "tests/promises/lies.yml",
    "the test does not name": "tests/promises/lies.yml",
    "no page describes the module": "tests/promises/lies.yml",
    "of this file are on no page": "tests/promises/lies.yml",
    "the nearest misses": "tests/weave/test_diff.py",
    "expected a table with a column": "tests/weave/test_recap_sheet.py",
    "no page has the path": "tests/weave/test_search_index.py",
    "expected the menu's title": "tests/weave/test_flash_cards.py",
    "expected an answer that ends": "tests/weave/test_flash_cards.py",
    "the cells give other outputs": "tests/weave/test_labs.py",
    "was changed since its cells ran": "tests/weave/test_labs.py",
    "a cell fails": "tests/weave/test_labs.py",
    "the text of a lab cannot compute numbers": "tests/weave/test_labs.py",
    "cannot become one file": "tests/weave/test_generated_files.py",
    "cannot name modules": "tests/weave/test_generated_files.py",
    "is missing: run 'python -m weave publish'": "tests/weave/test_python_archive.py",
    "this attempt passes the check": "tests/weave/test_exercises.py",
    "the solution does not pass the check": "tests/weave/test_exercises.py",
    "expected the hint": "tests/weave/test_exercises.py",
    "One sentence": "tests/weave/test_glossary.py",
    "all names of": "tests/weave/test_glossary.py",
    "is defined above already": "tests/weave/test_glossary.py",
    "the glossary says that": "tests/weave/test_glossary.py",
    "is not valid Python": "tests/weave/test_code_names.py",
}
# Messages that would need minutes, another builder, or a change of the package
NOT_TESTED = (
    "use one that ends sooner",
    "build the pages with MkDocs or Zensical",
    "lists this line",
    "no page has this exercise",
    "cannot check this exercise",
)
# What is called with a message
MESSAGE_CALLS = {
    "error",
    "WeaveError",
    "UnknownSymbolError",
    "Correction",
    "correct_body",
}
BANNED_PHRASES = re.compile(
    r"(?<!there )\b(?:is|are) no (?!longer\b)|\bis none of\b|\bso many\b|\bwhat is otherwise\b"
    r"|(?<!for )\bas long\b(?! as)"
)


def make_message_pattern(node: ast.AST) -> str:
    """Return a pattern for the text of a string or an f-string; "" for other nodes."""
    match node:
        case ast.Constant(value=str(text)):
            return re.escape(text)
        case ast.JoinedStr(values=values):
            return "".join(make_message_pattern(value) or ".*" for value in values)
    return ""


def iterate_message_patterns() -> Iterator[tuple[str, str]]:
    """Yield the file and line, and the pattern, of each message written in a call."""
    for path in sorted((ROOT / "weave").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = getattr(node.func, "attr", getattr(node.func, "id", ""))
                arguments = node.args if called in MESSAGE_CALLS else ()
                for pattern in map(make_message_pattern, arguments):
                    if r"\ " in pattern:
                        yield f"{name}:{node.lineno}", pattern


def test_every_message_in_the_code_is_tested() -> None:
    texts = [row["message"] for row in MESSAGE_ROWS]
    for fragment, file in TESTED_ELSEWHERE.items():
        assert fragment in (ROOT / file).read_text(encoding="utf-8")
    known = list(map(re.escape, (*TESTED_ELSEWHERE, *NOT_TESTED)))
    untested = {
        location: pattern
        for location, pattern in iterate_message_patterns()
        if not any(fragment in pattern for fragment in known)
        and not any(re.search(pattern, text) for text in texts)
    }
    assert untested == {}


def test_messages_are_written_in_plain_english() -> None:
    texts = [row["message"] for row in MESSAGE_ROWS]
    texts += [pattern for _, pattern in iterate_message_patterns()]
    assert [t for t in texts if BANNED_PHRASES.search(t.replace("\\", ""))] == []
