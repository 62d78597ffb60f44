"""Finding a symbol in the source: its file, its lines, its text."""

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from weave.errors import WeaveError

DEFINITION_NODES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
C_PARAGRAPH = re.compile(r"(?:\A|(?<=\n\n))\S.*?(?=\n*\Z|\n\n+\S)", re.DOTALL)
C_DEFINITION = re.compile(
    r"^#define (?P<macro>\w+)"
    r"|^typedef struct \{[^}]*\} (?P<struct>\w+);"
    r"|^typedef [\w ]+ (?P<type>\w+);?$"
    r"|^\w[\w ]*[ *](?P<function>\w+)\([^;{]*\{"
    r"|(?:^enum \{ |^    |, )(?P<constant>[A-Z]\w*) =",
    re.MULTILINE,
)


class UnknownSymbol(WeaveError):
    """A symbol that the source does not have."""


@dataclass(frozen=True)
class SourceSpan:
    """Lines `first` to `last` of a file, both counted; `path` as in the project."""

    path: Path
    first: int
    last: int
    lines: tuple[str, ...]

    @property
    def line_numbers(self) -> range:
        """The numbers of the lines."""
        return range(self.first, self.last + 1)

    @property
    def line_label(self) -> str:
        """The lines in words: `line 3` or `lines 3–9`."""
        if self.first == self.last:
            return f"line {self.first}"
        return f"lines {self.first}–{self.last}"


def find_source(root: Path, symbols: str) -> SourceSpan:
    """Return the lines of `module:name`, `module:Class.method` or `module:A..B`.

    A range runs from the first line of A to the last of B. Decorators and the
    comments right above a definition belong to it. A module alone is its whole file.
    A file in C has its path for a module: `folder/file.c:name`. Raise UnknownSymbol with
    what to write instead.
    """
    module, _, names = symbols.partition(":")
    base = module.replace(".", "/")
    in_c = "/" in module and module.endswith(".c")
    candidates = [module] if in_c else [f"{base}.py", f"{base}/__init__.py"]
    path = next((Path(each) for each in candidates if (root / each).is_file()), None)
    if path is None:
        raise UnknownSymbol(f"there is no module {module!r} in this project")
    text = (root / path).read_text(encoding="utf-8-sig")
    lines = text.splitlines()
    first, last = 1, len(lines)
    if names:
        start, _, end = names.partition("..")
        extents = parse_source(path, text).line_ranges
        if unknown := {start, end or start} - {*extents}:
            known = ", ".join(sorted(extents))
            raise UnknownSymbol(f"{symbols!r}: no {min(unknown)!r} among {known}")
        first, last = extents[start][0], extents[end or start][1]
    if last < first:
        raise UnknownSymbol(f"{symbols!r} ends before it begins")
    return SourceSpan(path, first, last, tuple(lines[first - 1 : last]))


def dedent(lines: tuple[str, ...]) -> list[str]:
    """Return lines without the indentation of the first."""
    indent = len(lines[0]) - len(lines[0].lstrip())
    return [line[indent:] for line in lines]


@dataclass
class SourceSymbols:
    """What a file defines, in a language as highlighters call it.

    `extents` has the lines of each name, `Value.backward` say; of one that is bound twice,
    those of the last binding. `definitions` has the line that begins each function and
    class, those inside others too, and a name that holds when lines above it come and go.
    `__doc__` is what the file says of itself.
    """

    language: str
    line_ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    definitions_by_line: dict[int, str] = field(default_factory=dict)


@lru_cache(maxsize=64)  # each listing of a file asks
def parse_source(path: Path, text: str) -> SourceSymbols:
    """Return what a file of this text defines, in the language that its name tells."""
    with report_syntax_errors(path):
        return _parse_c(text) if path.suffix == ".c" else _parse_python(text)


@contextmanager
def report_syntax_errors(path: Path) -> Iterator[None]:
    """Say of what Python cannot parse in which file it stands."""
    try:
        yield
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", 0) or 0
        what = getattr(error, "msg", error)
        raise WeaveError(f"is not valid Python: {what}", path, line) from None


def _parse_python(text: str) -> SourceSymbols:
    code, lines = SourceSymbols("python"), text.splitlines()

    def visit(body: list[ast.stmt], owner: str, is_public: bool) -> None:
        for node in body:
            first, inside = first_line(node), owner
            while first > 1 and lines[first - 2].lstrip().startswith("#"):
                first -= 1
            for name in _bound_names(node, body) if is_public else ():
                code.line_ranges[f"{owner}{name}"] = (
                    first,
                    node.end_lineno or node.lineno,
                )
            if isinstance(node, DEFINITION_NODES):
                inside = f"{owner}{node.name}."
                if inside[:-1] not in code.definitions_by_line.values():
                    code.definitions_by_line[node.lineno] = inside[:-1]
            nested = [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.stmt)]
            visit(nested, inside, is_public and isinstance(node, ast.ClassDef))

    visit(ast.parse(text).body, "", True)
    return code


def _parse_c(text: str) -> SourceSymbols:
    """Read C as paragraphs: each begins in column 0 below a blank line.

    Inside a definition, what follows a blank line is indented. The names of a paragraph
    are those that it begins lines with: macros, types, functions, constants of an enum.
    """
    code = SourceSymbols("c")
    for paragraph in C_PARAGRAPH.finditer(text):
        first = text.count("\n", 0, paragraph.start()) + 1
        extent = first, first + paragraph[0].count("\n")
        named = list(C_DEFINITION.finditer(paragraph[0]))
        if not named and first == 1:
            code.line_ranges["__doc__"] = extent
        for match in named:
            name = match[match.lastgroup or 0]
            code.line_ranges.setdefault(name, extent)
            if match.lastgroup in ("struct", "function"):
                line = first + paragraph[0].count("\n", 0, match.start())
                code.definitions_by_line[line] = name
    return code


def defined_names(node: ast.stmt) -> list[str]:
    """Return the names that a statement gives to something that it makes."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Assign(targets=targets):
            pass
        case ast.AnnAssign(target=target):
            targets = [target]
        case _:
            return []
    named = [n for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]
    return [name.id for name in named if isinstance(name.ctx, ast.Store)]


def first_line(node: ast.stmt) -> int:
    """Return the line on which some code begins, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _bound_names(node: ast.stmt, body: list[ast.stmt]) -> list[str]:
    """Return the names that a statement binds; a docstring binds `__doc__`."""
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [(a.asname or a.name).partition(".")[0] for a in names]
        case ast.Expr(value=ast.Constant()) if node is body[0]:
            return ["__doc__"]
    return defined_names(node)
