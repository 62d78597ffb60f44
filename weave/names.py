"""Names in code spans: each must be a name that some code has."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import sys
from collections.abc import Iterator

from weave.guide import Guide
from weave.numbers import WAIVED
from weave.page import CODE_SPAN, Page

WORD = re.compile(r"[^\W\d]\w*")
COMMANDS = {"git", "mkdocs", "mypy", "npm", "pip", "pytest", "python", "ruff", "uv"}
KNOWN = {*dir(builtins), *keyword.kwlist, *sys.stdlib_module_names, *COMMANDS}


def unknown_names(guide: Guide, page: Page) -> Iterator[tuple[int, str]]:
    """Yield line and name for each name in a code span that no code has.

    Code is what the page's fences hold and every file of the project's programs; a
    span that is not Python, such as a command, says nothing.
    """
    known = KNOWN | set(WORD.findall(guide.code))
    for fence in page.fences:
        known.update(WORD.findall(fence.text))
    for builtin in (int, float, str, list, dict, set, tuple):
        known.update(dir(builtin))
    for line, text in page.prose():
        for match in CODE_SPAN.finditer(WAIVED.sub(" ", text)):
            for name in _names(match[0].strip("`").strip()):
                if name not in known:
                    yield line, name


def _names(code: str) -> Iterator[str]:
    if code.partition(" ")[0] in COMMANDS or re.search(
        r"\.(json|md|py|toml|txt|yml)$", code
    ):
        return
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
