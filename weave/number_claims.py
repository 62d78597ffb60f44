"""Numbers in prose that have to be computed."""

import math
import re
from collections.abc import Iterator
from unicodedata import normalize

# Steps are called by their numbers, which `prose.links` looks up.
STEP_REFERENCE = re.compile(r"\bSteps?\s\d+(?:(?:,\s|,?\s(?:and|or|to)\s|–)\d+)*\b")
YEAR = r"(?:1[6-9]|20)\d\d(?![\d.,]*\d)"
VERSION = (
    r"(?:\b[Vv]ersions?|\bPython|\bPyodide|\bPyTorch|\bNumPy|\bnode) \d+(?:\.\d+)+"
)
NAME_WITH_NUMBER = r"\b[A-Z][A-Za-z]*-\d[\d.]*\b"  # GPT-2, UTF-8
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
NOT_CLAIMED = re.compile(
    rf"{STEP_REFERENCE.pattern}|{VERSION}|{NAME_WITH_NUMBER}|(?<![\d.,-]){YEAR}(?!\w)"
)


def find_number_claims(prose: str) -> Iterator[str]:
    """Yield each number in prose that has to be computed, with its unit.

    Small whole numbers, words, years, versions and the numbers of steps are prose.
    """
    for match in CLAIM.finditer(NOT_CLAIMED.sub(" ", prose)):
        if not match["power"] or claim_value(match[0]) >= 100:
            yield match[0]


def claim_value(claim: str) -> float:
    """Return what a claim comes to without its unit: `1,000`, `10⁶`, `2**10` or `5%`."""
    claim = re.sub(f"{UNIT}$", "", claim.replace(",", ""))
    base, power, _ = re.split(f"({POWER})?$", claim, maxsplit=1)
    try:
        return math.pow(float(base), int(normalize("NFKC", power or "1").strip("*^")))
    except OverflowError:
        return math.inf
