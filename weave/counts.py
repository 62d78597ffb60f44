"""Counts of the guide itself, such as how many blocks it has.

A page states them with `…` in the place of the number, which the build fills in: so a
new page makes no other page false.
"""

import ast
import html
import re
from functools import lru_cache, partial
from typing import Any

import yaml

from weave.guide import Guide
from weave.kinds import KINDS
from weave.prose import PROSE
from weave.prose.numbers import COUNTED
from weave.source import defined
from weave.text import DATA


def count(guide: Guide, what: str) -> int:
    """Count what the pages, the package or the tests hold."""
    known = _counts(guide)
    if what not in known:
        raise LookupError(f"nothing counts {what!r}, only {', '.join(sorted(known))}")
    return known[what]


@lru_cache(maxsize=1)  # each number of a page asks
def _counts(guide: Guide) -> dict[str, int]:
    known = {"pages": len(guide.pages), "programs": len(guide.programs)}
    known["recorded"] = len(guide.options.get("recorded", {}))
    for kind in KINDS:
        known |= kind.counts(guide)
    for prose in PROSE:
        known |= prose.counts(guide)
    return known


def elements(guide: Guide, path: str, name: str = "") -> int:
    """Count what a list or dictionary of a program holds, or a whole file of YAML."""
    text = (guide.root / path).read_text(encoding="utf-8")
    if path.endswith(".yml"):
        return len(yaml.safe_load(text))
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and name in defined(node):
            match node.value:
                case ast.Dict(keys=held) | ast.List(elts=held) | ast.Tuple(elts=held):
                    return len(held)
    raise LookupError(f"{path} defines no list or dictionary {name}")


def names(guide: Guide) -> dict[str, Any]:
    """Return the functions that count, as expressions of a page call them."""
    return {
        "count": lambda what: count(guide, what),
        "elements": partial(elements, guide),
    }


def filled(guide: Guide, line: str) -> str:
    """Return a line of a page with the counts of the guide filled in."""

    def shown(found: re.Match[str]) -> str:
        if found[2] != COUNTED:
            return found[0]
        number = eval(html.unescape(found[1]), names(guide))
        return f'<data value="{found[1]}">{number:,}</data>'

    return DATA.sub(shown, line) if COUNTED in line else line
