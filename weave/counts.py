"""How much each promise covers today: what the page on them says beside each."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from weave import api, commands
from weave.page import Fence

if TYPE_CHECKING:
    from weave.guide import Guide

LINK = re.compile(r"\]\((?!https?:)[^)]+\)")


def count(guide: Guide, what: str) -> int:
    """Count what the pages, the package or the tests hold; `what` is a key of COUNTS."""
    return COUNTS[what](guide)


def elements(guide: Guide, path: str, name: str) -> int:
    """Count the elements of a list or dictionary that a file of the project defines."""
    for node in ast.parse((guide.root / path).read_text(encoding="utf-8")).body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=found)], value=value)
                | ast.AnnAssign(target=ast.Name(id=found), value=value)
            ) if found == name:
                if isinstance(value, ast.Dict):
                    return len(value.keys)
                if isinstance(value, ast.List | ast.Tuple):
                    return len(value.elts)
    raise LookupError(f"{path} defines no list or dictionary {name}")


def _fences(guide: Guide, suits: Callable[[Fence], object]) -> int:
    pages = guide.pages.values()
    return sum(bool(suits(fence)) for page in pages for fence in page.fences)


def _lines(guide: Guide, *, waived: bool) -> int:
    """Count the lines of the package that a page explains, or that a reason waives."""
    reasons = guide.options.get("waived", {})
    return sum(
        len([line for line in guide.lines(source) if line.strip()])
        - len(guide.waiting(source))
        for source in guide.sources
        if (source.as_posix() in reasons) == waived
    )


def _links(guide: Guide) -> int:
    """Count the links to places of the site that authors have written."""
    lines = (line for page in guide.pages.values() for _, line in page.prose())
    return sum(len(LINK.findall(line)) for line in lines)


COUNTS: dict[str, Callable[[Guide], int]] = {
    "pages": lambda guide: len(guide.pages),
    "pages with blocks": lambda guide: sum(
        any(not (block.skipped or block.library) for block in page.blocks)
        for page in guide.pages.values()
    ),
    "blocks": lambda guide: sum(
        not block.skipped for page in guide.pages.values() for block in page.blocks
    ),
    "outputs": lambda guide: sum(
        bool(block.output) for page in guide.pages.values() for block in page.blocks
    ),
    "numbers": lambda guide: sum(len(page.numbers) for page in guide.pages.values()),
    "listings": lambda guide: _fences(guide, lambda f: f.language == "source"),
    "lines": lambda guide: sum(len(guide.lines(source)) for source in guide.sources),
    "lines explained": lambda guide: _lines(guide, waived=False),
    "lines waived": lambda guide: _lines(guide, waived=True),
    "graphs": lambda guide: _fences(guide, lambda f: f.directive("graph")),
    "plots": lambda guide: _fences(guide, lambda f: f.language == "plot"),
    "derivatives": lambda guide: _fences(guide, lambda f: f.language == "derivative"),
    "differences": lambda guide: _fences(guide, lambda f: f.language == "changes"),
    "programs": lambda guide: len(guide.programs),
    "recorded": lambda guide: len(guide.options.get("recorded", {})),
    "exercises": lambda guide: _fences(guide, lambda f: f.language == "exercise"),
    "mistakes": lambda guide: len(
        list(guide.root.glob("snippets/exercises/*/mistakes/*.py"))
    ),
    "widgets": lambda guide: len(list(guide.root.glob("web/widgets/[a-z]*.py"))),
    "links": _links,
    "names": lambda guide: sum(
        len(list(module.all())) for module in api.modules(guide).values()
    ),
    "options": lambda guide: sum(
        len(command.options) for command in commands.commands(guide.root).values()
    ),
    "sessions": lambda guide: _fences(guide, lambda f: f.language == "session"),
}
