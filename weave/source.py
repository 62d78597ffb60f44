"""Finding a symbol in the source: its file, its lines, its text."""

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from weave.errors import WeaveError


class UnknownSymbol(LookupError):
    """A symbol that the source does not have."""


@dataclass(frozen=True)
class Span:
    """Lines `first` to `last` of a file, both counted; `path` as in the project."""

    path: Path
    first: int
    last: int
    lines: tuple[str, ...]

    @property
    def numbers(self) -> range:
        """The numbers of the lines."""
        return range(self.first, self.last + 1)

    @property
    def where(self) -> str:
        """The lines in words: `line 3` or `lines 3–9`."""
        if self.first == self.last:
            return f"line {self.first}"
        return f"lines {self.first}–{self.last}"


def find(root: Path, symbols: str) -> Span:
    """Return the lines of `module:name`, `module:Class.method` or `module:A..B`.

    A range runs from the first line of A to the last of B. Decorators and the
    comments right above a definition belong to it. A module alone is its whole file.
    A file in C has its path for a module: `folder/file.c:name`. Raise UnknownSymbol with
    what to write instead.
    """
    module, _, names = symbols.partition(":")
    base = module.replace(".", "/")
    candidates = [Path(f"{base}.py"), Path(base, "__init__.py")]
    if "/" in module and module.endswith(".c"):
        candidates = [Path(module)]
    path = next((c for c in candidates if module and (root / c).is_file()), None)
    if path is None:
        raise UnknownSymbol(f"there is no module {module!r} in this project")
    text = (root / path).read_text(encoding="utf-8-sig")
    lines = text.splitlines()
    first, last = 1, len(lines)
    if names:
        start, _, end = names.partition("..")
        code = read(path, text)
        try:
            first = code.extent(start)[0]
            last = code.extent(end or start)[1]
        except UnknownSymbol as error:
            raise UnknownSymbol(f"{symbols!r}: {error}") from None
    if last < first:
        raise UnknownSymbol(f"{symbols!r} ends before it begins")
    return Span(path, first, last, tuple(lines[first - 1 : last]))


def dedent(lines: tuple[str, ...]) -> list[str]:
    """Return lines without the indentation of the first."""
    indent = len(lines[0]) - len(lines[0].lstrip())
    return [line[indent:] for line in lines]


@lru_cache(maxsize=64)  # each listing of a file asks
def read(path: Path, text: str) -> "Code":
    """Return what a file of this text defines, in the language that its name tells."""
    with invalid_named(path):
        return LANGUAGES[path.suffix](text)


@contextmanager
def invalid_named(path: Path) -> Iterator[None]:
    """Say of what Python cannot parse in which file it stands."""
    try:
        yield
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", 0) or 0
        what = getattr(error, "msg", error)
        raise WeaveError(f"is not valid Python: {what}", path, line) from None


class Python:
    """A file in Python, as Python itself reads it."""

    language = "python"  # as highlighters call it

    def __init__(self, text: str) -> None:
        self.lines, self.body = text.splitlines(), ast.parse(text).body

    def extent(self, name: str) -> tuple[int, int]:
        """Return the lines of a name; of one that is bound twice, the last binding.

        `__doc__` is what the file says of itself. Raise UnknownSymbol.
        """
        body: list[ast.stmt] = self.body
        node: ast.stmt | None = None
        for part in name.split("."):
            node = next((n for n in reversed(body) if part in _names(n, body)), None)
            if node is None:
                raise _unknown(part, {name for n in body for name in _names(n, body)})
            body = node.body if isinstance(node, ast.ClassDef) else []
        assert node is not None
        first = first_line(node)
        while first > 1 and self.lines[first - 2].lstrip().startswith("#"):
            first -= 1
        return first, node.end_lineno or node.lineno

    @cached_property
    def definitions(self) -> dict[int, str]:
        """The line that begins each function and class, those inside others too, and its name.

        The name holds when lines above it come and go: `Value.backward`. Of two of one
        name, the first counts.
        """
        found: dict[int, str] = {}
        waiting = [(node, "") for node in self.body]
        while waiting:
            node, owner = waiting.pop(0)
            name = owner
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{owner}.{node.name}".lstrip(".")
                if name not in found.values():
                    found[node.lineno] = name
            inside = [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.stmt)]
            waiting += [(child, name) for child in inside]
        return found


class C:
    """A file in C, of paragraphs: each begins in column 0 below a blank line.

    Inside a definition, what follows a blank line is indented. The names of a paragraph
    are those that it begins lines with: macros, types, functions, constants of an enum.
    """

    language = "c"
    paragraphs = re.compile(r"(?:\A|(?<=\n\n))\S.*?(?=\n*\Z|\n\n+\S)", re.DOTALL)
    names = re.compile(
        r"^#define (?P<macro>\w+)"
        r"|^typedef struct \{[^}]*\} (?P<struct>\w+);"
        r"|^typedef [\w ]+ (?P<type>\w+);?$"
        r"|^\w[\w ]*[ *](?P<function>\w+)\([^;{]*\{"
        r"|(?:^enum \{ |^    |, )(?P<constant>[A-Z]\w*) =",
        re.MULTILINE,
    )

    def __init__(self, text: str) -> None:
        self.definitions: dict[int, str] = {}
        self.extents: dict[str, tuple[int, int]] = {}
        for paragraph in self.paragraphs.finditer(text):
            first = text.count("\n", 0, paragraph.start()) + 1
            extent = first, first + paragraph[0].count("\n")
            named = list(self.names.finditer(paragraph[0]))
            if not named and first == 1:
                self.extents["__doc__"] = extent
            for match in named:
                name = match[match.lastgroup or 0]
                self.extents.setdefault(name, extent)
                if match.lastgroup in ("struct", "function"):
                    line = first + paragraph[0].count("\n", 0, match.start())
                    self.definitions[line] = name

    def extent(self, name: str) -> tuple[int, int]:
        """Return the lines of the paragraph that a name stands in."""
        if name not in self.extents:
            raise _unknown(name, set(self.extents))
        return self.extents[name]


Code = Python | C
LANGUAGES: dict[str, type[Code]] = {".py": Python, ".c": C}


def _unknown(name: str, known: set[str]) -> UnknownSymbol:
    return UnknownSymbol(f"no {name!r} among {', '.join(sorted(known))}")


def defined(node: ast.stmt) -> list[str]:
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


def first_line(node: ast.stmt | ast.expr) -> int:
    """Return the line on which some code begins, with its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min(each.lineno for each in [node, *decorators])


def _names(node: ast.stmt, body: list[ast.stmt]) -> list[str]:
    """Return the names that a statement binds; a docstring binds `__doc__`."""
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [(a.asname or a.name).partition(".")[0] for a in names]
        case ast.Expr(value=ast.Constant()) if node is body[0]:
            return ["__doc__"]
    return defined(node)
