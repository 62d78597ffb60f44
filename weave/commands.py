"""The command line, as its own parser describes it, and sessions that readers repeat.

argparse words its help differently in each edition of Python; so what pages show is
made of the parser's parts. `python -m weave.commands` reads them in a process of its
own, because this one may know an older program.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from weave.bundle import edition
from weave.errors import WeaveError
from weave.guide import Guide
from weave.page import Fence, Page
from weave.process import Stopped, run_module

PROGRAM = "microgpt"
PARSER = Path(PROGRAM, "cli.py")
TIME_LIMIT = 120  # seconds for a command of a session
DEFAULT = re.compile(r"\s*\(default: (.+)\)$")
SHELL = 'microgpt() { "$PYTHON" -m microgpt "$@"; }; (exit "$LAST"); '


@dataclass(frozen=True)
class Option:
    """An option or an argument: how it is typed, what it means, what else holds."""

    typed: str  # `--docs FILE`, or `EXPRESSION`
    meaning: str
    default: str  # in words; empty if there is none
    choices: tuple[str, ...] = ()
    needed: bool = False


@dataclass(frozen=True)
class Command:
    """A command: what it does, and its options in the order of its help."""

    name: str  # of the whole program, `microgpt` itself
    meaning: str
    options: tuple[Option, ...] = ()
    commands: tuple[str, ...] = ()

    @property
    def usage(self) -> str:
        """Return what is typed, the options in one word."""
        arguments = [o.typed for o in self.options if not o.typed.startswith("-")]
        title = PROGRAM if self.name == PROGRAM else f"{PROGRAM} {self.name}"
        more = ["COMMAND …"] if self.commands else []
        return " ".join([title, "[OPTIONS]", *arguments, *more])


def commands(root: Path) -> dict[str, Command]:
    """Return the program itself and each of its commands, by name."""
    return _commands(root, edition(root))


def command_of(guide: Guide, page: Page, fence: Fence) -> Command:
    """Return the command that a `command` fence names."""
    name = "".join(fence.body).strip()
    known = commands(guide.root)
    if name not in known:
        names = ", ".join(known)
        raise page.error(f"there is no command {name!r}; there are {names}", fence.line)
    return known[name]


def faults(guide: Guide) -> Iterator[WeaveError]:
    """Find commands that not one fence shows, and options that say no meaning."""
    shown = Counter(
        "".join(fence.body).strip()
        for page in guide.pages.values()
        for fence in page.fences
        if fence.language == "command"
    )
    if not shown:
        return
    for command in commands(guide.root).values():
        if shown[command.name] != 1:
            what = f"{shown[command.name]} pages or fences show {command.name!r}, not 1"
            yield WeaveError(what, PARSER)
        for option in command.options:
            if not option.meaning:
                what = f"{command.name} {option.typed} does not say what it means"
                yield WeaveError(what, PARSER)


@lru_cache(maxsize=4)
def _commands(root: Path, edition: str) -> dict[str, Command]:
    ours = str(Path(__file__).resolve().parents[1])
    paths = [root, Path(ours)]
    try:
        told = run_module("weave.commands", within=root, paths=paths)
    except Stopped as stopped:
        raise WeaveError(f"its parser cannot be read: {stopped}", PARSER) from None
    return {
        command["name"]: Command(
            command["name"],
            command["meaning"],
            tuple(
                Option(**{**option, "choices": tuple(option["choices"])})
                for option in command["options"]
            ),
            tuple(command["commands"]),
        )
        for command in json.loads(told)
    }


def describe(parser: argparse.ArgumentParser, name: str) -> Iterator[Command]:
    """Yield a parser's command, and those below it."""
    options, below = [], {}
    for action in parser._actions:  # argparse has no other way to ask
        if isinstance(action, argparse._SubParsersAction):
            below = dict(action.choices)
        elif name == PROGRAM or not isinstance(action, argparse._HelpAction):
            options.append(_option(action, parser.prog))
    yield Command(name, parser.description or "", tuple(options), tuple(below))
    for child, its_parser in below.items():
        yield from describe(its_parser, child)


def _option(action: argparse.Action, program: str) -> Option:
    help_text = action.help or ""
    if "%(" in help_text:
        help_text = help_text % {**vars(action), "prog": program}
    said = DEFAULT.search(help_text)
    takes_nothing = action.nargs == 0
    default = ""
    if said:
        default = said[1]
    elif not takes_nothing and action.default not in (None, "", argparse.SUPPRESS):
        default = str(action.default)
    choices = tuple(str(choice) for choice in action.choices or ())
    word = action.metavar or (action.option_strings or [action.dest])[-1].lstrip("-")
    typed = " or ".join(action.option_strings)
    if not takes_nothing:
        typed = f"{typed} {str(word).upper()}".strip()
    meaning = DEFAULT.sub("", help_text)
    return Option(typed, meaning, default, choices, action.required)


def play(root: Path, page: Page, fence: Fence) -> str:
    """Return a session as it goes today: each command, and below it what it prints.

    A command is a line that begins with `$ `. They run one after the other in an empty
    folder; `microgpt` is the program of this project.
    """
    typed = [line for line in fence.body if line.startswith("$ ")]
    if not typed or not fence.body[0].startswith("$ "):
        raise page.error("a session begins with '$ ' and a command", fence.line)
    shown, status = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for line in typed:
            try:
                done = _typed(root, folder, line.removeprefix("$ "), status)
            except subprocess.TimeoutExpired:
                message = f"{line!r} ran for more than {TIME_LIMIT} s"
                raise page.error(message, fence.line) from None
            status = done.returncode
            printed = done.stdout if done.stdout.endswith("\n") else f"{done.stdout}\n"
            shown.append(f"{line}\n{printed if done.stdout else ''}")
    return "".join(shown)


def _typed(
    root: Path, folder: str, command: str, status: int
) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell to which the one before has left its status."""
    return subprocess.run(
        ["sh", "-c", SHELL + command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        timeout=TIME_LIMIT,
        check=False,
        env={
            **os.environ,
            "PYTHON": sys.executable,
            "PYTHONPATH": str(root),
            "PYTHONIOENCODING": "utf-8",
            "PYTHONUNBUFFERED": "1",  # output and errors in the order of writing
            "LAST": str(status),
            "COLUMNS": "80",
        },
    )


if __name__ == "__main__":
    from microgpt.cli import parser

    print(json.dumps([asdict(command) for command in describe(parser(), PROGRAM)]))
