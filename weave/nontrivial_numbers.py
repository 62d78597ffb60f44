"""Nontrivial numbers in prose: authors get them wrong, so code must give them.

These are numbers of three digits or more, decimals, powers, percentages and thousands.
"""

import math
import re
from collections.abc import Iterator
from unicodedata import normalize

# `Step 2`, `Steps 1 and 3` or `Steps 2–4`; `prose.links` checks that the steps exist.
GUIDE_STEP_REFERENCE = re.compile(
    r"\bSteps?\s\d+(?:(?:,\s|,?\s(?:and|or|to)\s|–)\d+)*\b"
)
STEP_YEAR_OR_VERSION = re.compile(
    rf"{GUIDE_STEP_REFERENCE.pattern}"
    r"|(?:\b[Vv]ersions?|\bPython|\bPyodide|\bPyTorch|\bNumPy|\bnode) \d+(?:\.\d+)+"
    r"|\b[A-Z][A-Za-z]*-\d[\d.]*\b"  # GPT-2, UTF-8
    r"|(?<![\d.,-])(?:1[6-9]|20)\d\d(?![\d.,]*\d)(?!\w)"
)
PERCENT_OR_MAGNITUDE = (
    r"(?:[KkMBT]\b|\s?(?:\\?%|‰|per\s?mille?\b|per\s?cent(?:age)?\b"
    r"|(?:hundred|thousand|million|billion|trillion)\b))"
)
EXPONENT = r"(?:[⁰¹²³⁴-⁹]+|(?:\*\*|\^)\d+)"
NONTRIVIAL_NUMBER = re.compile(
    rf"(?<![^\W_])(?<!#)(?:\d[\d,]*(?P<power>{EXPONENT})|\d[\d,]*\.\d+(?:[eE][-+]?\d+)?"
    rf"|\d+[eE][-+]?\d+|\.\d+|\d[\d,]*\d{{2}}|\d{{1,2}}(?={PERCENT_OR_MAGNITUDE}))"
    rf"(?:{PERCENT_OR_MAGNITUDE})?"
)


def find_nontrivial_numbers(prose: str) -> Iterator[str]:
    """Yield each number of a line of prose that code must give, with its unit.

    Small whole numbers, words, years, versions and the numbers of steps are left out.
    """
    remainder = STEP_YEAR_OR_VERSION.sub(" ", prose)
    for match in NONTRIVIAL_NUMBER.finditer(remainder):
        if not match["power"] or numeric_value(match[0]) >= 100:
            yield match[0]


def numeric_value(number_with_unit: str) -> float:
    """Return the value of a number that is written in prose, without its unit.

    `1,000`, `10⁶`, `2**10` and `5%` have the values 1000, 1000000, 1024 and 5.
    """
    number = re.sub(f"{PERCENT_OR_MAGNITUDE}$", "", number_with_unit.replace(",", ""))
    base, power, _ = re.split(f"({EXPONENT})?$", number, maxsplit=1)
    try:
        return math.pow(float(base), int(normalize("NFKC", power or "1").strip("*^")))
    except OverflowError:
        return math.inf
