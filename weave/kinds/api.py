"""What the package offers: modules, and names with how they are called.

griffe reads them from the source. Nothing is imported, so that it works where the
libraries of some engines are missing. A name is public if no part of it begins with an
underscore.
"""

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

import griffe

from weave.errors import WeaveError
from weave.findings import Finding
from weave.guide import Guide, once
from weave.kinds.kind import Kind, View, framed
from weave.kinds.listing import home_link, homes, reason
from weave.source import Span

PACKAGE = "microgpt"
WIDTH = 72  # columns of a signature; a longer one has a line for each parameter
Symbol = griffe.Object


@once  # every fence of a build asks
def symbols(guide: Guide) -> dict[str, Symbol]:
    """Return every public name of the package, modules before what they hold."""
    loader = griffe.GriffeLoader(search_paths=[guide.root], allow_inspection=False)
    package = loader.load(PACKAGE, try_relative_path=False)
    assert isinstance(package, griffe.Module)
    found: dict[str, Symbol] = {}
    waiting = [package]
    for module in waiting:
        found |= {symbol.path: symbol for symbol in _with_members(module)}
        inside = (each for each in module.modules.values() if not each.is_alias)
        waiting += [each for each in inside if not each.name.startswith("_")]
    return found


def _members(owner: Symbol) -> Iterator[Symbol]:
    """Yield the public names that a module or a class defines.

    Its signature has the fields of a class, and only the source has type variables.
    """
    inside = owner.members if owner.is_module or owner.is_class else {}
    for name, member in inside.items():
        if name.startswith("_") or not isinstance(member, Symbol) or member.is_module:
            continue
        if not (_is_value(member) and (owner.is_class or len(name) == 1)):
            yield member


def _with_members(symbol: Symbol) -> Iterator[Symbol]:
    yield symbol
    for member in _members(symbol):
        yield from _with_members(member)


class Api(Kind):
    """Modules, or names of a module's own, each on a line: `module:name`."""

    language = "api"

    def content(self, guide: Guide) -> list[Symbol]:
        """Return what the fence names."""
        known, found = symbols(guide), []
        for offset, line in enumerate(map(str.strip, self.fence.body), 1):
            if line.replace(":", ".") not in known:
                raise self.error(f"the package has no public {line!r}", offset)
            found.append(known[line.replace(":", ".")])
        return found

    def html(self, view: View) -> list[str]:
        """Show a heading for each symbol, and below it what it offers."""
        lines = []
        for symbol in self.content(view.guide):
            title = f"### `{_short(symbol)}` {{#{symbol.path}}}"
            shown = _module(view, symbol) if symbol.is_module else _name(view, symbol)
            lines += ["", title, "", view.stash(shown), ""]
        return lines

    @classmethod
    def examine(cls, guide: Guide) -> Iterator[Finding]:
        """Find public names that say nothing of themselves, and modules left out."""
        shown = {symbol.path for api in cls.all(guide) for symbol in api.content(guide)}
        for symbol in symbols(guide).values():
            path, line = _path(guide, symbol), symbol.lineno or 1
            if not (symbol.docstring or _is_value(symbol)):
                what = f"{symbol.path} is public and has no docstring"
                yield WeaveError(what, path, line)
            if shown and symbol.is_module and symbol.path not in shown:
                yield WeaveError(f"no api fence shows the module {symbol.path}", path)


def _path(guide: Guide, symbol: Symbol) -> Path:
    assert isinstance(symbol.filepath, Path)
    return symbol.filepath.relative_to(guide.root)


def _short(symbol: Symbol) -> str:
    """Return the name within its module; that of a module is whole."""
    return symbol.path.removeprefix(f"{symbol.module.path}.")


def _is_value(symbol: Symbol) -> bool:
    """Tell whether this is a constant or a plain attribute."""
    return symbol.is_attribute and "property" not in symbol.labels


@once
def _pages(guide: Guide) -> dict[str, Path]:
    """Return the page of each name that an entry of its own shows."""
    every = Api.all(guide)
    return {s.path: api.page.path for api in every for s in api.content(guide)}


def _name(view: View, symbol: Symbol) -> str:
    """Return all that a name of a module offers."""
    shown = f'<p class="signature">{_signature(symbol)}</p>{_text(view, symbol, True)}'
    entries = _entries(view, list(_with_members(symbol))[1:])
    return f'<div class="api">{shown}{entries}</div>'


def _module(view: View, module: Symbol) -> str:
    """Return what a module offers: a table of what has its entry elsewhere, and the rest."""
    pages, shown = _pages(view.guide), _text(view, module, True)
    here = [m for m in _members(module) if m.path not in pages]
    listed = {m.name: m.path for m in _members(module) if m.path in pages}
    if module.path == PACKAGE:  # what it imports, it offers
        every = [m for m in module.members.values() if isinstance(m, griffe.Alias)]
        listed |= {a.name: a.target_path for a in every if a.target_path in pages}
    if listed:
        known = symbols(view.guide)
        names = sorted(listed, key=str.lower)
        rows = "".join(_row(view, name, known[listed[name]]) for name in names)
        head = "<thead><tr><th>name</th><th>what it is</th></tr></thead>"
        shown += framed(f'<table class="plain">{head}<tbody>{rows}</tbody></table>')
    shown += _entries(view, [part for member in here for part in _with_members(member)])
    # For who knows the name: the search finds what is imported.
    return f'<div class="api" data-search-exclude>{shown}</div>'


def _row(view: View, name: str, symbol: Symbol) -> str:
    there = view.to(_pages(view.guide)[symbol.path], symbol.path)
    said = _words(_first_sentence(symbol.docstring.value if symbol.docstring else ""))
    link = f'<a href="{there}"><code>{escape(name)}</code></a>'
    return f"<tr><td>{link}</td><td>{said}</td></tr>"


def _entries(view: View, symbols: list[Symbol]) -> str:
    shown = ""
    for symbol in symbols:
        kind = f"member {symbol.kind.value}" if "." in _short(symbol) else "name"
        shown += f'<dt id="{symbol.path}" class="{kind}">{_signature(symbol)}</dt>'
        shown += f'<dd class="{kind}">{_text(view, symbol)}</dd>'
    return f"<dl>{shown}</dl>" if shown else ""


def _text(view: View, symbol: Symbol, with_file: bool = False) -> str:
    """Return what a symbol says of itself, and where it stands and is explained."""
    path = _path(view.guide, symbol)
    span = Span(path, symbol.lineno or 1, symbol.endlineno or 1, ())
    where = f"{path.as_posix()}, {span.where}" if with_file else span.where
    where = path.as_posix() if symbol.is_module else where
    there = view.to(view.guide.source_page(path), f"L{span.first}")
    places = [f'<a href="{there}">{where}</a>']
    waived = reason(view.guide, path)
    if symbol.is_module and waived:
        places.append(f"no page explains it: {escape(waived)}")
    elif home := homes(view.guide).get((path, span.first)):
        places.append(f"explained in {home_link(view, home)}")
    return f'{_doc(symbol)}<p class="from">{" · ".join(places)}</p>'


def _doc(symbol: Symbol) -> str:
    doc = symbol.docstring.value.strip() if symbol.docstring else ""
    return "".join(f"<p>{_words(p)}</p>" for p in re.split(r"\n\s*\n", doc) if p)


def _words(text: str) -> str:
    """Return text as HTML."""
    return re.sub("`([^`]*)`", r"<code>\1</code>", escape(" ".join(text.split())))


def _signature(symbol: Symbol) -> str:
    """Return how a symbol is written, as HTML, the name itself set off."""
    written = escape(_written(symbol), quote=False)
    marked = re.sub(rf"\b{symbol.name}\b", f"<b>{symbol.name}</b>", written, count=1)
    arrow = '<span class="unbroken">-&gt;</span>'  # no line ends within it
    return f"<code>{marked.replace('-&gt;', arrow)}</code>"


def _written(symbol: Symbol) -> str:
    match symbol:
        case griffe.Attribute():
            annotation = f": {symbol.annotation}" if symbol.annotation else ""
            value = f" = {symbol.value}" if symbol.value else ""
            return f"{symbol.name}{annotation}{value}"
        case griffe.Class():
            bases = ", ".join(map(str, symbol.bases))
            line = f"class {symbol.signature() or f'{symbol.name}({bases})'}"
        case griffe.Function():
            line = symbol.signature()
    if len(line) > WIDTH:
        line = re.sub(r"\((?=\w+: |\*)", "(\n    ", line, count=1)
        line = re.sub(r", (?=\w+: |\*|/,)", ",\n    ", line)
        line = re.sub(r"\)(?=$| ->)", ",\n)", line, count=1)
    return line.replace("()", "") if symbol.is_class else line


def _first_sentence(text: str) -> str:
    paragraph = " ".join(re.split(r"\n\s*\n", text.strip())[0].split())
    match = re.match(r".+?[.:](?= |$)", paragraph)
    return (match[0] if match else paragraph).rstrip(":")
