"""The map of the package: each line a bar, and the way to where it is explained."""

from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path

from weave.guide import Guide
from weave.kinds.kind import Kind, View
from weave.kinds.listing import Listing, homes, reason
from weave.source import Span

COLUMNS = 88  # as wide as a line may be


class Minimap(Kind):
    """Every line of the package as a bar that leads to its home; the fence is empty."""

    language = "minimap"
    what = "a map of every line of the package"

    def html(self, view: View) -> str:
        """Show the map, file by file in the order in which the guide shows them."""
        guide = view.guide
        pages = {source: guide.source_page(source) for source in guide.sources}
        order = sorted((guide.paths.index(p), source, p) for source, p in pages.items())
        files = "".join(_file(view, source, page) for _, source, page in order)
        return (
            '<div class="minimap" data-search-exclude>'
            f'<ul class="files">{files}</ul><p class="said"></p></div>'
        )


@dataclass(frozen=True)
class Run:
    """Lines in a row that one listing explains, or that none does."""

    span: Span
    home: Listing | None


def runs(guide: Guide, source: Path) -> list[Run]:
    """Return the runs of a file of the package, in order.

    Blank lines belong to one if its listing shows them.
    """
    lines = guide.lines(source)
    explained = homes(guide)
    found_at = [explained.get((source, n)) for n in range(1, len(lines) + 1)]
    found = []
    for home, group in groupby(range(len(lines)), key=lambda index: found_at[index]):
        indices = list(group)
        if home is None:  # without the blank lines around them
            indices = [i for i in indices if lines[i].strip()]
        if indices:
            first, last = indices[0], indices[-1]
            text = tuple(lines[first : last + 1])
            found.append(Run(Span(source, first + 1, last + 1, text), home))
    return found


def _file(view: View, source: Path, page: Path) -> str:
    guide, to = view.guide, view.to
    name = Path(*source.parts[1:]).as_posix()
    waived = reason(guide, source)
    shown = ""
    for run in runs(guide, source):
        span = run.span
        if run.home:
            place = guide.place(run.home.page.path)
            target = to(run.home.page.path, run.home.anchor)
        else:
            place, target = waived or "no page yet", to(page, f"L{span.first}")
        label = escape(f"{name}, {span.where}: {place}", quote=True)
        height = span.last - span.first + 1
        shown += (
            f'<a class="{_colour(guide, run)}" href="{target}" aria-label="{label}">'
            f'<rect y="{span.first - 1}" height="{height}"/>'
            f'<path d="{_bars(span)}"/></a>'
        )
    words = escape(name).replace("/", "/<wbr>")
    count = len(guide.lines(source))
    return (
        f'<li><a class="name" href="{to(page)}">{words}</a>'
        f'<svg viewBox="0 0 {COLUMNS} {count}">{shown}</svg></li>'
    )


def _colour(guide: Guide, run: Run) -> str:
    """Return the class of the step that explains a run."""
    if run.home is None:
        return "unexplained"
    section = guide.section(run.home.page.path)
    steps = list(guide.steps)
    if section and section.step in steps:
        return f"step-{steps.index(section.step)}"
    return "no-step"


def _bars(span: Span) -> str:
    """Return a path with a stroke for each line, from its indentation to its end."""
    drawn, x, y = "", 0.0, 0.0
    for number, text in enumerate(span.lines, span.first):
        if code := text.strip():
            left, middle = len(text) - len(text.lstrip()), number - 0.5
            drawn += f"m{left - x:g} {middle - y:g}h{len(code)}"
            x, y = left + len(code), middle
    return drawn
