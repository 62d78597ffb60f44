"""What the package offers: its public names, as the source writes and describes them.

Nothing is imported, so that it works where the libraries of some engines are missing.
A name is public if no part of it begins with an underscore.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from weave.guide import Guide
from weave.source import Span, defined, first_line, invalid_named

PACKAGE = "microgpt"
WIDTH = 72  # columns of a signature; a longer one has a line for each parameter
LONG = 60  # characters of a value; a longer one stands in the source only
MADE_BY_PYTHON = {"__init__", "__post_init__"}  # part of how a class is called


@dataclass(frozen=True)
class Symbol:
    """A public name: how it is written, what it says of itself, and where it stands.

    `name` is the whole of it, such as `microgpt.autograd.Value.backward`.
    """

    name: str
    kind: str  # module, class, function, property, attribute or constant
    signature: str
    doc: str
    span: Span
    members: tuple[Symbol, ...] = ()
    operators: tuple[tuple[str, int], ...] = ()  # special methods and their lines
    # Names a module has from others, and whose
    exports: tuple[tuple[str, str], ...] = ()

    @property
    def short(self) -> str:
        """The name within its module."""
        return self.name.removeprefix(f"{_module_name(self.span.path)}.")

    def all(self) -> Iterator[Symbol]:
        """Yield this symbol and what belongs to it."""
        yield self
        for member in self.members:
            yield from member.all()


@lru_cache(maxsize=1)  # every fence of a build asks
def modules(guide: Guide) -> dict[str, Symbol]:
    """Return the public modules of the package, each with what it offers."""
    found = {}
    for path in (path for path in guide.sources if path.suffix == ".py"):
        name = _module_name(path)
        if not any(part.startswith("_") for part in name.split(".")):
            found[name] = _read_module(path, "\n".join(guide.lines(path)))
    return found


def symbols(guide: Guide) -> Iterator[Symbol]:
    """Yield every public name of the package, modules before what they hold."""
    for module in modules(guide).values():
        yield from module.all()


def _module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@lru_cache(maxsize=256)
def _read_module(path: Path, text: str) -> Symbol:
    with invalid_named(path):
        tree, lines = ast.parse(text), tuple(text.splitlines())
    module, span = _module_name(path), Span(path, 1, len(lines), lines)
    members = tuple(_Reader(path, lines, module).members(tree.body, module))
    doc = ast.get_docstring(tree) or ""
    return Symbol(
        module, "module", module, doc, span, members, exports=tuple(_exports(tree))
    )


def _exports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names of `__all__` that are imported, each with its whole name."""
    origins, exported = {}, set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                origins[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Assign) and "__all__" in defined(node):
            exported = set(ast.literal_eval(node.value))
    yield from ((name, origins[name]) for name in sorted(exported & origins.keys()))


def _assigned(node: ast.AST) -> list[tuple[ast.expr, ast.expr | None]]:
    """Return what a statement assigns to, each with its value: of `a, b = 1, 2` both."""
    match node:
        case ast.AnnAssign(target=target, value=value):
            return [(target, value)]
        case ast.Assign(targets=[ast.Tuple(elts=to)], value=ast.Tuple(elts=of)):
            return list(zip(to, of, strict=True))
        case ast.Assign(targets=targets, value=value):
            return [(target, value) for target in targets]
    return []


class _Reader:
    """Reads the public names of one file."""

    def __init__(self, path: Path, lines: tuple[str, ...], module: str) -> None:
        self.path, self.lines, self.module = path, lines, module

    def members(self, body: list[ast.stmt], owner: str) -> Iterator[Symbol]:
        for node in body:
            value = self.source(getattr(node, "value", None))
            if value.startswith("TypeVar("):  # a name for types alone
                continue
            if all(name.startswith("_") for name in defined(node)):
                continue
            if isinstance(node, ast.ClassDef):
                yield self.a_class(node, owner)
            elif isinstance(node, ast.FunctionDef):
                yield self.function(node, owner, is_method=owner != self.module)
            else:
                yield from self.assigned(node, owner)

    def a_class(self, node: ast.ClassDef, owner: str) -> Symbol:
        name = f"{owner}.{node.name}"
        methods = [n for n in node.body if isinstance(n, ast.FunctionDef)]
        made = next((m for m in methods if m.name == "__init__"), None)
        bases = ", ".join(self.source(base) for base in node.bases)
        fields = [n for n in node.body if isinstance(n, ast.AnnAssign)]
        decorators = [self.source(d) for d in node.decorator_list]
        is_record = bases == "NamedTuple" or any("dataclass" in d for d in decorators)
        if made:
            parameters = self.parameters(made.args, skip=1)
        elif is_record:
            parameters = [self.field(n) for n in fields]
        else:
            parameters = [bases] if bases else []
        attributes = list(self.attributes(made, name)) if made else []
        known = {attribute.name for attribute in attributes}
        inside = [m for m in self.members(node.body, name) if m.name not in known]
        special = tuple(
            (m.name, m.lineno)
            for m in methods
            if m.name.startswith("__") and m.name not in MADE_BY_PYTHON
        )
        written = _written(f"class {node.name}", parameters, "")
        doc, members = ast.get_docstring(node) or "", (*attributes, *inside)
        return Symbol(name, "class", written, doc, self.span(node), members, special)

    def attributes(self, made: ast.FunctionDef, owner: str) -> Iterator[Symbol]:
        """Yield what a constructor keeps, with the types that it tells."""
        arguments = [*made.args.args, *made.args.kwonlyargs]
        types = {a.arg: self.source(a.annotation) for a in arguments}
        seen = set()
        for node in ast.walk(made):
            told = self.source(getattr(node, "annotation", None))
            for target, value in _assigned(node):
                name = self.source(target).removeprefix("self.")
                is_kept = isinstance(target, ast.Attribute) and name == target.attr
                if not is_kept or name.startswith("_") or name in seen:
                    continue
                seen.add(name)
                same = isinstance(value, ast.Name) and types.get(value.id)
                kind, text = told or same or "", self.source(value)
                written = f"{name}: {kind}" if kind else name
                if not kind and 0 < len(text) <= LONG:
                    written = f"{name} = {text}"
                span = self.span(target)
                yield Symbol(f"{owner}.{name}", "attribute", written, "", span)

    def function(self, node: ast.FunctionDef, owner: str, is_method: bool) -> Symbol:
        decorators = [self.source(d) for d in node.decorator_list]
        is_static = "staticmethod" in decorators
        returns = self.source(node.returns)
        name, doc = f"{owner}.{node.name}", ast.get_docstring(node) or ""
        if "property" in decorators:
            written = f"{node.name}: {returns}"
            return Symbol(name, "property", written, doc, self.span(node))
        parameters = self.parameters(node.args, skip=int(is_method and not is_static))
        title = f"{owner.rpartition('.')[2]}.{node.name}" if is_static else node.name
        if any("contextmanager" in d for d in decorators):
            title = f"with {title}"
            returns = returns.removeprefix("Iterator[").removesuffix("]")
            returns = "" if returns == "None" else returns
        written = _written(title, parameters, returns, called=True)
        return Symbol(name, "function", written, doc, self.span(node))

    def assigned(self, node: ast.stmt, owner: str) -> Iterator[Symbol]:
        """Yield constants, names for types, and the fields of a record."""
        kind = "constant" if owner == self.module else "attribute"
        annotation = self.source(getattr(node, "annotation", None))
        told = f": {annotation}" if annotation else ""
        for target, value in _assigned(node):
            name, text = self.source(target), self.source(value)
            shown = f" = {text if len(text) <= LONG else '…'}" if text else ""
            written = f"{name}{told}{shown}"
            doc = self.comment(node.lineno)
            yield Symbol(f"{owner}.{name}", kind, written, doc, self.span(node))

    def comment(self, line: int) -> str:
        """Return the comment right above a line."""
        words: list[str] = []
        while line > 1 and self.lines[line - 2].lstrip().startswith("# "):
            line -= 1
            words.insert(0, self.lines[line - 1].strip()[2:])
        return "\n".join(words)

    def parameters(self, given: ast.arguments, skip: int) -> list[str]:
        """Return the parameters as they are written, the first ones left out."""
        first = [*given.posonlyargs, *given.args]
        defaults: list[ast.expr | None] = [None] * len(first)
        defaults[len(first) - len(given.defaults) :] = given.defaults
        written = list(map(self.parameter, first, defaults))
        if given.posonlyargs:
            written.insert(len(given.posonlyargs), "/")
        if given.vararg or given.kwonlyargs:
            written.append(f"*{self.parameter(given.vararg)}")
        written += map(self.parameter, given.kwonlyargs, given.kw_defaults)
        if given.kwarg:
            written.append(f"**{self.parameter(given.kwarg)}")
        return written[skip:]

    def parameter(self, given: ast.arg | None, default: ast.expr | None = None) -> str:
        """Return a parameter as it is written; for none, nothing."""
        written = self.source(given)
        sign = " = " if ":" in written else "="
        return f"{written}{sign}{self.source(default)}" if default else written

    def field(self, node: ast.AnnAssign) -> str:
        factory = r"field\(default_factory=(\w+)\)$"
        return re.sub(factory, r"\1()", self.source(node))

    def source(self, node: ast.AST | None) -> str:
        """Return what a node is written as, in one line."""
        if not isinstance(node, ast.expr | ast.arg | ast.stmt) or not node.end_lineno:
            return ""
        # As ast.get_source_segment, which splits the whole file for each node.
        lines = [x.encode() for x in self.lines[node.lineno - 1 : node.end_lineno]]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        text = " ".join(b"\n".join(lines).decode().split())
        return re.sub(r"(?<=[(\[{]) | (?=[)\]}])", "", text)

    def span(self, node: ast.stmt | ast.expr) -> Span:
        first, last = first_line(node), node.end_lineno or node.lineno
        return Span(self.path, first, last, self.lines[first - 1 : last])


def _written(
    title: str, parameters: list[str], returns: str, *, called: bool = False
) -> str:
    """Write a signature, in one line if it fits."""
    end = f" -> {returns}" if returns else ""
    if not parameters and not called:
        return title
    line = f"{title}({', '.join(parameters)}){end}"
    if len(line) <= WIDTH:
        return line
    inside = "".join(f"    {parameter},\n" for parameter in parameters)
    return f"{title}(\n{inside}){end}"
