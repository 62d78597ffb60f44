"""The looks of all pages in small files: a reader waits for each, and before all else.

One joins the guide's own styles. The others are the theme's without the rules for what no
page here has, such as tabs, text from right to left and other colours: over half. Like
the archive of `weave.bundle` both lie with the theme's files.
"""

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

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
# The parts of a sheet that no gaps are left in; rules within `@media` too
RULE = re.compile(
    r"(?P<selectors>[^{}]+)\{(?P<body>(?:[^{}\"']|\"[^\"]*\"|'[^']*')*)\}"
)
EMPTY = re.compile(r"@[^{};]+\{\}")
COMMA = re.compile(r",(?![^()]*\))")  # not within parentheses
IN_PARENTHESES = re.compile(r"\((?:[^()]|\([^()]*\))*\)")


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
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    kept = EMPTY.sub("", RULE.sub(_kept, text))
    # Pictures that no rule that is left shows
    shown = set(re.findall(r"var\((--[\w-]+)", kept))
    pictures = r"(--[\w-]+):url\((?:[^()\"']|\"[^\"]*\"|'[^']*')*\);?"
    return re.sub(pictures, lambda found: found[0] if found[1] in shown else "", kept)


def _kept(rule: re.Match[str]) -> str:
    """Return a rule with those of its selectors that some page may have, or nothing.

    What a selector says in parentheses, as `:not` does, it doesn't need.
    """
    selectors = [
        each
        for each in COMMA.split(rule["selectors"])
        if not NAMES_THE_ABSENT.search(IN_PARENTHESES.sub("", each))
    ]
    return f"{','.join(selectors)}{{{rule['body']}}}" if selectors else ""
