"""Names in code spans: each must be a name that some code has."""

import ast
import builtins
import io
import keyword
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

from weave.findings import Finding, Results
from weave.guide import Guide, once
from weave.kinds.widget import Widget
from weave.page import Page
from weave.prose.prose import Prose, lines
from weave.text import CODE_SPAN, WAIVER

# What a code span may begin with that is no Python
COMMANDS = {"git", "mkdocs", "mypy", "npm", "pip", "pytest", "python", "ruff", "uv"}
TYPES = (object, int, float, str, list, dict, set, tuple)
KNOWN = {*dir(builtins), *keyword.kwlist, *sys.stdlib_module_names, *COMMANDS}
KNOWN.update(name for kind in TYPES for name in dir(kind))
WORD = re.compile(r"[^\W\d]\w*")
FILE = re.compile(r"[\w./-]*\w\.(?:c|css|diff|json|md|mjs|py|toml|tsx?|txt|yml)")
FOLDER = re.compile(r"[\w./-]+/")
# What stands on a button; a letter or two are what readers choose of the data.
LABEL = re.compile(
    r'\b(?:[Pp]ress|[Cc]hoose|[Tt]ick|[Pp]ick|In) ["“](?P<quoted>[^"”]{3,})["”]'
    r"|\b[Pp]ress \*\*(?P<bold>[^*]{3,})\*\*"
)


class Names(Prose):
    """Each name in a code span is a name that some code has."""

    def check(self, guide: Guide, page: Page, results: Results) -> Iterator[Finding]:
        """Find names that no code has, and labels that nothing here has.

        Code is what the page's fences hold, every file of the project's programs, and
        those that the page names by their paths; a span that is not Python, such as a
        command, says nothing.
        """
        spans = list(_spans(page))
        texts = [(fence.text, fence.language == "python") for fence in page.fences]
        for _, span in spans:
            if "/" in span and FILE.fullmatch(span) and guide.has_file(span):
                texts.append((guide.text(Path(span)), span.endswith(".py")))
        known = KNOWN | _names_of_project(guide)
        for text, is_python in texts:
            known |= names_in(text) if is_python else {*WORD.findall(text)}
        shown = "".join(fence.text for fence in page.fences) + guide.code
        for line, span in spans:
            if FILE.fullmatch(span):
                there = span in shown or guide.has_file(span)
                unknown = [] if there else [span]
            elif FOLDER.fullmatch(span):
                unknown = [] if (guide.root / span).is_dir() else [span]
            else:
                unknown = [
                    name for name in names_said(guide, span) if name not in known
                ]
            for name in unknown:
                yield page.error(f"{name!r} stands in a code span but in no code", line)
        yield from _unknown_labels(guide, page)


def _spans(page: Page) -> Iterator[tuple[int, str]]:
    """Yield line and text of each code span that isn't waived."""
    for line, text in lines(page):
        for match in CODE_SPAN.finditer(WAIVER.sub(" ", text)):
            yield line, match[0].strip("`").strip()


def _unknown_labels(guide: Guide, page: Page) -> Iterator[Finding]:
    """Find labels that readers are told to press and no widget of the page has."""
    folders = [guide.root / each.folder for each in Widget.on(page)]
    files = sorted(file for folder in folders for file in folder.glob("*.tsx"))
    shown = "".join(file.read_text("utf-8") for file in files)
    for line, text in page.prose() if shown else ():
        for match in LABEL.finditer(text):
            if (label := match["quoted"] or match["bold"]) not in shown:
                what = f"no picture of this page has {label!r} to press"
                yield page.error(what, line)


@once
def _names_of_project(guide: Guide) -> set[str]:
    return names_in(guide.code)


@once
def _classes(guide: Guide) -> dict[str, ast.ClassDef]:
    nodes = ast.parse(guide.code).body
    return {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}


def names_in(code: str) -> set[str]:
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
    return found


def names_said(guide: Guide, code: str) -> Iterator[str]:
    """Yield the names in a code span, and `Class.name` where a class lacks the name."""
    for node in ast.walk(_parsed(code)):
        match node:
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                yield name
                if _lacks(guide, owner, name):
                    yield f"{owner}.{name}"
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.keyword(arg=str(name)):
                yield name
            case ast.alias(name=name):
                yield from name.split(".")


def _lacks(guide: Guide, owner: str, name: str) -> bool:
    """Tell whether a class of the project, and those it derives from, lack a name."""
    node = _classes(guide).get(owner)
    if node is None or name in KNOWN or name in names_in(ast.unparse(node)):
        return False  # a base that is none of the project's may have anything
    return all(_lacks(guide, ast.unparse(base), name) for base in node.bases)


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
