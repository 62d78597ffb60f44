"""Commands of the command line, as its own parser describes them.

argparse words its help differently in each edition of Python; so what pages show is
made of the parser's parts.
"""

import argparse
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

from weave.errors import WeaveError
from weave.guide import Guide
from weave.kinds.kind import Kind, View
from weave.process import Refused

PROGRAM = "microgpt"
PARSER = Path(PROGRAM, "cli", "parser.py")
DEFAULT = re.compile(r"\s*\(default: (.+)\)$")


class CommandTable(Kind):
    """The name of a command: how it is typed, and what each option means."""

    language = "command"
    what = "a command and its options"

    def content(self, guide: Guide) -> str:
        """Return what stands for the command that the fence names, as HTML."""
        name, known = self.fence.text.strip(), commands(guide)
        if name not in known:
            names = ", ".join(known)
            raise self.error(f"there is no command {name!r}; there are {names}")
        return known[name]

    def html(self, view: View) -> str:
        """Show the command."""
        return self.content(view.guide)


def commands(guide: Guide) -> dict[str, str]:
    """Return the program itself and each of its commands, by name, as HTML."""
    try:
        return dict(guide.answers.ask({"commands": PROGRAM}).result())
    except Refused as why:
        raise WeaveError(f"its parser cannot be shown: {why}", PARSER) from None


def describe(parser: argparse.ArgumentParser, name: str) -> Iterator[tuple[str, str]]:
    """Yield a parser's name, and how it is typed and what its options mean, as HTML.

    Those of the commands below it follow. Raise ValueError for an option without help.
    """
    rows, arguments, below = "", "", {}
    for action in parser._actions:  # argparse has no other way to ask
        if isinstance(action, argparse._SubParsersAction):
            below = dict(action.choices)
        elif name == PROGRAM or not isinstance(action, argparse._HelpAction):
            typed, meaning = _option(action, parser.prog)
            arguments += "" if action.option_strings else f" {typed}"
            rows += _row(name, typed, meaning)
    usage = PROGRAM if name == PROGRAM else f"{PROGRAM} {name}"
    usage += f" [OPTIONS]{arguments}{' COMMAND …' if below else ''}"
    html = f'<div class="api"><p class="signature"><code>{escape(usage)}</code></p>'
    html += f"<p>{_sentence(parser.description or '')}.</p><dl>{rows}</dl></div>"
    yield name, html
    for child, its_parser in below.items():
        yield from describe(its_parser, child)


def _option(action: argparse.Action, program: str) -> tuple[str, str]:
    """Return how an option or an argument is typed, and as HTML what it means."""
    said = action.help or ""
    if "%(" in said:
        said = said % {**vars(action), "prog": program}
    typed = " or ".join(action.option_strings)
    default = ""
    if action.nargs != 0:  # it takes something
        word = action.metavar or [action.dest, *action.option_strings][-1].lstrip("-")
        typed = f"{typed} {str(word).upper()}".strip()
        if action.default not in (None, "", argparse.SUPPRESS):
            default = str(action.default)
    if found := DEFAULT.search(said):
        default = found[1]
        said = DEFAULT.sub("", said)
    if not said:
        raise ValueError(f"{program} {typed} does not say what it means")
    meaning = f"{_sentence(said)}."
    if action.choices:
        known = " ".join(f"<code>{escape(str(c))}</code>" for c in action.choices)
        meaning += f" One of {known}."
    if default:
        value, comma, why = default.partition(", ")
        meaning += f" Default: <code>{escape(value)}</code>{comma}{escape(why)}."
    return typed, meaning


def _row(command: str, typed: str, meaning: str) -> str:
    name, _, word = typed.partition(" ")
    if not word.isupper():  # `-h or --help`
        name, word = typed, ""
    code = f"<b>{escape(name)}</b> {escape(word)}".strip()
    anchor = f"{command}-{name.split()[-1].lstrip('-')}"
    return f'<dt id="{anchor}"><code>{code}</code></dt><dd>{meaning}</dd>'


def _sentence(text: str) -> str:
    """Return text as HTML, as a sentence begins; it ends without a stop."""
    text = text.strip().removesuffix(".")
    html = escape(text[:1].upper() + text[1:])
    return re.sub(r"(?<!\S)--[a-z-]+", r'<code class="unbroken">\g<0></code>', html)
