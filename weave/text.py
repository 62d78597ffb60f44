"""What stands within a line of Markdown: code spans, numbers, formulas and plain prose."""

import html
import re
import unicodedata
from collections.abc import Iterator

CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
MATH = re.compile(r"(?<![\\$])\$(?![\s$])[^$\n]*?(?<!\s)\$(?![\d$])")
# A number that is computed, and one that is given by a source other than the code
DATA = re.compile(r'<data value="([^"]+)">([^<]+)</data>')
WAIVER = re.compile(r'<span data-waive="([^"]*)">([^<]*)</span>')
COMMENT = re.compile(r"<!--(?:(?!-->).)*-->")
MARKUP = re.compile(r"`(?P<code>[^`]+)`|<[^>]+>|\[(?P<text>[^\]]*)\]\([^)]*\)|[*$]")
# Steps are called by their numbers, which `prose.links` looks up.
STEPS = re.compile(r"\bSteps?\s\d+(?:(?:,\s|,?\s(?:and|or|to)\s|–)\d+)*\b")
YEAR = r"(?:1[6-9]|20)\d\d(?![\d.,]*\d)"
VERSION = (
    r"(?:\b[Vv]ersions?|\bPython|\bPyodide|\bPyTorch|\bNumPy|\bnode) \d+(?:\.\d+)+"
)
NAMED = r"\b[A-Z][A-Za-z]*-\d[\d.]*\b"  # GPT-2, UTF-8
# Three digits or more, decimals, a percentage: what only a computer gets right
MEASURED = r"\d[\d,]*\.\d+(?:e[-+]?\d+)?|\d+e[-+]?\d+|\d[\d,]*\d{2}|\d{1,2}(?=\s?(?:%|\\%|percent\b))"
CLAIM = re.compile(rf"(?<![^\W_])(?<!#)(?:{MEASURED})")
NOT_CLAIMED = re.compile(rf"{STEPS.pattern}|{VERSION}|{NAMED}|(?<![\d.,-]){YEAR}(?!\w)")


def claims(prose: str) -> Iterator[str]:
    """Yield each number in prose that has to be computed.

    Small whole numbers, words, years, versions and the numbers of steps are prose.
    """
    yield from (match[0] for match in CLAIM.finditer(NOT_CLAIMED.sub(" ", prose)))


def prose_of(text: str) -> str:
    """Return a line of Markdown without what is not prose."""
    text = CODE_SPAN.sub(" ", text)
    text = WAIVER.sub(" ", DATA.sub(" ", text))
    text = MATH.sub(" ", re.sub(r"\$\$.+?\$\$", " ", text))
    text = re.sub(r"\]\([^)]*\)|<https?:[^>]*>", " ", text)
    text = html.unescape(re.sub(r"<!--.*?-->|<[a-zA-Z/!?][^>]*>", " ", text))
    text = unicodedata.normalize("NFKC", text)  # a digit may look otherwise
    # What a browser doesn't show between two digits joins them.
    return re.sub(
        r"\\(?=\W)|\*\*|(?<=\d)[*_\u00ad\u200b-\u200d\u2060]+(?=\d)", "", text
    )


def plain(markdown: str) -> str:
    """Return a heading or a paragraph without its markup."""
    return MARKUP.sub(lambda mark: mark["code"] or plain(mark["text"] or ""), markdown)
