"""What the reference pages show of the program itself: its names, commands, files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Protocol

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from weave import api
from weave.api import Symbol
from weave.commands import Command
from weave.guide import Guide, Listing
from weave.page import CODE_SPAN, Fence, Page
from weave.source import definitions

Home = Callable[[Listing], str]


class To(Protocol):
    """Gives addresses, as links on one page say them."""

    def __call__(self, target: Path, anchor: str = "") -> str:
        """Return the address of a page or a file, or of an anchor on it."""


def framed(html: str) -> str:
    """Return what may be wider than a phone, in a frame that keys can scroll."""
    return f'<div class="canvas" tabindex="0">{html}</div>'


class Names:
    """Shows the symbols that the `api` fences of a page name.

    `to` gives the address of a place on another page, `home` the link to a listing.
    """

    def __init__(self, guide: Guide, page: Page, to: To, home: Home) -> None:
        self.guide, self.page, self.to, self.home = guide, page, to, home
        self.places = api.places(guide)
        self.symbols = {
            symbol.name: symbol
            for module in api.modules(guide).values()
            for symbol in module.all()
        }

    def show(self, fence: Fence, stash: Callable[[str], str]) -> list[str]:
        """Return a heading for each symbol of a fence, and below it what it offers."""
        lines = []
        for symbol in api.shown_by(self.guide, self.page, fence):
            lines += ["", f"### `{symbol.short or symbol.name}` {{#{symbol.name}}}", ""]
            is_module = symbol.kind == "module"
            inside = self._module(symbol) if is_module else self._whole(symbol)
            # Modules are for who knows the name: search finds what is imported.
            hidden = " data-search-exclude" if is_module else ""
            lines += [stash(f'<div class="api"{hidden}>{inside}</div>'), ""]
        return lines

    def _module(self, module: Symbol) -> str:
        path = module.span.path
        waived = self.guide.options.get("waived", {}).get(path.as_posix(), "")
        note = f" · no page explains it: {escape(waived)}" if waived else ""
        source = self._source(module, f"{path.as_posix()}")
        shown = f'{self._doc(module)}<p class="from">{source}{note}</p>'
        there = [(m.short, m.name) for m in module.members if not self._is_here(m)]
        for names in ([*module.exports], there):
            shown += self._index(names) if names else ""
        here = [member for member in module.members if self._is_here(member)]
        entries = "".join(self._entry(s) for member in here for s in member.all())
        return f"{shown}<dl>{entries}</dl>" if entries else shown

    def _is_here(self, symbol: Symbol) -> bool:
        return self.places.get(symbol.name) == self.page.path

    def _index(self, names: list[tuple[str, str]]) -> str:
        """Return a table of names that have an entry elsewhere, in one sentence each."""
        rows = ""
        for name, origin in sorted(names, key=lambda pair: pair[0].lower()):
            symbol = self.symbols[origin]
            summary = self._words(_first_sentence(symbol.doc), symbol)
            rows += f"<tr><td>{self._link(symbol, name)}</td><td>{summary}</td></tr>"
        head = "<thead><tr><th>name</th><th>what it is</th></tr></thead>"
        return framed(f'<table class="plain">{head}<tbody>{rows}</tbody></table>')

    def _whole(self, symbol: Symbol) -> str:
        """Return a symbol that has a heading of its own, and its members."""
        inside = "".join(self._entry(member) for member in symbol.members)
        where = f"{symbol.span.path.as_posix()}, {symbol.span.where}"
        text = self._text(symbol, where)
        shown = f'<p class="signature">{_signature(symbol)}</p>{text}'
        return f"{shown}<dl>{inside}</dl>" if inside else shown

    def _entry(self, symbol: Symbol) -> str:
        kind = f"member {symbol.kind}" if "." in symbol.short else symbol.kind
        return (
            f'<dt id="{symbol.name}" class="{kind}">{_signature(symbol)}</dt>'
            f'<dd class="{kind}">{self._text(symbol, symbol.span.where)}</dd>'
        )

    def _text(self, symbol: Symbol, where: str) -> str:
        places = [self._source(symbol, where)]
        home = self.guide.homes.get((symbol.span.path, symbol.span.first))
        if home and symbol.kind != "attribute":  # its class has the same one
            places.append(f"explained in {self.home(home)}")
        special = ""
        if symbol.operators:
            to = {
                line: self._line(symbol.span.path, line) for _, line in symbol.operators
            }
            links = (
                f'<a href="{to[n]}"><code>{x}</code></a>' for x, n in symbol.operators
            )
            special = f"<p>Python itself calls {' '.join(links)}.</p>"
        return f'{self._doc(symbol)}{special}<p class="from">{" · ".join(places)}</p>'

    def _source(self, symbol: Symbol, text: str) -> str:
        path = symbol.span.path
        if symbol.kind in ("class", "function", "property"):
            page = self.guide.source_page(path)
            address = self.to(page, symbol.short) if page else ""
        else:
            address = self._line(path, symbol.span.first)
        return f'<a href="{address}">{escape(text)}</a>'

    def _line(self, path: Path, line: int) -> str:
        page = self.guide.source_page(path)
        return self.to(page, f"L{line}") if page else ""

    def _link(self, symbol: Symbol, text: str) -> str:
        page = self.places.get(symbol.name)
        code = f"<code>{escape(text)}</code>"
        return f'<a href="{self.to(page, symbol.name)}">{code}</a>' if page else code

    def _doc(self, symbol: Symbol) -> str:
        paragraphs = re.split(r"\n\s*\n", symbol.doc.strip())
        return "".join(f"<p>{self._words(p, symbol)}</p>" for p in paragraphs if p)

    def _words(self, text: str, symbol: Symbol) -> str:
        """Return text as HTML; the public names in it lead to their entries."""
        shown, end = "", 0
        text = " ".join(text.split())
        for match in CODE_SPAN.finditer(text):
            shown += escape(text[end : match.start()])
            code = match[0].strip("`")
            named = next(self._candidates(code, symbol), None)
            shown += (
                self._link(named, code) if named else f"<code>{escape(code)}</code>"
            )
            end = match.end()
        return shown + escape(text[end:])

    def _candidates(self, code: str, symbol: Symbol) -> Iterator[Symbol]:
        """Yield what a name may mean: nearby names first, then those to import."""
        scope = symbol.name
        while scope:
            if f"{scope}.{code}" in self.symbols:
                yield self.symbols[f"{scope}.{code}"]
            scope = scope.rpartition(".")[0]
        first, _, rest = code.partition(".")
        for name, origin in self.symbols[api.PACKAGE].exports:
            whole = f"{origin}.{rest}" if rest else origin
            if name == first and whole in self.symbols:
                yield self.symbols[whole]


def _signature(symbol: Symbol) -> str:
    """Return a signature as HTML, the name itself set off."""
    name = symbol.name.rpartition(".")[2]
    marked = re.sub(
        rf"(?<![\w]){re.escape(name)}(?!\w)",
        f"<b>{name}</b>",
        escape(symbol.signature, quote=False),
        count=1,
    )
    arrow = '<span class="unbroken">-&gt;</span>'  # no line ends within it
    return f"<code>{marked.replace('-&gt;', arrow)}</code>"


def _first_sentence(text: str) -> str:
    paragraph = " ".join(re.split(r"\n\s*\n", text.strip())[0].split())
    match = re.match(r".+?[.:](?= |$)", paragraph)
    return (match[0] if match else paragraph).rstrip(":")


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


def source_page(guide: Guide, source: Path, home: Home) -> str:
    """Return a whole file: where each line is explained, or why none of them is.

    Each line has its number for an anchor, and one that defines a name, the name: such
    a link holds when the lines above change.
    """
    code = "\n".join(guide.lines(source))
    named = definitions(code)
    shown = highlight(code, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True))
    rows, above = "", None
    for number, text in enumerate(shown.splitlines(), 1):
        listing = guide.homes.get((source, number))
        label = home(listing) if listing and listing != above else ""
        above = listing or above
        name = named.get(number, "")
        anchor = f' id="{name}"' if name else ""
        rows += (
            f'<div class="row" id="L{number}">'
            f'<a class="number" href="#{name or f"L{number}"}">{number}</a>'
            f"<code{anchor}>{text or ' '}</code>{label}</div>"
        )
    whole = f'<div class="source-page highlight" tabindex="0">{rows}</div>'
    reason = guide.options.get("waived", {}).get(source.as_posix())
    if reason:
        return f"<p>No page explains these lines: {escape(reason)}.</p>{whole}"
    return whole


def coverage_table(guide: Guide, to: To) -> str:
    """Return how many lines of each file the guide explains, and which it waives."""
    rows = ""
    for source in guide.sources:
        lines = [line for line in guide.lines(source) if line.strip()]
        waiting = len(guide.waiting(source))
        waived = guide.options.get("waived", {}).get(source.as_posix(), "")
        page = guide.source_page(source)
        name = f"<code>{'/<wbr>'.join(source.parts)}</code>"
        if page:
            name = f'<a href="{to(page)}">{name}</a>'
        explained = 0 if waived else len(lines) - waiting
        note = escape(waived) or (f"{waiting} lines wait" if waiting else "complete")
        rows += f"<tr><td>{name}</td><td>{len(lines)}</td>"
        rows += f"<td>{explained}</td><td>{note}</td></tr>"
    heads = "".join(f"<th>{h}</th>" for h in ("file", "lines", "explained", "the rest"))
    head = f"<thead><tr>{heads}</tr></thead>"
    return framed(f'<table class="plain">{head}<tbody>{rows}</tbody></table>')
