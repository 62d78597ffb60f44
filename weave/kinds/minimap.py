"""The map of the package: each line a bar, and the way to where it is explained."""

from collections.abc import Iterator
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


def runs(guide: Guide, source: Path) -> Iterator[tuple[Span, Listing | None]]:
    """Yield lines in a row that one listing explains, with it, or that none does.

    Blank lines belong to one if its listing shows them.
    """
    lines, explained = guide.lines(source), homes(guide)
    numbers = range(1, len(lines) + 1)
    for home, group in groupby(numbers, key=lambda n: explained.get((source, n))):
        # Without the blank lines around what no listing explains
        shown = [n for n in group if home or lines[n - 1].strip()]
        if shown:
            first, last = shown[0], shown[-1]
            yield Span(source, first, last, tuple(lines[first - 1 : last])), home


def _file(view: View, source: Path, page: Path) -> str:
    guide, to = view.guide, view.to
    name = Path(*source.parts[1:]).as_posix()
    waived = reason(guide, source)
    shown = ""
    for span, home in runs(guide, source):
        place, target = waived or "no page yet", to(page, f"L{span.first}")
        if home:
            place = guide.place(home.page.path)
            target = to(home.page.path, home.anchor)
        label = escape(f"{name}, {span.where}: {place}", quote=True)
        shown += (
            f'<a class="{_colour(guide, home)}" href="{target}" aria-label="{label}">'
            f'<rect y="{span.first - 1}" height="{len(span.lines)}"/>'
            f'<path d="{_bars(span)}"/></a>'
        )
    words = escape(name).replace("/", "/<wbr>")
    count = len(guide.lines(source))
    return (
        f'<li><a class="name" href="{to(page)}">{words}</a>'
        f'<svg viewBox="0 0 {COLUMNS} {count}">{shown}</svg></li>'
    )


def _colour(guide: Guide, home: Listing | None) -> str:
    """Return the class of the step that explains some lines."""
    if home is None:
        return "unexplained"
    section = guide.section(home.page.path)
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
