"""Finding the lines of a function, class or other name in source files of Python and C."""

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path

from weave.errors import WeaveError

# Statements that define a name and have a body
DEFINITION_NODES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# A line that begins in column 0 below a blank line, and all up to the next such line
C_PARAGRAPH = re.compile(r"(?:\A|(?<=\n\n))\S.*?(?=\n*\Z|\n\n+\S)", re.DOTALL)
C_DEFINITION = re.compile(
    r"^#define (?P<macro>\w+)"
    r"|^typedef struct \{[^}]*\} (?P<struct>\w+);"
    r"|^typedef [\w ]+ (?P<type>\w+);?$"
    r"|^\w[\w ]*[ *](?P<function>\w+)\([^;{]*\{"
    r"|(?:^enum \{ |^    |, )(?P<constant>[A-Z]\w*) =",
    re.MULTILINE,
)


class UnknownSymbolError(WeaveError):
    """A name of a module or a symbol that the project does not have."""


@dataclass(frozen=True)
class SourceSpan:
    """Consecutive lines of a file: its path, the first and last number from 1, the text."""

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
        """The numbers of the lines, for readers: `line 3` or `lines 3–9`."""
        is_single = self.first == self.last
        return f"line {self.first}" if is_single else f"lines {self.first}–{self.last}"


def find_source(root: Path, reference: str) -> SourceSpan:
    """Return the lines that a reference such as `microgpt.nn:softmax` names.

    The lines of a definition include its decorators and the comments right above it.

    Args:
        root: The folder of the project.
        reference: `module:name`, `module:Class.method`, a range `module:A..B` from the
            first line of A to the last of B, or `module` for the whole file. A file in C
            has its path for a module: `folder/file.c:name`.

    Raises:
        UnknownSymbolError: The project lacks the module or a name, or A is below B.
        WeaveError: The file is not valid Python.
    """
    module, _, names = reference.partition(":")
    base = module.replace(".", "/")
    is_c = "/" in module and module.endswith(".c")
    candidates = [module] if is_c else [f"{base}.py", f"{base}/__init__.py"]
    path = next((Path(each) for each in candidates if (root / each).is_file()), None)
    if path is None:
        raise UnknownSymbolError(
            f"there is no module {module!r}: expected {' or '.join(candidates)}"
        )
    text = (root / path).read_text(encoding="utf-8-sig")
    lines = text.splitlines()
    first, last = 1, len(lines)
    if names:
        start, _, end = names.partition("..")
        ranges = parse_source(path, text).line_ranges
        for name in (start, end or start):
            if name not in ranges:
                raise UnknownSymbolError(_describe_unknown(path, name, [*ranges]))
        first, last = ranges[start][0], ranges[end or start][1]
        if last < first:
            raise UnknownSymbolError(
                f"{start!r} is below {end!r} in {path}: write '{module}:{end}..{start}'"
            )
    return SourceSpan(path, first, last, tuple(lines[first - 1 : last]))


def _describe_unknown(path: Path, name: str, known: list[str]) -> str:
    problem = f"{path.as_posix()} does not define {name!r}"
    if matches := get_close_matches(name, known):
        return f"{problem}; did you mean {' or '.join(map(repr, matches))}?"
    return f"{problem}; it defines {', '.join(sorted(known))}"


def dedent_by_first_line(lines: tuple[str, ...]) -> list[str]:
    """Return lines without the indentation of the first."""
    indent = len(lines[0]) - len(lines[0].lstrip())
    return [line[indent:] for line in lines]


@dataclass
class SourceSymbols:
    """The names that a source file defines."""

    language: str  # as highlighters call it
    # The first and the last line of each public name, such as `Value.backward`; of one
    # that is bound twice, those of the last binding. The file's docstring is `__doc__`.
    line_ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    # Each function, method and class, nested ones included, by the line where it begins
    definitions_by_line: dict[int, str] = field(default_factory=dict)


@lru_cache(maxsize=64)  # called for each listing of a file
def parse_source(path: Path, text: str) -> SourceSymbols:
    """Return the names that a text defines; the suffix of its path decides the language.

    Raises:
        WeaveError: The text is not valid Python.
    """
    with report_syntax_errors(path):
        return _parse_c(text) if path.suffix == ".c" else _parse_python(text)


@contextmanager
def report_syntax_errors(path: Path) -> Iterator[None]:
    """Turn an error of Python's parser into a WeaveError that names the file and line."""
    try:
        yield
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", 0) or 0
        reason = getattr(error, "msg", error)
        raise WeaveError(f"is not valid Python: {reason}", path, line) from None


def _parse_python(text: str) -> SourceSymbols:
    symbols, lines = SourceSymbols("python"), text.splitlines()

    def visit(statements: list[ast.stmt], owner: str, is_public: bool) -> None:
        for node in statements:
            first, inner_owner = first_line_number(node), owner
            while first > 1 and lines[first - 2].lstrip().startswith("#"):
                first -= 1
            last = node.end_lineno or node.lineno
            is_first = node is statements[0]
            names = _imported_or_defined_names(node, is_first) if is_public else []
            symbols.line_ranges |= {f"{owner}{name}": (first, last) for name in names}
            if isinstance(node, DEFINITION_NODES):
                inner_owner = f"{owner}{node.name}."
                if inner_owner[:-1] not in symbols.definitions_by_line.values():
                    symbols.definitions_by_line[node.lineno] = inner_owner[:-1]
            nested = [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.stmt)]
            visit(nested, inner_owner, is_public and isinstance(node, ast.ClassDef))

    visit(ast.parse(text).body, "", True)
    return symbols


def _parse_c(text: str) -> SourceSymbols:
    """Read C as paragraphs, each of which begins in column 0 below a blank line.

    Inside a definition, what follows a blank line is indented. The names of a paragraph
    are those that its lines begin with: macros, types, functions, constants of an enum.
    """
    symbols = SourceSymbols("c")
    for paragraph in C_PARAGRAPH.finditer(text):
        first = text.count("\n", 0, paragraph.start()) + 1
        line_range = first, first + paragraph[0].count("\n")
        matches = list(C_DEFINITION.finditer(paragraph[0]))
        if not matches and first == 1:
            symbols.line_ranges["__doc__"] = line_range
        for match in matches:
            name = match[match.lastgroup or 0]
            symbols.line_ranges.setdefault(name, line_range)
            if match.lastgroup in ("struct", "function"):
                line = first + paragraph[0].count("\n", 0, match.start())
                symbols.definitions_by_line[line] = name
    return symbols


def defined_names(node: ast.stmt) -> list[str]:
    """Return the names that a statement defines or assigns; imports define none."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Assign(targets=targets):
            pass
        case ast.AnnAssign(target=target):
            targets = [target]
        case _:
            return []
    names = [n for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)]
    return [name.id for name in names if isinstance(name.ctx, ast.Store)]


def first_line_number(node: ast.stmt) -> int:
    """Return the number of a statement's first line, its decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _imported_or_defined_names(node: ast.stmt, is_first: bool) -> list[str]:
    """Return the names that a statement imports or defines; a docstring is `__doc__`."""
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [(a.asname or a.name).partition(".")[0] for a in names]
        case ast.Expr(value=ast.Constant()) if is_first:
            return ["__doc__"]
    return defined_names(node)
