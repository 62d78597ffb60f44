"""What the package offers: modules, and names with how they are called.

griffe reads them from the source. Nothing is imported, so that it works where the
libraries of some engines are missing. A name is public if no part of it begins with an
underscore.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path
from typing import Any

import griffe

from weave.errors import WeaveError
from weave.findings import Finding
from weave.guide import Guide, once
from weave.kinds.kind import Kind, View, framed
from weave.kinds.listing import home_link, homes, reason
from weave.source import Span, invalid_named
from weave.text import CODE_SPAN

PACKAGE = "microgpt"
WIDTH = 72  # columns of a signature; a longer one has a line for each parameter
MAX_VALUE = 60  # characters of a value; a longer one stands in the source only
Symbol = griffe.Object


class TupleTargets(griffe.Extension):
    """Reads `self.a, self.b = 1, 2`, where griffe itself sees no attribute."""

    def on_node(self, *, node: Any, agent: Any, **_: Any) -> None:
        """Hand on each part as an assignment by itself."""
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=to)], value=ast.Tuple(elts=of)):
                for target, value in zip(to, of, strict=True):
                    part = ast.copy_location(ast.Assign([target], value), node)
                    agent.handle_attribute(part)


@once  # every fence of a build asks
def modules(guide: Guide) -> dict[str, griffe.Module]:
    """Return the public modules of the package."""
    found, extensions = {}, griffe.load_extensions(TupleTargets)
    for path in (path for path in guide.sources if path.suffix == ".py"):
        parts = path.with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if not any(part.startswith("_") for part in name.split(".")):
            with invalid_named(path):
                found[name] = griffe.visit(
                    name, path, guide.text(path), extensions=extensions
                )
    return found


def members(owner: Symbol) -> Iterator[Symbol]:
    """Yield the public names that a module or a class defines, in their order."""
    inside = owner.members if owner.is_module or owner.is_class else {}
    for name, member in inside.items():
        if name.startswith("_") or not isinstance(member, Symbol):
            continue
        if not str(getattr(member, "value", "")).startswith("TypeVar("):
            yield member


def with_members(symbol: Symbol) -> Iterator[Symbol]:
    """Yield a symbol and all that belongs to it."""
    yield symbol
    for member in members(symbol):
        yield from with_members(member)


def symbols(guide: Guide) -> Iterator[Symbol]:
    """Yield every public name of the package, modules before what they hold."""
    for module in modules(guide).values():
        yield from with_members(module)


class Api(Kind):
    """Modules, or names of a module's own, each on a line: `module:name`."""

    language = "api"
    what = "what the package offers"

    def content(self, guide: Guide) -> list[Symbol]:
        """Return what the fence names."""
        known = {symbol.path: symbol for symbol in symbols(guide)}
        found = [known.get(line.strip().replace(":", ".")) for line in self.fence.body]
        if None in found:
            offset = found.index(None)
            typed = self.fence.body[offset].strip()
            raise self.error(f"the package has no public {typed!r}", offset + 1)
        return [symbol for symbol in found if symbol]

    def html(self, view: View) -> list[str]:
        """Show a heading for each symbol, and below it what it offers."""
        entries, lines = Entries(view), []
        for symbol in self.content(view.guide):
            title = f"### `{_short(symbol)}` {{#{symbol.path}}}"
            lines += ["", title, "", view.stash(entries.html(symbol)), ""]
        return lines

    @classmethod
    def examine(cls, guide: Guide) -> Iterator[Finding]:
        """Find public names that say nothing of themselves, or that no one page shows."""
        shown = Counter(s.path for api in cls.all(guide) for s in api.content(guide))
        for symbol in symbols(guide):
            place = _path(symbol), symbol.lineno or 1
            is_described = symbol.docstring or _is_value(symbol)
            if not is_described:
                what = f"{symbol.path} is public and has no docstring"
                yield WeaveError(what, *place)
            if (times := shown[symbol.path]) > 1:
                what = f"{times} fences show {symbol.path}; one is enough"
                yield WeaveError(what, *place)
            if shown and symbol.is_module and not times:
                what = f"no api fence shows the module {symbol.path}"
                yield WeaveError(what, place[0])


def _path(symbol: Symbol) -> Path:
    path = symbol.filepath
    assert isinstance(path, Path)
    return path


def _short(symbol: Symbol) -> str:
    """Return the name within its module; that of a module is whole."""
    return symbol.path.removeprefix(f"{symbol.module.path}.")


def _is_value(symbol: Symbol) -> bool:
    """Tell whether this is a constant or a plain attribute."""
    return symbol.is_attribute and "property" not in symbol.labels


@once
def pages_of_names(guide: Guide) -> dict[str, Path]:
    """Return the page that shows each public name; a name by itself goes first."""
    shown = [
        (each, api.page.path) for api in Api.all(guide) for each in api.content(guide)
    ]
    found: dict[str, Path] = {}
    for symbol, path in sorted(shown, key=lambda pair: pair[0].is_module):
        for part in with_members(symbol):
            found.setdefault(part.path, path)
    return found


class Entries:
    """Shows symbols on one page."""

    def __init__(self, view: View) -> None:
        self.view, self.guide, self.page, self.to = view, view.guide, view.page, view.to
        self.pages = pages_of_names(view.guide)
        self.symbols = {symbol.path: symbol for symbol in symbols(view.guide)}
        root = modules(view.guide)[PACKAGE].members
        self.exports = {
            name: alias.target_path
            for name, alias in root.items()
            if isinstance(alias, griffe.Alias) and alias.target_path in self.symbols
        }

    def html(self, symbol: Symbol) -> str:
        """Return all that a symbol offers."""
        if symbol.is_module:
            # For who knows the name: the search finds what is imported.
            inside = self._module(symbol)
            return f'<div class="api" data-search-exclude>{inside}</div>'
        inside = "".join(map(self._entry, members(symbol)))
        text = self._text(symbol, f"{_path(symbol).as_posix()}, ")
        inside = f"<dl>{inside}</dl>" if inside else ""
        signature = f'<p class="signature">{_signature(symbol)}</p>'
        return f'<div class="api">{signature}{text}{inside}</div>'

    def _module(self, module: Symbol) -> str:
        path = _path(module)
        waived = reason(self.guide, path)
        note = f" · no page explains it: {escape(waived)}" if waived else ""
        source = f'<a href="{self._line(module, 1)}">{path.as_posix()}</a>'
        shown = f'{self._doc(module)}<p class="from">{source}{note}</p>'
        here, elsewhere = [], {}
        for member in members(module):
            if self.pages.get(member.path) == self.page.path:
                here.append(member)
            else:
                elsewhere[_short(member)] = member.path
        tables = [elsewhere]
        if module.path == PACKAGE:
            tables.append(self.exports)
        shown += "".join(self._index(names) for names in tables if names)
        parts = (part for member in here for part in with_members(member))
        entries = "".join(map(self._entry, parts))
        return f"{shown}<dl>{entries}</dl>" if entries else shown

    def _index(self, names: dict[str, str]) -> str:
        """Return a table of names that have an entry elsewhere, in one sentence each."""
        rows = ""
        for name in sorted(names, key=str.lower):
            symbol = self.symbols[names[name]]
            summary = self._words(
                _first_sentence(_described(self.guide, symbol)), symbol
            )
            rows += f"<tr><td>{self._link(symbol, name)}</td><td>{summary}</td></tr>"
        head = "<thead><tr><th>name</th><th>what it is</th></tr></thead>"
        return framed(f'<table class="plain">{head}<tbody>{rows}</tbody></table>')

    def _entry(self, symbol: Symbol) -> str:
        kind = f"member {symbol.kind.value}" if "." in _short(symbol) else "name"
        return (
            f'<dt id="{symbol.path}" class="{kind}">{_signature(symbol)}</dt>'
            f'<dd class="{kind}">{self._text(symbol)}</dd>'
        )

    def _text(self, symbol: Symbol, file: str = "") -> str:
        """Return what a symbol says of itself, and where it stands and is explained."""
        span = Span(_path(symbol), symbol.lineno or 1, symbol.endlineno or 1, ())
        address = self._line(symbol, span.first)
        if not _is_value(symbol):
            address = self.to(self.guide.source_page(span.path), _short(symbol))
        places = [f'<a href="{address}">{file}{span.where}</a>']
        home = homes(self.guide).get((span.path, span.first))
        if home and "instance-attribute" not in symbol.labels:  # its class has the same
            places.append(f"explained in {home_link(self.view, home)}")
        operators = [
            f' <a href="{self._line(symbol, each.lineno or 1)}"><code>{name}</code></a>'
            for name, each in symbol.functions.items()
            if re.fullmatch(r"__(?!init__|post_init__)\w+__", name)
        ]
        special = (
            f"<p>Python itself calls{''.join(operators)}.</p>" if operators else ""
        )
        return f'{self._doc(symbol)}{special}<p class="from">{" · ".join(places)}</p>'

    def _line(self, symbol: Symbol, line: int) -> str:
        return self.to(self.guide.source_page(_path(symbol)), f"L{line}")

    def _link(self, symbol: Symbol, text: str) -> str:
        page = self.pages.get(symbol.path)
        code = f"<code>{escape(text)}</code>"
        return f'<a href="{self.to(page, symbol.path)}">{code}</a>' if page else code

    def _doc(self, symbol: Symbol) -> str:
        paragraphs = re.split(r"\n\s*\n", _described(self.guide, symbol).strip())
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
        scope = symbol.path
        while scope:
            if f"{scope}.{code}" in self.symbols:
                yield self.symbols[f"{scope}.{code}"]
            scope = scope.rpartition(".")[0]
        first, dot, rest = code.partition(".")
        if (whole := f"{self.exports.get(first)}{dot}{rest}") in self.symbols:
            yield self.symbols[whole]


def _described(guide: Guide, symbol: Symbol) -> str:
    """Return the docstring of a symbol; of a value, the comment right above it."""
    if symbol.docstring or not _is_value(symbol):
        return symbol.docstring.value if symbol.docstring else ""
    words: list[str] = []
    for line in reversed(guide.lines(_path(symbol))[: (symbol.lineno or 1) - 1]):
        if not line.lstrip().startswith("# "):
            break
        words.insert(0, line.strip()[2:])
    return "\n".join(words)


def _signature(symbol: Symbol) -> str:
    """Return how a symbol is written, as HTML, the name itself set off."""
    written = escape(_written(symbol), quote=False)
    marked = re.sub(rf"\b{symbol.name}\b", f"<b>{symbol.name}</b>", written, count=1)
    arrow = '<span class="unbroken">-&gt;</span>'  # no line ends within it
    return f"<code>{marked.replace('-&gt;', arrow)}</code>"


def _written(symbol: Symbol) -> str:
    match symbol:
        case griffe.Attribute():
            return _written_value(symbol)
        case griffe.Class():
            inside = ", ".join(map(str, symbol.bases))
            if "dataclass" in symbol.labels or inside == "NamedTuple":
                fields = [f for f in symbol.attributes.values() if _is_value(f)]
                inside = ", ".join(_written_value(f) for f in fields if f.annotation)
            inherited = f"{symbol.name}({inside})"
            line = f"class {(symbol.signature() or inherited).removesuffix('()')}"
        case griffe.Function():
            decorators = [str(each.value) for each in symbol.decorators]
            is_context = any("contextmanager" in each for each in decorators)
            line = symbol.signature(return_type=not is_context)
            if is_context:
                line = f"with {line}"
            elif "staticmethod" in decorators and symbol.parent:
                line = f"{symbol.parent.name}.{line}"
        case _:
            return symbol.name
    if len(line) > WIDTH:
        line = re.sub(r"\((?=\w+: |\*)", "(\n    ", line, count=1)
        line = re.sub(r", (?=\w+: |\*|/,)", ",\n    ", line)
        line = re.sub(r"\)(?=$| ->)", ",\n)", line, count=1)
    return line


def _written_value(symbol: griffe.Attribute) -> str:
    """Return a constant, a field or an attribute as a class or its constructor sets it.

    What a constructor keeps of its arguments has their types.
    """
    value, annotation = str(symbol.value or ""), symbol.annotation
    if symbol.labels == {"instance-attribute"}:
        made = symbol.parent and symbol.parent.functions.get("__init__")
        if not annotation and made and value in made.parameters:
            annotation = made.parameters[value].annotation
        if annotation or len(value) > MAX_VALUE:
            value = ""
    value = re.sub(r"field\(default_factory=(\w+)\)", r"\1()", value)
    shown = f" = {value if len(value) <= MAX_VALUE else '…'}" if value else ""
    return f"{symbol.name}{f': {annotation}' if annotation else ''}{shown}"


def _first_sentence(text: str) -> str:
    paragraph = " ".join(re.split(r"\n\s*\n", text.strip())[0].split())
    match = re.match(r".+?[.:](?= |$)", paragraph)
    return (match[0] if match else paragraph).rstrip(":")
