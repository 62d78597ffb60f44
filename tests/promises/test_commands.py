"""Each command that a page tells readers to type is one that the program understands."""

import argparse
import importlib
import importlib.util
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from sysconfig import get_path

import pytest

from microgpt.cli.options import DEFAULT_TRAIN_OPTIONS
from microgpt.cli.parser import build_parser, parse_command_line
from tests.promises.site import ROOT
from weave.fences.shell_session import ShellSession
from weave.guide import Guide
from weave.markdown_text import CODE_SPAN
from weave.page import parse_page

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
TASKS = PROJECT["tool"]["poe"]["tasks"]
DOCUMENTS = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES = sorted(ROOT.glob("docs/**/*.md"))
# Code spans that begin like this are commands.
COMMAND_PREFIXES = (
    "microgpt ",
    "torchrun",
    "python -m ",
    "uv run ",
    "pip install ",
    "--",
)
INDENTED_COMMAND = re.compile(r" {4}((?:uv|pip|python|\.venv/bin/\w+) .+)")
PATH = re.compile(r"[\w.][\w.-]*/[\w./-]*")
VARIABLE = re.compile(r"[A-Z_]+=\S+")
INSTALLED_PROGRAMS = {file.stem for file in Path(get_path("scripts")).iterdir()}
SYSTEM_PROGRAMS = {"cd", "curl", "echo", "git", "pip", "torchrun", "uv"}
# Of the program and of each command, by how it is called
PARSER = build_parser()
(COMMANDS,) = (a for a in PARSER._actions if isinstance(a, argparse._SubParsersAction))
PARSERS = {its.prog: its for its in (PARSER, *COMMANDS.choices.values())}


def find_code_spans(path: Path) -> Iterator[str]:
    for line in path.read_text("utf-8").splitlines():
        for span in CODE_SPAN.finditer(line):
            yield span[0].strip("`").strip()


def find_commands(path: Path) -> Iterator[str]:
    """Yield the commands of a file, each in one line."""
    text = path.read_text("utf-8")
    yield from (s for s in find_code_spans(path) if s.startswith(COMMAND_PREFIXES))
    if path in DOCUMENTS:
        lines = map(INDENTED_COMMAND.fullmatch, text.splitlines())
        yield from (line[1] for line in lines if line)
        return
    for fence in parse_page(path.relative_to(ROOT), text).fences:
        if fence.language == "console":
            typed = fence.text.replace("\\\n", " ").splitlines()
            yield from (line.removeprefix("$ ") for line in typed)


def is_refused(parse: Callable[[list[str]], object], words: list[str]) -> bool:
    try:
        parse(words)
    except SystemExit as left:
        return left.code != 0
    return False


def find_unknown_part(command: str) -> str:
    """Return the part of a command that no program understands, or ""."""
    words = shlex.split(command, comments=True)
    while words and VARIABLE.fullmatch(words[0]):
        words.pop(0)
    match words:
        case ["uv", "run", *rest]:
            return find_unknown_part(shlex.join(rest))
        case ["microgpt", *rest] | ["python", "-m", "microgpt", *rest]:
            # An option may be named without its value, a command without what it takes.
            parse = parse_command_line
            tries = (is_refused(parse, arguments) for arguments in (rest, [*rest, "1"]))
            return shlex.join(rest) if all(tries) else ""
        case ["torchrun", _, *_]:
            processes = pytest.importorskip("snippets.processes")
            _, named, arguments = shlex.join(words).partition("-m snippets.processes")
            wrong = is_refused(processes.parse_arguments, arguments.split())
            return "" if named and not wrong else command
        case ["poe", task, *_]:
            return "" if task in TASKS else task
        case ["mkdocs" | "zensical", what, *_]:
            return "" if what in ("build", "serve") else what
        case ["python", "-m", module, *_]:
            return "" if importlib.util.find_spec(module) else module
        case ["python", program, *_]:
            places = (ROOT / program, ROOT / "docs" / "downloads" / program)
            return "" if any(place.exists() for place in places) else program
        case [program, "install", *rest] if program.endswith("pip"):
            extras = re.findall(r"(?<=[\[,])\w+(?=[\],])", " ".join(rest))
            return next((extra for extra in extras if extra not in EXTRAS), "")
        case ["pytest", *rest]:
            return next((path for path in rest if not (ROOT / path).exists()), "")
        case [option, *_] if option.startswith("--"):
            files = (*ROOT.glob("snippets/step*.py"), ROOT / "weave" / "__main__.py")
            sources = [file.read_text("utf-8") for file in files]
            known = any(option in p._option_string_actions for p in PARSERS.values())
            is_read = any(f'"{option}"' in source for source in sources)
            return "" if is_read or known else option
        case [program, *_]:
            name = Path(program).name
            return "" if name in INSTALLED_PROGRAMS | SYSTEM_PROGRAMS else program
    return ""


@pytest.mark.parametrize("path", [*DOCUMENTS, *PAGES], ids=lambda path: path.stem)
def test_each_command_on_a_page_is_understood(path: Path) -> None:
    found = {command: find_unknown_part(command) for command in find_commands(path)}
    assert {command: why for command, why in found.items() if why} == {}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_each_file_named_in_a_document_exists(path: Path) -> None:
    named = [span for span in find_code_spans(path) if PATH.fullmatch(span)]
    names = [name for name in named if "NAME" not in name and ".venv" not in name]
    assert [name for name in names if not (ROOT / name).exists()] == []


def test_help_of_every_command_is_on_a_page_and_describes_options(guide: Guide) -> None:
    sessions = ShellSession.find_in_guide(guide)
    typed = {command for session in sessions for command in session.commands}
    for name, its_parser in PARSERS.items():
        assert f"{name} --help" in typed
        for action in its_parser._actions:
            is_command = isinstance(action, argparse._SubParsersAction)
            assert action.help or is_command, (name, action.dest)


def test_help_text_states_the_actual_defaults() -> None:
    compared = 0
    for name, its_parser in PARSERS.items():
        for action in its_parser._actions:
            default = DEFAULT_TRAIN_OPTIONS.get(action.dest, action.default)
            is_shown = action.help != argparse.SUPPRESS
            if is_shown and default not in (None, False, "", argparse.SUPPRESS):
                about = its_parser._get_formatter()._expand_help(action)
                assert f"(default: {default}" in about, (name, action.dest)
                compared += 1
    assert compared >= 10
