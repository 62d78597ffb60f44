"""Commands of the command line, as its own parser describes them.

argparse words its help differently in each edition of Python; so what pages show is
made of the parser's parts.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from weave.errors import WeaveError
from weave.findings import Finding
from weave.guide import Guide
from weave.kinds.kind import Kind, View
from weave.process import Refused, answers

PROGRAM = "microgpt"
PARSER = Path(PROGRAM, "cli", "parser.py")
DEFAULT = re.compile(r"\s*\(default: (.+)\)$")


class CommandTable(Kind):
    """The name of a command: how it is typed, and what each option means."""

    language = "command"
    what = "a command and its options"

    def content(self, guide: Guide) -> Command:
        """Return the command that the fence names."""
        name, known = self.fence.text.strip(), commands(guide.root)
        if name not in known:
            names = ", ".join(known)
            raise self.error(f"there is no command {name!r}; there are {names}")
        return known[name]

    def html(self, view: View) -> str:
        """Show the command."""
        return command_table(self.content(view.guide))

    @classmethod
    def counts(cls, guide: Guide) -> dict[str, int]:
        """Count the options of all commands."""
        every = commands(guide.root).values()
        return {"options": sum(len(each.options) for each in every)}

    @classmethod
    def examine(cls, guide: Guide) -> Iterator[Finding]:
        """Find commands that not one fence shows, and options that say no meaning."""
        shown = Counter(table.fence.text.strip() for table in cls.all(guide))
        for command in commands(guide.root).values() if shown else ():
            if shown[command.name] != 1:
                times = shown[command.name]
                what = f"{times} pages or fences show {command.name!r}, not 1"
                yield WeaveError(what, PARSER)
            for option in command.options:
                if not option.meaning:
                    what = f"{command.name} {option.typed} does not say what it means"
                    yield WeaveError(what, PARSER)


@dataclass
class Option:
    """An option or an argument: how it is typed, what it means, what else holds."""

    typed: str  # `--docs FILE`, or `EXPRESSION`
    meaning: str
    default: str  # in words; empty if there is none
    choices: list[str]


@dataclass
class Command:
    """A command: how it is typed, what it does, its options in the order of its help."""

    name: str  # of the whole program, `microgpt` itself
    usage: str
    meaning: str
    options: list[Option]


def commands(root: Path) -> dict[str, Command]:
    """Return the program itself and each of its commands, by name."""
    try:
        told = answers(root).ask({"commands": PROGRAM}).result()
    except Refused as why:
        raise WeaveError(f"its parser cannot be read: {why}", PARSER) from None
    return {
        command["name"]: Command(
            **{**command, "options": [Option(**each) for each in command["options"]]}
        )
        for command in told
    }


def describe(parser: argparse.ArgumentParser, name: str) -> Iterator[Command]:
    """Yield a parser's command, and those below it."""
    options, below = [], {}
    for action in parser._actions:  # argparse has no other way to ask
        if isinstance(action, argparse._SubParsersAction):
            below = dict(action.choices)
        elif name == PROGRAM or not isinstance(action, argparse._HelpAction):
            options.append(_option(action, parser.prog))
    arguments = [o.typed for o in options if not o.typed.startswith("-")]
    title = PROGRAM if name == PROGRAM else f"{PROGRAM} {name}"
    usage = [title, "[OPTIONS]", *arguments, *(["COMMAND …"] if below else [])]
    yield Command(name, " ".join(usage), parser.description or "", options)
    for child, its_parser in below.items():
        yield from describe(its_parser, child)


def _option(action: argparse.Action, program: str) -> Option:
    help_text = action.help or ""
    if "%(" in help_text:
        help_text = help_text % {**vars(action), "prog": program}
    typed = " or ".join(action.option_strings)
    default = ""
    if action.nargs != 0:  # it takes something
        word = action.metavar or [action.dest, *action.option_strings][-1].lstrip("-")
        typed = f"{typed} {str(word).upper()}".strip()
        if action.default not in (None, "", argparse.SUPPRESS):
            default = str(action.default)
    if said := DEFAULT.search(help_text):
        default = said[1]
    meaning = DEFAULT.sub("", help_text)
    return Option(typed, meaning, default, [str(each) for each in action.choices or ()])


def command_table(command: Command) -> str:
    """Return how a command is typed, and what each of its options means."""
    rows = ""
    for option in command.options:
        name, _, word = option.typed.partition(" ")
        if not word.isupper():  # `-h or --help`
            name, word = option.typed, ""
        code = f"<b>{escape(name)}</b> {escape(word)}".strip()
        meaning = f"{_sentence(option.meaning)}."
        if option.choices:
            known = " ".join(f"<code>{escape(c)}</code>" for c in option.choices)
            meaning += f" One of {known}."
        if option.default:
            value, comma, why = option.default.partition(", ")
            meaning += f" Default: <code>{escape(value)}</code>{comma}{escape(why)}."
        anchor = f"{command.name}-{name.split()[-1].lstrip('-')}"
        rows += f'<dt id="{anchor}"><code>{code}</code></dt><dd>{meaning}</dd>'
    return (
        f'<div class="api"><p class="signature"><code>{escape(command.usage)}</code></p>'
        f"<p>{_sentence(command.meaning)}.</p><dl>{rows}</dl></div>"
    )


def _sentence(text: str) -> str:
    """Return text as HTML, as a sentence begins; it ends without a stop."""
    text = text.strip().removesuffix(".")
    html = escape(text[:1].upper() + text[1:])
    return re.sub(r"(?<!\S)--[a-z-]+", r'<code class="unbroken">\g<0></code>', html)
