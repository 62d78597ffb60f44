"""Every message of the command line, word for word.

Read messages.txt aloud: each says what was expected, what came instead, and what to type.
"""

import ast
import re
import shlex
from pathlib import Path

import pytest

from tests.processes import ROOT

from .helpers import run_microgpt

TRANSCRIPT = Path(__file__).with_name("messages.txt").read_text("utf-8")
# A command, and below it its exit status and what it writes to standard error
COMMANDS, ANSWERS = TRANSCRIPT.splitlines()[::2], TRANSCRIPT.splitlines()[1::2]
# Arguments too long for the transcript, and how their messages begin
MESSAGES_OF_LONG_ARGUMENTS = {
    f"train --steps {'9' * 5000}": (
        "--steps: expected a whole number of at least 1, got '999"
    ),
    f"train --seed {'x' * 9999}": (
        "--seed: expected a whole number in digits, such as 1000, got 'xxx"
    ),
    f"train --docs names --save {'m' * 256}": (
        f"cannot write {'m' * 256}: its name is too long: give it a shorter one"
    ),
    f"graph '{'1 + ' * 250}1'": (
        "expected at most 1,000 characters, got 1,001: shorten the expression"
    ),
    f"graph -- {'-' * 900}1": (
        "the expression is nested too deeply: give parts of it a name"
    ),
    f"graph '{'+'.join(['(1+2*3)'] * 60)}'": (
        "expected a graph of at most 200 nodes, got 359: shorten the expression"
    ),
}

# Words that nobody would say, or that do not help the user
BANNED_WORDS = re.compile(
    r"\bis no\b|none of|so many|as long|domain error|invalid|Traceback|argument -|None"
)


@pytest.fixture
def message_folder(model_folder: Path) -> Path:
    """A folder with a dataset, a saved run and files that cannot be used."""
    whole = (model_folder / "model").read_text()
    texts = {
        "empty": " \n\n\ufeff",
        "other": "emma\n",
        "json": "{}",
        "cut": whole[:2000],
        "alone": re.sub(r', "run": .*', "}", whole),
        "newer": '{"format": "microgpt", "version": 99}',
        "partial": '{"format": "microgpt", "version": 1, "weights": {}}',
    }
    for name, text in texts.items():
        (model_folder / name).write_text(text)
    (model_folder / "latin").write_bytes("anna\nzoë\n".encode("latin-1"))
    (model_folder / "utf16").write_bytes("anna\n".encode("utf-16-le"))
    (model_folder / "linked").hardlink_to(model_folder / "names")
    (model_folder / "folder").mkdir()
    return model_folder


@pytest.mark.parametrize(
    ("command", "answer"), [*zip(COMMANDS, ANSWERS, strict=True)], ids=COMMANDS
)
def test_wrong_command_gets_its_message_and_changes_nothing(
    message_folder: Path, command: str, answer: str
) -> None:
    files = [path for path in message_folder.iterdir() if path.is_file()]
    before = {path: path.read_bytes() for path in files}
    arguments = shlex.split(command.removeprefix("$ microgpt"))
    result = run_microgpt(*arguments, cwd=message_folder)
    assert f"[exit {result.returncode}] {result.stderr}" == f"{answer}\n"
    assert result.stdout == ""
    message = re.sub(r" \(see microgpt[a-z ]* --help\)$", "", answer)
    assert re.match(r"\[exit [12]\] microgpt: error: ", message) and len(message) < 400
    assert not BANNED_WORDS.search(message)
    assert not re.search(r"[.!]( [A-Z]|$)", message)  # one sentence, without its dot
    files = [path for path in message_folder.iterdir() if path.is_file()]
    assert {path: path.read_bytes() for path in files} == before


@pytest.mark.parametrize(
    "arguments", MESSAGES_OF_LONG_ARGUMENTS, ids=lambda arguments: arguments[:50]
)
def test_long_argument_gets_one_line_of_bounded_length(
    message_folder: Path, arguments: str
) -> None:
    result = run_microgpt(*shlex.split(arguments), cwd=message_folder)
    expected = f"microgpt: error: {MESSAGES_OF_LONG_ARGUMENTS[arguments]}"
    assert result.stderr.startswith(expected)
    assert result.stderr.count("\n") == 1 and len(result.stderr) < 400
    assert result.returncode == (
        2 if " (see microgpt train --help)" in result.stderr else 1
    )


def find_error_texts(source: str) -> list[str]:
    """Return the texts, without inserted values, of errors in Python source."""
    nodes = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Raise)
        or (isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".error"))
    ]
    return [
        part.value.strip()
        for node in nodes
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]


def test_every_message_of_the_command_line_is_tested() -> None:
    paths = [*ROOT.glob("microgpt/cli/*.py"), ROOT / "microgpt/expression.py"]
    pieces = {p for path in paths for p in find_error_texts(path.read_text("utf-8"))}
    table = "\n".join([TRANSCRIPT, *MESSAGES_OF_LONG_ARGUMENTS.values()])
    missing = {piece for piece in pieces if len(piece) > 8 and piece not in table}
    assert missing == {"microgpt train is one process: start it without torchrun"}
    assert len(pieces) > 30
