"""Commands of the command line, as its own parser describes them.

argparse words its help differently in each edition of Python; so what pages show is
made of the parser's parts. `python -m weave.kinds.command` reads them in a process of its
own, because this one may know an older program.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from html import escape
from pathlib import Path

from weave.bundle import edition
from weave.errors import WeaveError
from weave.findings import Finding, Results
from weave.guide import Guide
from weave.kinds.kind import Kind, View
from weave.process import Stopped, run_module

PROGRAM = "microgpt"
PARSER = Path(PROGRAM, "cli.py")
DEFAULT = re.compile(r"\s*\(default: (.+)\)$")


class CommandTable(Kind):
    """The name of a command: how it is typed, and what each option means."""

    language = "command"
    what = "a command and its options"

    def command(self, root: Path) -> Command:
        """Return the command that the fence names."""
        name, known = self.fence.text.strip(), commands(root)
        if name not in known:
            names = ", ".join(known)
            raise self.error(f"there is no command {name!r}; there are {names}")
        return known[name]

    def check(self, guide: Guide, results: Results) -> Iterator[Finding]:
        """Find a command that isn't there."""
        self.command(guide.root)
        return iter(())

    def html(self, view: View) -> list[str]:
        """Show the command."""
        return [view.stash(command_table(self.command(view.guide.root)))]

    @classmethod
    def counts(cls) -> dict[str, Callable[[Guide], int]]:
        """Count the options of all commands."""
        return {
            "options": lambda guide: sum(
                len(command.options) for command in commands(guide.root).values()
            )
        }

    @classmethod
    def examine(cls, guide: Guide) -> Iterator[Finding]:
        """Find commands that not one fence shows, and options that say no meaning."""
        shown = Counter(table.fence.text.strip() for table in cls.all(guide))
        if not shown:
            return
        for command in commands(guide.root).values():
            if shown[command.name] != 1:
                times = shown[command.name]
                what = f"{times} pages or fences show {command.name!r}, not 1"
                yield WeaveError(what, PARSER)
            for option in command.options:
                if not option.meaning:
                    what = f"{command.name} {option.typed} does not say what it means"
                    yield WeaveError(what, PARSER)


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


@lru_cache(maxsize=4)
def _commands(root: Path, edition: str) -> dict[str, Command]:
    ours = str(Path(__file__).resolve().parents[2])
    paths = [root, Path(ours)]
    try:
        told = run_module("weave.kinds.command", within=root, paths=paths)
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


def command_table(command: Command) -> str:
    """Return how a command is typed, and what each of its options means."""
    rows = ""
    for option in command.options:
        name, _, word = option.typed.partition(" ")
        if not word.isupper():  # `-h or --help`
            name, word = option.typed, ""
        code = f"<b>{escape(name)}</b> {escape(word)}".strip()
        meaning = [f"{_sentence(option.meaning)}."]
        if option.choices:
            known = " ".join(f"<code>{escape(c)}</code>" for c in option.choices)
            meaning.append(f"One of {known}.")
        if option.default:
            value, comma, why = option.default.partition(", ")
            meaning.append(
                f"Default: <code>{escape(value)}</code>{comma}{escape(why)}."
            )
        anchor = f"{command.name}-{name.split()[-1].lstrip('-')}"
        rows += (
            f'<dt id="{anchor}"><code>{code}</code></dt><dd>{" ".join(meaning)}</dd>'
        )
    return (
        f'<div class="api"><p class="signature"><code>{escape(command.usage)}</code></p>'
        f"<p>{_sentence(command.meaning)}.</p><dl>{rows}</dl></div>"
    )


def _sentence(text: str) -> str:
    """Return text as HTML, as a sentence begins; it ends without a stop."""
    text = text.strip().removesuffix(".")
    html = escape(text[:1].upper() + text[1:])
    return re.sub(r"(?<!\S)--[a-z-]+", r'<code class="unbroken">\g<0></code>', html)


if __name__ == "__main__":
    from microgpt.cli.parser import parser

    print(json.dumps([asdict(command) for command in describe(parser(), PROGRAM)]))
