"""Works that pages cite: each stands in the history, once, with who and when.

`docs/reference/history.md` has tables of works: the year, who, with a link, what they
did, and the page about it. A page that cites "Kingma and Ba, 2015" must mean one of them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from weave.errors import WeaveError
from weave.findings import Finding
from weave.guide import Guide
from weave.prose.prose import Prose
from weave.text import WAIVER

HISTORY = Path("docs/reference/history.md")
YEAR = r"(?:19|20)\d\d"
ROW = re.compile(
    rf"\| (?P<year>{YEAR}) \| \[(?P<who>[^\]]+)\]\((?P<address>\S+)\)[^|]*\|"
)
IN_PRINT = re.compile(rf"[Ii]n print (?:in )?({YEAR})")
NAMES = r"[A-Z][\w-]+(?: and [A-Z][\w-]+| et al\.| and others)?"
CITED = re.compile(rf"(?P<who>{NAMES})(?:,\s+|\s+\()(?P<year>{YEAR})(?![-\d])")
# Somebody who is named with others, but with no year
TEAM = re.compile(rf"([A-Z][\w-]+)(?: et al\.| and others)(?!,?\s+\(?{YEAR})")
ADDRESS = re.compile(r"\]\((https?://([^/)]+)[^)]*)\)")
ARXIV = re.compile(r"arxiv\.org/abs/(\d\d)\d\d\.")
# Where something was asked: no other page names it
THREAD = re.compile(r"/(?:issues|pull|questions|t/[\w-]+)/\d+")
DATED = re.compile(rf"[./]({YEAR})(?=[./])")


@dataclass(frozen=True)
class Work:
    """A row of the history."""

    who: str
    years: tuple[str, ...]  # that of its first publication, then those in print
    address: str
    line: int

    def is_cited(self, who: str, year: str | None) -> bool:
        """Tell whether somebody's work, of a year or of any, is this one."""
        named = re.findall(r"[A-Z][\w-]+", who)
        own = re.findall(r"[A-Z][\w-]+", self.who)
        first = own[0] if "," in self.who or " and " in self.who else own[-1]
        same_year = year is None or year in self.years
        return same_year and named[0] == first and {*named} <= {*own}


class Works(Prose):
    """Each work that pages cite is in the history."""

    def examine(self, guide: Guide) -> Iterator[Finding]:
        """Find works that are cited and unknown, and years that are another's."""
        if HISTORY not in guide.paths:
            return
        known = list(_read(guide))
        yield from _misdated(known)
        yield from _elsewhere(guide)
        pages = {p: "\n".join(guide.read(p).lines) for p in guide.paths + guide.labs}
        sources = {path: guide.text(path) for path in guide.sources}
        for path, text in {**pages, **sources}.items():
            plain = WAIVER.sub(r"\2", text)
            for match in [*CITED.finditer(plain), *TEAM.finditer(plain)]:
                who, year = match[1], match.groupdict().get("year")
                if not any(work.is_cited(who, year) for work in known):
                    line = plain.count("\n", 0, match.start()) + 1
                    what = f"{match[0]!r} is cited, which {HISTORY} does not name"
                    yield WeaveError(what, path, line)


def _elsewhere(guide: Guide) -> Iterator[WeaveError]:
    """Find addresses that no other mention confirms: of a host all pages name the same.

    Of the history's hosts, such as that of preprints, it names all that pages may.
    """
    first: dict[str, set[str]] = {}
    for path in [HISTORY, *guide.paths, *guide.labs]:
        found: dict[str, set[str]] = {}
        for line, text in guide.read(path).prose():
            for address, host in ADDRESS.findall(text):
                if THREAD.search(address):
                    continue
                if address not in first.get(host, {address}):
                    what = f"{address} is not what {HISTORY} or another page names"
                    yield WeaveError(what, path, line)
                found.setdefault(host, set()).add(address)
        for host, addresses in found.items():
            first.setdefault(host, addresses)


def _misdated(known: list[Work]) -> Iterator[WeaveError]:
    """Find years that a work's address, or the order of its table, contradicts."""
    for above, work in zip([known[0], *known], known):
        year, *_ = work.years
        dated = {f"20{found}" for found in ARXIV.findall(work.address)}
        dated |= set(DATED.findall(work.address))
        if dated and year not in dated:
            what = f"{work.who}: its address is of {min(dated)}, not {year}"
            yield WeaveError(what, HISTORY, work.line)
        if above.line == work.line - 1 and year < above.years[0]:
            what = f"{year} stands below {above.years[0]}"
            yield WeaveError(what, HISTORY, work.line)


def _read(guide: Guide) -> Iterator[Work]:
    for line, text in guide.pages[HISTORY].prose():
        plain = WAIVER.sub(r"\2", text)
        if row := ROW.match(plain):
            years = (row["year"], *IN_PRINT.findall(plain))
            yield Work(row["who"], years, row["address"], line)
