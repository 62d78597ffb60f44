"""The API reference: the package's modules, and names with their signatures.

griffe reads them from the source. Nothing is imported, so that it works where the
libraries of some engines are missing. A name is public if no part of it begins with an
underscore.
"""

import re
from collections.abc import Container, Iterator
from html import escape
from pathlib import Path

import griffe

from weave.errors import WeaveError
from weave.fences.base import Html, RenderContext, TypedFence, make_scrollable
from weave.fences.listing import explaining_listings
from weave.guide import Guide, cached_per_guide
from weave.source_symbols import SourceSpan

PACKAGE_NAME = "microgpt"
MAX_SIGNATURE_COLUMNS = 72  # a longer one has a line for each parameter
Symbol = griffe.Object


@cached_per_guide  # called for each fence of a build
def public_symbols(guide: Guide) -> dict[str, Symbol]:
    """Return every public module, class, function and constant, by its dotted name.

    Modules come before what they define.
    """
    loader = griffe.GriffeLoader(search_paths=[guide.root], allow_inspection=False)
    package = loader.load(PACKAGE_NAME, try_relative_path=False)
    assert isinstance(package, griffe.Module)
    symbols: dict[str, Symbol] = {}
    queue = [package]
    for module in queue:
        symbols |= {s.path: s for s in [module, *_walk_members(module)]}
        submodules = (each for each in module.modules.values() if not each.is_alias)
        queue += [each for each in submodules if not each.name.startswith("_")]
    return symbols


def _walk_members(owner: Symbol, excluded: Container[str] = ()) -> Iterator[Symbol]:
    """Yield the public names that a module or a class defines, and those inside them.

    Skip type variables, and fields, which the signature of a class lists.
    """
    members = owner.members if owner.is_module or owner.is_class else {}
    for name, member in members.items():
        if name.startswith("_") or not isinstance(member, Symbol) or member.is_module:
            continue
        is_field = _is_value(member) and owner.is_class
        is_type_variable = _is_value(member) and len(name) == 1
        if not is_field and not is_type_variable and member.path not in excluded:
            yield member
            yield from _walk_members(member, excluded)


class ApiReference(TypedFence):
    """Modules, or names of a module, each on a line: `module` or `module:name`."""

    language = "api"

    def resolve(self, guide: Guide) -> list[Symbol]:
        """Return the symbols that the fence names."""
        public, symbols = public_symbols(guide), []
        for body_line, text in enumerate(map(str.strip, self.fence.body), 1):
            path = text.replace(":", ".")
            if path not in public:
                raise self.error(
                    f"the package has no public {text!r}: write 'module' or "
                    "'module:name'",
                    body_line,
                )
            symbols.append(public[path])
        return symbols

    def render(self, context: RenderContext) -> list[str]:
        """Return a heading for each symbol, and below it the documentation."""
        lines = []
        for symbol in self.resolve(context.guide):
            heading = f"### `{_name_within_module(symbol)}` {{#{symbol.path}}}"
            html = context.stash_html(_render_symbol(context, symbol))
            lines += ["", heading, "", html, ""]
        return lines

    @classmethod
    def check_completeness(cls, guide: Guide) -> Iterator[WeaveError]:
        """Yield an error for each module that no fence names, if any names one."""
        fences = cls.find_in_guide(guide)
        paths = {symbol.path for fence in fences for symbol in fence.resolve(guide)}
        for path, symbol in public_symbols(guide).items() if paths else ():
            if symbol.is_module and path not in paths:
                yield WeaveError(
                    f"no page describes the module {path}: add it to an 'api' fence",
                    _source_path(guide, symbol),
                )


def _source_path(guide: Guide, symbol: Symbol) -> Path:
    assert isinstance(symbol.filepath, Path)
    return symbol.filepath.relative_to(guide.root)


def _name_within_module(symbol: Symbol) -> str:
    """Return the name within its module; of a module, the whole dotted name."""
    return symbol.path.removeprefix(f"{symbol.module.path}.")


def _is_value(symbol: Symbol) -> bool:
    """Return whether this is a constant or a plain attribute."""
    return symbol.is_attribute and "property" not in symbol.labels


@cached_per_guide
def _pages_by_symbol(guide: Guide) -> dict[str, Path]:
    """Return the page of each name, not a module, that a fence names."""
    fences = ApiReference.find_in_guide(guide)
    pairs = [(fence.page.path, s) for fence in fences for s in fence.resolve(guide)]
    return {symbol.path: page for page, symbol in pairs if not symbol.is_module}


def _render_symbol(context: RenderContext, symbol: Symbol) -> Html:
    """Return a symbol's documentation, then its members' or links to them."""
    pages = _pages_by_symbol(context.guide)
    html = _render_docstring(context, symbol, with_file=True)
    if symbol.is_module:  # the search finds each name's own entry
        opening = '<div class="api" data-search-exclude>'
        html += _render_names_table(context, symbol)
    else:
        signature = _render_signature(symbol)
        opening = f'<div class="api"><p class="signature">{signature}</p>'
    entries = ""
    for member in _walk_members(symbol, pages):
        is_nested = "." in _name_within_module(member)
        css_class = f"member {member.kind.value}" if is_nested else "name"
        signature = _render_signature(member)
        entries += f'<dt id="{member.path}" class="{css_class}">{signature}</dt>'
        docstring = _render_docstring(context, member)
        entries += f'<dd class="{css_class}">{docstring}</dd>'
    return f"{opening}{html}{f'<dl>{entries}</dl>' if entries else ''}</div>"


def _render_names_table(context: RenderContext, module: Symbol) -> Html:
    """Return a table of the names of a module that have an entry of their own."""
    pages, rows = _pages_by_symbol(context.guide), ""
    for name, member in sorted(module.members.items(), key=lambda m: m[0].lower()):
        path = getattr(member, "target_path", member.path)  # of an imported name
        if path in pages and (path == member.path or module.path == PACKAGE_NAME):
            url = context.url_to(pages[path], path)
            link = f'<a href="{url}"><code>{name}</code></a>'
            docstring = public_symbols(context.guide)[path].docstring
            sentence = _first_sentence(docstring.value if docstring else "")
            summary = _code_spans_to_html(sentence)
            rows += f"<tr><td>{link}</td><td>{summary}</td></tr>"
    head = "<thead><tr><th>name</th><th>what it is</th></tr></thead>"
    table = f'<table class="data-table">{head}<tbody>{rows}</tbody></table>'
    return make_scrollable(table) if rows else ""


def _render_docstring(
    context: RenderContext, symbol: Symbol, with_file: bool = False
) -> Html:
    """Return a symbol's docstring, and links to its source and its explanation."""
    path = _source_path(context.guide, symbol)
    span = SourceSpan(path, symbol.lineno or 1, symbol.endlineno or 1, ())
    label = f"{path.as_posix()}, {span.line_label}" if with_file else span.line_label
    label = path.as_posix() if symbol.is_module else label
    url = context.url_to(context.guide.source_page_path(path), f"L{span.first}")
    links = [f'<a href="{url}">{label}</a>']
    reason = context.guide.waiver_reason(path)
    if symbol.is_module and reason:
        links.append(f"no page explains it: {escape(reason)}")
    elif listing := explaining_listings(context.guide).get((path, span.first)):
        links.append(f"explained in {listing.link_from(context)}")
    return f'{_docstring_html(symbol)}<p class="source-module">{" · ".join(links)}</p>'


def _docstring_html(symbol: Symbol) -> Html:
    """Return a docstring as HTML, with lists of what a function takes and raises."""
    if not symbol.docstring:
        return ""
    html = ""
    options = {"returns_multiple_items": False, "returns_named_value": False}
    for section in symbol.docstring.parse("google", **options):
        if isinstance(section, griffe.DocstringSectionText):
            paragraphs = section.value.split("\n\n")
            html += "".join(f"<p>{_code_spans_to_html(p)}</p>" for p in paragraphs)
        elif isinstance(section, griffe.DocstringSectionReturns):
            [returned] = section.value
            html += f"<p>Returns: {_code_spans_to_html(returned.description)}</p>"
        else:  # parameters, attributes or errors
            html += f"<p>{section.kind.value.capitalize()}:</p><ul>"
            for item in section.value:
                name = getattr(item, "name", item.annotation)  # errors have no name
                text = _code_spans_to_html(item.description)
                html += f"<li><code>{name}</code>: {text}</li>"
            html += "</ul>"
    return html


def _code_spans_to_html(paragraph: str) -> Html:
    """Return a paragraph of a docstring as HTML, with its code spans marked up."""
    return re.sub("`([^`]*)`", r"<code>\1</code>", escape(" ".join(paragraph.split())))


def _render_signature(symbol: Symbol) -> Html:
    """Return a signature as HTML, with the name in bold."""
    signature = escape(_signature(symbol), quote=False)
    bold = re.sub(rf"\b{symbol.name}\b", f"<b>{symbol.name}</b>", signature, count=1)
    arrow = '<span class="no-break">-&gt;</span>'  # keeps a line from ending within it
    return f"<code>{bold.replace('-&gt;', arrow)}</code>"


def _signature(symbol: Symbol) -> str:
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
    if len(line) > MAX_SIGNATURE_COLUMNS:
        line = re.sub(r"\((?=\w+: |\*)", "(\n    ", line, count=1)
        line = re.sub(r", (?=\w+: |\*|/,)", ",\n    ", line)
        line = re.sub(r"\)(?=$| ->)", ",\n)", line, count=1)
    return line.replace("()", "") if symbol.is_class else line


def _first_sentence(docstring: str) -> str:
    paragraph = " ".join(docstring.strip().partition("\n\n")[0].split())
    match = re.match(r".+?[.:](?= |$)", paragraph)
    return (match[0] if match else paragraph).rstrip(":")
