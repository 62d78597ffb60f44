"""The commands on pages are valid: their programs, options and files exist."""

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

from microgpt.cli.options import DEFAULT_RUN_OPTIONS
from microgpt.cli.parser import (
    COMMANDS,
    build_command_parser,
    build_root_parser,
    parse_command_line,
)
from tests.processes import ROOT
from weave.fences.shell_session import ShellSession
from weave.guide import Guide
from weave.markdown_text import CODE_SPAN
from weave.page import parse_page

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
ROOT_DOCUMENTS = sorted(ROOT.glob("*.md"))
PAGES = sorted(ROOT.glob("docs/**/*.md"))
COMMAND_STARTS = (
    "microgpt ",
    "torchrun",
    "python -m ",
    "uv run ",
    "pip install ",
    "--",
)
KNOWN_PROGRAMS = {file.stem for file in Path(get_path("scripts")).iterdir()}
KNOWN_PROGRAMS |= {"cd", "curl", "echo", "git", "pip", "torchrun", "uv"}
# The parsers of `microgpt` and of each of its commands, by what a user types
PARSERS = {
    parser.prog: parser
    for parser in (build_root_parser(), *map(build_command_parser, COMMANDS))
}


def find_code_spans(path: Path) -> Iterator[str]:
    for line in path.read_text("utf-8").splitlines():
        for span in CODE_SPAN.finditer(line):
            yield span[0].strip("`").strip()


def find_commands(path: Path) -> Iterator[str]:
    """Yield the commands of a file, each in one line."""
    text = path.read_text("utf-8")
    yield from (s for s in find_code_spans(path) if s.startswith(COMMAND_STARTS))
    if path in ROOT_DOCUMENTS:
        indented = r"^ {4}((?:uv|pip|python|\.venv/bin/\w+) .+)$"
        yield from re.findall(indented, text, re.MULTILINE)
        return
    for fence in parse_page(path.relative_to(ROOT), text).fences:
        if fence.language == "console":
            typed = fence.text.replace("\\\n", " ").splitlines()
            yield from (line.removeprefix("$ ") for line in typed)


def is_refused(parse: Callable[[list[str]], object], words: list[str]) -> bool:
    try:
        parse(words)
    except SystemExit as exit:
        return exit.code != 0
    return False


def find_unknown_part(command: str) -> str:
    """Return the part of a command that no program understands, or ""."""
    words = shlex.split(command, comments=True)
    while words and re.fullmatch(r"[A-Z_]+=\S+", words[0]):
        words.pop(0)
    match words:
        case ["uv", "run", *rest]:
            return find_unknown_part(shlex.join(rest))
        case ["microgpt", *rest] | ["python", "-m", "microgpt", *rest]:
            # A page may leave out an option's value, or a command's argument.
            parse = parse_command_line
            tries = (is_refused(parse, arguments) for arguments in (rest, [*rest, "1"]))
            return shlex.join(rest) if all(tries) else ""
        case ["torchrun", _, *_]:
            processes = pytest.importorskip("snippets.processes")
            _, named, arguments = shlex.join(words).partition("-m snippets.processes")
            wrong = is_refused(processes.parse_arguments, arguments.split())
            return "" if named and not wrong else command
        case ["poe", task, *_]:
            return "" if task in PYPROJECT["tool"]["poe"]["tasks"] else task
        case ["mkdocs" | "zensical", action, *_]:
            return "" if action in ("build", "serve") else action
        case ["python", "-m", module, *_]:
            return "" if importlib.util.find_spec(module) else module
        case ["python", program, *_]:
            candidates = (ROOT / program, ROOT / "docs" / "downloads" / program)
            return "" if any(file.exists() for file in candidates) else program
        case [program, "install", *rest] if program.endswith("pip"):
            extras = re.findall(r"(?<=[\[,])\w+(?=[\],])", " ".join(rest))
            known_extras = PYPROJECT["project"]["optional-dependencies"]
            return next((extra for extra in extras if extra not in known_extras), "")
        case ["pytest", *rest]:
            return next((path for path in rest if not (ROOT / path).exists()), "")
        case [option, *_] if option.startswith("--"):
            files = (*ROOT.glob("snippets/step*.py"), ROOT / "weave" / "__main__.py")
            sources = [file.read_text("utf-8") for file in files]
            known = any(option in p._option_string_actions for p in PARSERS.values())
            is_read = any(f'"{option}"' in source for source in sources)
            return "" if is_read or known else option
        case [program, *_]:
            return "" if Path(program).name in KNOWN_PROGRAMS else program
    return ""


@pytest.mark.parametrize("path", [*ROOT_DOCUMENTS, *PAGES], ids=lambda path: path.stem)
def test_each_command_on_a_page_is_understood(path: Path) -> None:
    for command in find_commands(path):
        assert find_unknown_part(command) == "", command


def test_files_named_in_root_documents_exist() -> None:
    for path in ROOT_DOCUMENTS:
        for span in find_code_spans(path):
            is_path = re.fullmatch(r"[\w.][\w.-]*/[\w./-]*", span)
            if is_path and "NAME" not in span and ".venv" not in span:
                assert (ROOT / span).exists(), f"{path}: {span}"


def test_every_help_text_is_on_a_page_and_describes_options(guide: Guide) -> None:
    sessions = ShellSession.find_in_guide(guide)
    typed = {command for session in sessions for command in session.commands}
    for name, parser in PARSERS.items():
        assert f"{name} --help" in typed
        for action in parser._actions:
            assert action.help, (name, action.dest)


def test_help_states_the_actual_defaults() -> None:
    compared = 0
    for name, parser in PARSERS.items():
        for action in parser._actions:
            default = DEFAULT_RUN_OPTIONS.get(action.dest, action.default)
            is_shown = action.help != argparse.SUPPRESS
            if is_shown and default not in (None, False, "", argparse.SUPPRESS):
                about = parser._get_formatter()._expand_help(action)
                assert f"(default: {default}" in about, (name, action.dest)
                compared += 1
    assert compared >= 10
