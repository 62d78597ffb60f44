"""What the package offers: modules, and names with how they are called.

griffe reads them from the source. Nothing is imported, so that it works where the
libraries of some engines are missing. A name is public if no part of it begins with an
underscore.
"""

import re
from collections.abc import Container, Iterator
from html import escape
from pathlib import Path

import griffe

from weave.corrections import Finding
from weave.errors import WeaveError
from weave.guide import Guide, cached_per_guide
from weave.kinds.kind import Kind, View, framed
from weave.kinds.listing import home_link, homes, reason
from weave.source_symbols import SourceSpan

PACKAGE = "microgpt"
WIDTH = 72  # columns of a signature; a longer one has a line for each parameter
Symbol = griffe.Object


@cached_per_guide  # every fence of a build asks
def symbols(guide: Guide) -> dict[str, Symbol]:
    """Return every public name of the package, modules before what they hold."""
    loader = griffe.GriffeLoader(search_paths=[guide.root], allow_inspection=False)
    package = loader.load(PACKAGE, try_relative_path=False)
    assert isinstance(package, griffe.Module)
    found: dict[str, Symbol] = {}
    waiting = [package]
    for module in waiting:
        found |= {symbol.path: symbol for symbol in [module, *_inside(module)]}
        inside = (each for each in module.modules.values() if not each.is_alias)
        waiting += [each for each in inside if not each.name.startswith("_")]
    return found


def _inside(owner: Symbol, left_out: Container[str] = ()) -> Iterator[Symbol]:
    """Yield the public names that a module or a class defines, and what is in them.

    Its signature has the fields of a class, and only the source has type variables.
    """
    inside = owner.members if owner.is_module or owner.is_class else {}
    for name, member in inside.items():
        if name.startswith("_") or not isinstance(member, Symbol) or member.is_module:
            continue
        is_told = _is_value(member) and (owner.is_class or len(name) == 1)
        if not is_told and member.path not in left_out:
            yield member
            yield from _inside(member, left_out)


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
            lines += ["", title, "", view.stash(_shown(view, symbol)), ""]
        return lines

    @classmethod
    def examine(cls, guide: Guide) -> Iterator[Finding]:
        """Find modules that are left out."""
        shown = {symbol.path for api in cls.all(guide) for symbol in api.content(guide)}
        for path, symbol in symbols(guide).items() if shown else ():
            if symbol.is_module and path not in shown:
                what = f"no api fence shows the module {path}"
                yield WeaveError(what, _path(guide, symbol))


def _path(guide: Guide, symbol: Symbol) -> Path:
    assert isinstance(symbol.filepath, Path)
    return symbol.filepath.relative_to(guide.root)


def _short(symbol: Symbol) -> str:
    """Return the name within its module; that of a module is whole."""
    return symbol.path.removeprefix(f"{symbol.module.path}.")


def _is_value(symbol: Symbol) -> bool:
    """Tell whether this is a constant or a plain attribute."""
    return symbol.is_attribute and "property" not in symbol.labels


@cached_per_guide
def _pages(guide: Guide) -> dict[str, Path]:
    """Return the page of each name that has an entry of its own."""
    shown = [(api.page.path, s) for api in Api.all(guide) for s in api.content(guide)]
    return {symbol.path: page for page, symbol in shown if not symbol.is_module}


def _shown(view: View, symbol: Symbol) -> str:
    """Return all that a module or a name offers; what has an entry, as a link to it."""
    pages, shown = _pages(view.guide), _text(view, symbol, True)
    if symbol.is_module:  # For who knows the name: the search finds what is imported.
        opening = '<div class="api" data-search-exclude>'
        shown += _table(view, symbol)
    else:
        opening = f'<div class="api"><p class="signature">{_signature(symbol)}</p>'
    entries = ""
    for part in _inside(symbol, pages):
        kind = f"member {part.kind.value}" if "." in _short(part) else "name"
        entries += f'<dt id="{part.path}" class="{kind}">{_signature(part)}</dt>'
        entries += f'<dd class="{kind}">{_text(view, part)}</dd>'
    return f"{opening}{shown}{f'<dl>{entries}</dl>' if entries else ''}</div>"


def _table(view: View, module: Symbol) -> str:
    """Return a table of what a module offers that has an entry of its own."""
    pages, rows = _pages(view.guide), ""
    for name, member in sorted(module.members.items(), key=lambda m: m[0].lower()):
        path = getattr(member, "target_path", member.path)  # of what it imports
        if path in pages and (path == member.path or module.path == PACKAGE):
            link = f'<a href="{view.to(pages[path], path)}"><code>{name}</code></a>'
            said = _words(_first_sentence(_doc(symbols(view.guide)[path])))
            rows += f"<tr><td>{link}</td><td>{said}</td></tr>"
    head = "<thead><tr><th>name</th><th>what it is</th></tr></thead>"
    table = f'<table class="plain">{head}<tbody>{rows}</tbody></table>'
    return framed(table) if rows else ""


def _text(view: View, symbol: Symbol, with_file: bool = False) -> str:
    """Return what a symbol says of itself, and where it stands and is explained."""
    path = _path(view.guide, symbol)
    span = SourceSpan(path, symbol.lineno or 1, symbol.endlineno or 1, ())
    where = f"{path.as_posix()}, {span.line_label}" if with_file else span.line_label
    where = path.as_posix() if symbol.is_module else where
    there = view.to(view.guide.source_page_path(path), f"L{span.first}")
    places = [f'<a href="{there}">{where}</a>']
    waived = reason(view.guide, path)
    if symbol.is_module and waived:
        places.append(f"no page explains it: {escape(waived)}")
    elif home := homes(view.guide).get((path, span.first)):
        places.append(f"explained in {home_link(view, home)}")
    return f'{_doc_html(symbol)}<p class="from">{" · ".join(places)}</p>'


def _doc(symbol: Symbol) -> str:
    return symbol.docstring.value.strip() if symbol.docstring else ""


def _doc_html(symbol: Symbol) -> str:
    """Return a docstring as HTML, with lists of what a function takes and raises."""
    if not symbol.docstring:
        return ""
    html = ""
    options = {"returns_multiple_items": False, "returns_named_value": False}
    for section in symbol.docstring.parse("google", **options):
        if isinstance(section, griffe.DocstringSectionText):
            html += "".join(f"<p>{_words(p)}</p>" for p in section.value.split("\n\n"))
        elif isinstance(section, griffe.DocstringSectionReturns):
            [returned] = section.value
            html += f"<p>Returns: {_words(returned.description)}</p>"
        elif isinstance(section, griffe.DocstringSectionParameters):
            parameters = [(each.name, each.description) for each in section.value]
            html += _item_list("Parameters", parameters)
        elif isinstance(section, griffe.DocstringSectionAttributes):
            attributes = [(each.name, each.description) for each in section.value]
            html += _item_list("Attributes", attributes)
        elif isinstance(section, griffe.DocstringSectionRaises):
            errors = [(str(e.annotation), e.description) for e in section.value]
            html += _item_list("Raises", errors)
    return html


def _item_list(title: str, items: list[tuple[str, str]]) -> str:
    """Return a list of names, each with its description."""
    lines = (f"<li><code>{name}</code>: {_words(text)}</li>" for name, text in items)
    return f"<p>{title}:</p><ul>{''.join(lines)}</ul>"


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
    paragraph = " ".join(text.partition("\n\n")[0].split())
    match = re.match(r".+?[.:](?= |$)", paragraph)
    return (match[0] if match else paragraph).rstrip(":")
