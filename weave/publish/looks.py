"""The looks of all pages in small files: a reader waits for each, and before all else.

One joins the guide's own styles. The others are the theme's without the rules for what no
page here has, such as tabs, text from right to left and other colours: over half. Like
the archive of `weave.bundle` both lie with the theme's files.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import tinycss2
from tinycss2.ast import Node

from weave.errors import WeaveError
from weave.files import replace

STYLES = Path("docs", "styles")
# In this order: of two rules that are as exact, the later one counts.
OF_ALL_PAGES = ("tokens", "chrome", "prose", "code", "quiz", "figures", "reference")
LOOKS = Path("web", "theme", "styles", "guide.css")
SHEETS = Path("assets", "stylesheets")
OF_THE_THEME = ("main.*.min.css", "palette.*.min.css")
# Classes of what no page has: all that begin so, and kinds of admonitions
ABSENT = r"""
    critic | footnote | giscus | glightbox | highlighttable | linenodiv | md-annotation
    | md-author | md-banner | md-code__(button|nav) | md-consent | md-content__button
    | md-feedback | md-pagination | md-post | md-progress | md-select | md-social
    | md-source | md-status | md-tag | md-top | md-version | mermaid | tabbed- | task-list
    | (abstract|bug|danger|example|failure|info|success|tip|warning)(?![\w-])
"""
COLOURED = r"\[data-md-color-(primary|accent)=(?!custom)"
NAMES_THE_ABSENT = re.compile(rf"\[dir=rtl\] | {COLOURED} | \.({ABSENT})", re.VERBOSE)


def write_looks(root: Path) -> None:
    """Write the files unless they are there already.

    Raises `WeaveError` where the theme has no such sheet.
    """
    paths = [root / STYLES / f"{name}.css" for name in OF_ALL_PAGES]
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    replace(root / LOOKS, without_gaps(text).encode())
    for pattern in OF_THE_THEME:
        theirs = sheet_of_the_theme(pattern)
        ours = root / "web" / "theme" / SHEETS / theirs.name
        replace(ours, without_the_absent(theirs).encode())
        for old in ours.parent.glob(pattern):
            if old != ours:
                old.unlink(missing_ok=True)


def without_gaps(styles: str) -> str:
    """Return styles without comments, and without spaces that mean nothing."""
    styles = re.sub(r"/\*.*?\*/|\s+", " ", styles, flags=re.DOTALL)
    return re.sub(r" *([{};,]) *", r"\1", styles).strip()


@cache
def sheet_of_the_theme(pattern: str) -> Path:
    """Return the path of a sheet as the theme comes with it."""
    theme = find_spec("material")
    for folder in theme.submodule_search_locations or () if theme else ():
        for sheet in Path(folder, "templates", SHEETS).glob(pattern):
            return sheet
    raise WeaveError(f"mkdocs-material has no {SHEETS.as_posix()}/{pattern}")


@cache
def without_the_absent(sheet: Path) -> str:
    """Return a style sheet without rules that only what no page has could match."""
    text = sheet.read_text(encoding="utf-8")
    kept = "".join(_kept(tinycss2.parse_stylesheet(text, True, True)))
    # Pictures that no rule that is left shows
    shown = set(re.findall(r"var\((--[\w-]+)", kept))
    pictures = r"(--[\w-]+):url\((?:[^()\"']|\"[^\"]*\"|'[^']*')*\);?"
    return re.sub(pictures, lambda found: found[0] if found[1] in shown else "", kept)


def _kept(rules: Iterable[Any]) -> Iterator[str]:
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = [each for each in _split(rule.prelude) if not _is_absent(each)]
            if selectors:
                names = ",".join(map(tinycss2.serialize, selectors))
                yield f"{names}{{{tinycss2.serialize(rule.content)}}}"
        elif rule.type == "at-rule" and rule.lower_at_keyword in ("media", "supports"):
            inner = "".join(_kept(tinycss2.parse_rule_list(rule.content, True, True)))
            if inner:
                yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}"
        else:
            yield tinycss2.serialize([rule])


def _split(prelude: list[Node]) -> list[list[Node]]:
    """Return the selectors that a rule has; commas within parentheses part none."""
    selectors: list[list[Node]] = [[]]
    for node in prelude:
        if node.type == "literal" and node.value == ",":
            selectors.append([])
        else:
            selectors[-1].append(node)
    return selectors


def _is_absent(selector: list[Node]) -> bool:
    """Tell whether a selector needs what no page has; to be none of it needs nothing."""
    needed = [node for node in selector if node.type != "function"]
    return bool(NAMES_THE_ABSENT.search(tinycss2.serialize(needed)))
