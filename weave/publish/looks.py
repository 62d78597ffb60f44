"""The theme's style sheets without the rules for what no page here has.

Such as text from right to left and other colours: nearly half, for which a reader would
wait before all else. Like the archive of `weave.bundle` they lie with the theme's files.
"""

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from weave.errors import WeaveError
from weave.files import replace

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
# The innermost blocks, each with what stands before it, and the parts of a selector list
RULE = re.compile(r"([^{}]+)(\{(?:[^{}\"']|\"[^\"]*\"|'[^']*')*\})")
ARGUMENTS = r"\((?:[^()]|\([^()]*\))*\)"
SELECTOR = re.compile(rf"(?:[^,()]|{ARGUMENTS})+")


def write_looks(root: Path) -> None:
    """Write the sheets unless they are there already.

    Raises `WeaveError` where the theme has no such sheet.
    """
    for pattern in OF_THE_THEME:
        theirs = sheet_of_the_theme(pattern)
        ours = root / "web" / "theme" / SHEETS / theirs.name
        replace(ours, without_the_absent(theirs).encode())
        for old in ours.parent.glob(pattern):
            if old != ours:
                old.unlink(missing_ok=True)


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
    kept = RULE.sub(_kept, sheet.read_text(encoding="utf-8"))
    kept = re.sub(r"@(media|supports)[^{}]*\{\}", "", kept)
    # Pictures that no rule that is left shows
    shown = set(re.findall(r"var\((--[\w-]+)", kept))
    pictures = r"(--[\w-]+):url\((?:[^()\"']|\"[^\"]*\"|'[^']*')*\);?"
    return re.sub(pictures, lambda found: found[0] if found[1] in shown else "", kept)


def _kept(rule: re.Match[str]) -> str:
    """Leave out selectors that need what no page has; to be none of it needs nothing."""
    selectors = [
        each
        for each in SELECTOR.findall(rule[1])
        if not NAMES_THE_ABSENT.search(re.sub(ARGUMENTS, "", each))
    ]
    return ",".join(selectors) + rule[2] if selectors else ""
