"""What stands within a line of Markdown: code spans, numbers, formulas and plain prose."""

import html
import math
import re
from collections.abc import Callable, Iterator
from unicodedata import normalize

CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
MATH = re.compile(r"(?<![\\$])\$(?![\s$])[^$\n]*?(?<!\s)\$(?![\d$])")
# A number that is computed, and one that is given by a source other than the code
DATA = re.compile(r'<data value="([^"]+)">([^<]+)</data>')
WAIVER = re.compile(r'<span data-waive="([^"]*)">([^<]*)</span>')
COMMENT = re.compile(r"<!--(?:(?!-->).)*-->")
MARKUP = re.compile(r"`(?P<code>[^`]+)`|<[^>]+>|\[(?P<text>[^\]]*)\]\([^)]*\)|[*$]")
EMPHASIS = re.compile(r"(?<!\\)(\*{1,3})(?=[^\s*])([^*]++)(?<=\S)\1")
# Steps are called by their numbers, which `prose.links` looks up.
STEPS = re.compile(r"\bSteps?\s\d+(?:(?:,\s|,?\s(?:and|or|to)\s|–)\d+)*\b")
YEAR = r"(?:1[6-9]|20)\d\d(?![\d.,]*\d)"
VERSION = (
    r"(?:\b[Vv]ersions?|\bPython|\bPyodide|\bPyTorch|\bNumPy|\bnode) \d+(?:\.\d+)+"
)
NAMED = r"\b[A-Z][A-Za-z]*-\d[\d.]*\b"  # GPT-2, UTF-8
# Three digits or more, decimals, powers, percentages, thousands: what only a computer
# gets right
UNIT = (
    r"(?:[KkMBT]\b|\s?(?:\\?%|‰|per\s?mille?\b|per\s?cent(?:age)?\b"
    r"|(?:hundred|thousand|million|billion|trillion)\b))"
)
POWER = r"(?:[⁰¹²³⁴-⁹]+|(?:\*\*|\^)\d+)"
MEASURED = (
    rf"\d[\d,]*(?P<power>{POWER})|\d[\d,]*\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+"
    rf"|\.\d+|\d[\d,]*\d{{2}}|\d{{1,2}}(?={UNIT})"
)
CLAIM = re.compile(rf"(?<![^\W_])(?<!#)(?:{MEASURED})(?:{UNIT})?")
NOT_CLAIMED = re.compile(rf"{STEPS.pattern}|{VERSION}|{NAMED}|(?<![\d.,-]){YEAR}(?!\w)")


def claims(prose: str) -> Iterator[str]:
    """Yield each number in prose that has to be computed, with its unit.

    Small whole numbers, words, years, versions and the numbers of steps are prose.
    """
    for match in CLAIM.finditer(NOT_CLAIMED.sub(" ", prose)):
        if not match["power"] or amount(match[0]) >= 100:
            yield match[0]


def amount(claim: str) -> float:
    """Return what a claim comes to without its unit: `1,000`, `10⁶`, `2**10` or `5%`."""
    claim = re.sub(f"{UNIT}$", "", claim.replace(",", ""))
    base, power, _ = re.split(f"({POWER})?$", claim, maxsplit=1)
    try:
        return math.pow(float(base), int(normalize("NFKC", power or "1").strip("*^")))
    except OverflowError:
        return math.inf


def prose_of(text: str) -> str:
    """Return a line of Markdown without what is not prose."""
    text = CODE_SPAN.sub(" ", text)
    text = WAIVER.sub(" ", DATA.sub(" ", text))
    text = MATH.sub(" ", re.sub(r"\$\$.+?\$\$", " ", text))
    text = re.sub(r"\]\([^)]*\)|<https?:[^>]*>", " ", text)
    text = html.unescape(re.sub(r"<!--.*?-->|<[a-zA-Z/!?][^>]*>", " ", text))
    return EMPHASIS.sub(lambda m: m[2] if re.search(r"[\d.,]", m[2]) else m[0], text)


def outside_code(
    pattern: re.Pattern[str], new: Callable[[re.Match[str]], str], line: str
) -> str:
    """Replace what a pattern finds in a line of Markdown, except in code spans."""
    bare = CODE_SPAN.sub(lambda span: " " * len(span[0]), line)
    return pattern.sub(lambda m: new(m) if bare[m.start()] != " " else m[0], line)


def plain(markdown: str) -> str:
    """Return a heading or a paragraph without its markup."""
    return MARKUP.sub(lambda mark: mark["code"] or plain(mark["text"] or ""), markdown)
