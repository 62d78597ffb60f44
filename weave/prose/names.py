"""Names in code spans: each must be a name that some code has."""

import ast
import builtins
import io
import keyword
import re
import sys
import tokenize
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from symtable import symtable

from weave.findings import Finding, Results
from weave.guide import Guide
from weave.kinds.widget import Widget
from weave.page import Page
from weave.prose.prose import Prose, lines
from weave.text import CODE_SPAN, WAIVER

# What a code span may begin with that is no Python
COMMANDS = {"git", "mkdocs", "mypy", "npm", "pip", "pytest", "python", "ruff", "uv"}

WORD = re.compile(r"[^\W\d]\w*")
FILE = re.compile(r"[\w./-]*\w\.(?:c|css|diff|json|md|mjs|py|toml|tsx?|txt|yml)")
# What stands on a button; a letter or two are what readers choose of the data.
LABEL = re.compile(
    r'\b(?:[Pp]ress|[Cc]hoose|[Tt]ick|[Pp]ick|In) ["“](?P<quoted>[^"”]{3,})["”]'
    r"|\b[Pp]ress \*\*(?P<bold>[^*]{3,})\*\*"
)
PATH = re.compile(
    r"(?<![\w./])(?:(?P<module>microgpt|snippets)|step\d)(?:\.[^\W\d]\w*)+"
)
FOLDER = re.compile(r"[\w./-]+/")
TYPES = (int, float, str, list, dict, set, tuple)
KNOWN = {*dir(builtins), *keyword.kwlist, *sys.stdlib_module_names, *COMMANDS}
KNOWN.update(name for kind in TYPES for name in dir(kind))


class Names(Prose):
    """Each name in a code span is a name that some code has."""

    def check(self, guide: Guide, page: Page, results: Results) -> Iterator[Finding]:
        """Find names that no code has, and labels that nothing here has.

        Code is what the page's fences hold, every file of the project's programs, and
        those that the page names by their paths; a span that is not Python, such as a
        command, says nothing.
        """
        spans = list(_spans(page))
        known = {*KNOWN, *names_in(guide.code)}
        for fence in page.fences:
            is_code = fence.language == "python"
            known.update(names_in(fence.text) if is_code else WORD.findall(fence.text))
        for _, code in spans:
            if "/" in code and FILE.fullmatch(code) and guide.has_file(code):
                words = guide.text(Path(code))
                is_code = code.endswith(".py")
                known.update(names_in(words) if is_code else WORD.findall(words))
        shown = "\n".join(fence.text for fence in page.fences) + guide.code
        for line, code in spans:
            for name in _unknown(guide, code, known, shown):
                yield page.error(f"{name!r} stands in a code span but in no code", line)
        yield from _unknown_labels(guide, page)


def _spans(page: Page) -> Iterator[tuple[int, str]]:
    """Yield line and text of each code span that isn't waived."""
    for line, text in lines(page):
        for match in CODE_SPAN.finditer(WAIVER.sub(" ", text)):
            yield line, match[0].strip("`").strip()


def _unknown(guide: Guide, code: str, known: set[str], shown: str) -> Iterator[str]:
    """Yield the names in a code span that no code has."""
    if FILE.fullmatch(code):
        if code not in shown and not guide.has_file(code):
            yield code
        return
    if FOLDER.fullmatch(code) and not (guide.root / code).is_dir():
        yield code
    yield from (name for name in names_said(code) if name not in known)
    for node in ast.walk(_parsed(code)):
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                if _lacks(owner, name, guide.code):
                    yield f"{owner}.{name}"
    for match in PATH.finditer(code) if _parsed(code).body else ():
        path = match[0] if match["module"] else f"snippets.{match[0]}"
        if not _leads(guide.root, path):
            yield path


def _unknown_labels(guide: Guide, page: Page) -> Iterator[Finding]:
    """Find labels that readers are told to press and no widget of the page has."""
    folders = [guide.root / each.folder for each in Widget.on(page)]
    files = sorted(file for folder in folders for file in folder.glob("*.tsx"))
    shown = "".join(file.read_text("utf-8") for file in files)
    for line, text in page.prose() if shown else ():
        for match in LABEL.finditer(text):
            label = match["quoted"] or match["bold"]
            if label not in shown:
                yield page.error(
                    f"no picture of this page has {label!r} to press", line
                )


@lru_cache(maxsize=256)  # most of it is the same for every page
def names_in(code: str) -> frozenset[str]:
    """Return the names of a program; the words of its texts and comments are none."""
    found = set()
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            text = token.string
            if token.type == tokenize.STRING:  # as in `__slots__`
                text = text.strip("\"'")
            if text.isidentifier():
                found.add(text)
    except (tokenize.TokenError, SyntaxError):
        found.update(WORD.findall(code))
    return frozenset(found)


def names_said(code: str) -> Iterator[str]:
    """Yield the names in a code span; what is no Python has none."""
    for node in ast.walk(_parsed(code)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.keyword(arg=str(name)):
                yield name
            case ast.alias(name=name):
                yield from name.split(".")


@lru_cache(maxsize=256)
def _leads(root: Path, path: str) -> bool:
    """Tell whether a path of names leads to a module, and its rest to names in it."""
    parts = path.split(".")
    for end in range(len(parts), 0, -1):
        base = root.joinpath(*parts[:end])
        for file in (base.with_suffix(".py"), base / "__init__.py"):
            if file.is_file():
                return names_in(file.read_text("utf-8")).issuperset(parts[end:])
    return False


@lru_cache(maxsize=256)
def _lacks(owner: str, name: str, code: str) -> bool:
    """Tell whether a class of the project or a module of Python has no such part."""
    if owner in sys.stdlib_module_names:
        return name not in names_in(code) and not _may_have(owner, name)
    classes = _classes(code).get(owner, [])
    written = map(ast.unparse, classes)
    if hasattr(object, name) or any(name in names_in(text) for text in written):
        return False
    # A base that is none of the project's may have anything
    bases = [ast.unparse(base) for node in classes for base in node.bases]
    return bool(classes) and all(_lacks(base, name, code) for base in bases)


@lru_cache(maxsize=256)
def _may_have(module: str, name: str) -> bool:
    """Tell whether a module of Python has a name, or whether nothing can tell.

    It isn't imported because a page names it: `antigravity` opens a browser.
    """
    if loaded := sys.modules.get(module):
        return hasattr(loaded, name)
    spec = find_spec(module)
    if not spec or not spec.origin or not spec.origin.endswith(".py"):
        return True  # no source to read
    source = Path(spec.origin).read_text("utf-8")
    known = symtable(source, spec.origin, "exec").get_identifiers()
    folders = map(Path, spec.submodule_search_locations or ())
    below = {file.stem for folder in folders for file in folder.iterdir()}
    return name in {*known, *below} or "import *" in source or "__getattr__" in known


@lru_cache(maxsize=4)
def _classes(code: str) -> dict[str, list[ast.ClassDef]]:
    """Return the classes of programs, by name: several may have the same."""
    found: dict[str, list[ast.ClassDef]] = {}
    for node in ast.parse(code).body:
        if isinstance(node, ast.ClassDef):
            found.setdefault(node.name, []).append(node)
    return found


def _parsed(code: str) -> ast.Module:
    """Parse code or the first line of a statement; what is neither names nothing."""
    code = code.replace("…", "...")
    is_command = code.partition(" ")[0] in COMMANDS
    for text in () if is_command else (code, f"{code.rstrip(':')}: pass"):
        try:
            return ast.parse(text)
        except SyntaxError:
            continue
    return ast.Module([], [])
