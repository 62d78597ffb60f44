"""What the package offers: modules, and names with how they are called."""

import re
from collections import Counter
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path

from weave.errors import WeaveError
from weave.findings import Finding
from weave.guide import Guide, once
from weave.kinds.kind import Kind, View, framed
from weave.kinds.listing import home_link, homes, reason
from weave.symbols import PACKAGE, Symbol, modules, symbols
from weave.text import CODE_SPAN


class Api(Kind):
    """Modules, or names of a module's own, each on a line: `module:name`."""

    language = "api"
    what = "what the package offers"

    def content(self, guide: Guide) -> list[Symbol]:
        """Return what the fence names."""
        known, found = modules(guide), []
        for offset, line in enumerate(self.fence.body, 1):
            module, _, name = line.strip().partition(":")
            symbol = known.get(module)
            if symbol and name:
                wanted = f"{module}.{name}"
                symbol = next((m for m in symbol.members if m.name == wanted), None)
            if symbol is None:
                raise self.error(f"the package has no public {line.strip()!r}", offset)
            found.append(symbol)
        return found

    def html(self, view: View) -> list[str]:
        """Show a heading for each symbol, and below it what it offers."""
        names, lines = Names(view), []
        for symbol in self.content(view.guide):
            title = f"### `{symbol.short or symbol.name}` {{#{symbol.name}}}"
            lines += ["", title, "", view.stash(names.entry(symbol)), ""]
        return lines

    @classmethod
    def examine(cls, guide: Guide) -> Iterator[Finding]:
        """Find public names that say nothing of themselves, or that no one page shows."""
        shown = Counter(s.name for api in cls.all(guide) for s in api.content(guide))
        for symbol in symbols(guide):
            place = symbol.span.path, symbol.span.first
            if not symbol.doc and symbol.kind not in ("attribute", "constant"):
                what = f"{symbol.name} is public and has no docstring"
                yield WeaveError(what, *place)
            if (times := shown[symbol.name]) > 1:
                what = f"{times} fences show {symbol.name}; one is enough"
                yield WeaveError(what, *place)
            if shown and symbol.kind == "module" and not times:
                what = f"no api fence shows the module {symbol.name}"
                yield WeaveError(what, symbol.span.path)


@once
def places(guide: Guide) -> dict[str, Path]:
    """Return the page that shows each public name; a name by itself goes first."""
    shown = [
        (each, api.page.path) for api in Api.all(guide) for each in api.content(guide)
    ]
    found: dict[str, Path] = {}
    for symbol, path in sorted(shown, key=lambda pair: pair[0].kind == "module"):
        for part in symbol.all():
            found.setdefault(part.name, path)
    return found


class Names:
    """Shows symbols on one page."""

    def __init__(self, view: View) -> None:
        self.view, self.guide, self.page, self.to = view, view.guide, view.page, view.to
        self.places = places(view.guide)
        self.symbols = {symbol.name: symbol for symbol in symbols(view.guide)}

    def entry(self, symbol: Symbol) -> str:
        """Return all that a symbol offers."""
        if symbol.kind == "module":
            # For who knows the name: the search finds what is imported.
            inside = self._module(symbol)
            return f'<div class="api" data-search-exclude>{inside}</div>'
        return f'<div class="api">{self._whole(symbol)}</div>'

    def _module(self, module: Symbol) -> str:
        path = module.span.path
        waived = reason(self.guide, path)
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
        home = homes(self.guide).get((symbol.span.path, symbol.span.first))
        if home and symbol.kind != "attribute":  # its class has the same one
            places.append(f"explained in {home_link(self.view, home)}")
        special = ""
        for name, line in symbol.operators:
            there = self._line(symbol.span.path, line)
            special += f' <a href="{there}"><code>{name}</code></a>'
        if special:
            special = f"<p>Python itself calls{special}.</p>"
        return f'{self._doc(symbol)}{special}<p class="from">{" · ".join(places)}</p>'

    def _source(self, symbol: Symbol, text: str) -> str:
        path = symbol.span.path
        address = self._line(path, symbol.span.first)
        if symbol.kind in ("class", "function", "property"):
            address = self.to(self.guide.source_page(path), symbol.short)
        return f'<a href="{address}">{escape(text)}</a>'

    def _line(self, path: Path, line: int) -> str:
        return self.to(self.guide.source_page(path), f"L{line}")

    def _link(self, symbol: Symbol, text: str) -> str:
        page = self.places.get(symbol.name)
        code = f"<code>{escape(text)}</code>"
        return f'<a href="{self.to(page, symbol.name)}">{code}</a>' if page else code

    def _doc(self, symbol: Symbol) -> str:
        paragraphs = re.split(r"\n\s*\n", symbol.doc.strip())
        return "".join(f"<p>{self._words(p, symbol)}</p>" for p in paragraphs if p)

    def _words(self, text: str, symbol: Symbol) -> str:
        """Return text as HTML; the public names in it lead to their entries."""

        def linked(match: re.Match[str]) -> str:
            code = unescape(match[0].strip("`"))
            named = next(self._candidates(code, symbol), None)
            return self._link(named, code) if named else f"<code>{escape(code)}</code>"

        return CODE_SPAN.sub(linked, escape(" ".join(text.split())))

    def _candidates(self, code: str, symbol: Symbol) -> Iterator[Symbol]:
        """Yield what a name may mean: nearby names first, then those to import."""
        scope = symbol.name
        while scope:
            if f"{scope}.{code}" in self.symbols:
                yield self.symbols[f"{scope}.{code}"]
            scope = scope.rpartition(".")[0]
        first, _, rest = code.partition(".")
        for name, origin in self.symbols[PACKAGE].exports:
            whole = f"{origin}.{rest}" if rest else origin
            if name == first and whole in self.symbols:
                yield self.symbols[whole]


def _signature(symbol: Symbol) -> str:
    """Return a signature as HTML, the name itself set off."""
    name = symbol.name.rpartition(".")[2]
    written = escape(symbol.signature, quote=False)
    marked = re.sub(rf"\b{re.escape(name)}\b", f"<b>{name}</b>", written, count=1)
    arrow = '<span class="unbroken">-&gt;</span>'  # no line ends within it
    return f"<code>{marked.replace('-&gt;', arrow)}</code>"


def _first_sentence(text: str) -> str:
    paragraph = " ".join(re.split(r"\n\s*\n", text.strip())[0].split())
    match = re.match(r".+?[.:](?= |$)", paragraph)
    return (match[0] if match else paragraph).rstrip(":")
