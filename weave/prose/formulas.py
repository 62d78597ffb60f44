"""Formulas: a derivative in one is checked by nothing, so a fence has to state it."""

import re
from collections.abc import Iterator

from weave.findings import Finding, Results
from weave.guide import Guide
from weave.page import Page
from weave.prose.prose import Prose
from weave.text import MATH

STATED = re.compile(
    r"\\partial|\\nabla|\\[dt]?frac\s*\{\s*(?:\\mathrm)?\s*\{?d(?:\}|\b|\s*[a-zA-Z]\s*\})"
    r"|\bd[a-zA-Z]\s*/\s*d[a-zA-Z]|[a-zA-Z]'\s*\("
)

UNCHECKED = (
    "a derivative stated in a formula is not checked: use a derivative fence, or "
    "<!--weave:general REASON--> above a law that holds for every function"
)


class Formulas(Prose):
    """A derivative in a formula holds for every function, or stands in a fence."""

    def check(self, guide: Guide, page: Page, results: Results) -> Iterator[Finding]:
        """Find derivatives that are stated in a formula."""
        general = in_math = False
        block = ""
        for line, text in page.prose():
            if text.startswith("<!--weave:general "):
                general = True
                continue
            formulas = [] if in_math else MATH.findall(text)
            if text.strip() == "$$":
                formulas = [block] if in_math else []
                in_math, block = not in_math, ""
            elif in_math:
                block += f"{text} "
            for formula in formulas:
                if STATED.search(formula) and "=" in formula and not general:
                    yield page.error(UNCHECKED, line)
            if not text.strip() and not in_math:
                general = False
