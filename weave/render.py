"""Turning what an author types into what readers see, as Markdown with HTML in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

from weave import notebooks
from weave.changes import read_changes
from weave.commands import command_of
from weave.draw import Drawer
from weave.exercises import read_exercise
from weave.guide import Guide, Listing, link, plain
from weave.ladder import ladder
from weave.minimap import minimap
from weave.page import DATA, LIBRARIES, Block, Fence, Page
from weave.pictures import Pictures
from weave.reference import Names, command_table, coverage_table, source_page
from weave.source import Span, dedent, definitions

Stash = Callable[[str], str]
BAR = (
    '<div class="bar" data-search-exclude>'
    '<button type="button" class="run" title="Shift+Enter">{}</button>'
    '<button type="button" class="edit">Edit</button>'
    '<span class="state" role="status"></span></div>'
)
SHOWN_AT_ONCE = 6  # names of "So far"; more would fill a phone before the page begins
LINK = (
    '<a class="block-link" href="#{}" title="Link to this code; a selection or the '
    'arrow keys choose lines" aria-label="Link to this code" data-search-exclude>#</a>'
)
COPY = '<button class="md-clipboard md-icon" type="button" title="Copy to clipboard" '


class Renderer:
    """Renders one page.

    `stash` keeps HTML aside and returns what stands for it in the Markdown; `finished`
    says whether the builder leaves links in that HTML as they are.
    """

    def __init__(
        self,
        guide: Guide,
        page: Page,
        drawer: Drawer,
        stash: Stash,
        *,
        finished: bool = True,
    ) -> None:
        self.guide, self.page, self.stash = guide, page, stash
        self.finished = finished
        self.is_lab = page.path.suffix == ".ipynb"
        self.pictures = Pictures(guide, page, drawer, self._to)
        self.edition = self.pictures.edition

    def render(self) -> list[str]:
        """Return the page's lines, with every fence and formula replaced."""
        fences = {fence.line: fence for fence in self.page.fences}
        shown: list[str] = []
        lines = iter(enumerate(self.page.lines, 1))
        for _ in range(self.page.front_matter):
            next(lines)
        titled = False
        for number, line in lines:
            if fence := fences.get(number):
                shown += ["", *self._fence(fence), ""]
                for _ in range(fence.end - fence.line):
                    next(lines)
            elif line.strip() == "$$":
                latex = self._until_dollars(number, lines)
                shown += [
                    "",
                    self.stash(self.pictures.formula(latex, True, number)),
                    "",
                ]
            elif re.match(r"<!--(weave|pytest)", line):
                continue
            elif line.startswith("# ") and not titled:
                titled = True
                shown += [self._where(), "", line, "", self._so_far(), ""]
            elif titled:  # what stands above the title is for builders, not for readers
                shown.append(_explain_numbers(line))
        # A paragraph at the very end would keep its <p> around HTML.
        return [*shown, ""]

    def formula(self, latex: str) -> str:
        """Typeset a formula within a line."""
        return self.pictures.formula(latex, False, 0)

    def _until_dollars(self, start: int, lines: Iterator[tuple[int, str]]) -> str:
        latex: list[str] = []
        for _, line in lines:
            if line.strip() == "$$":
                return "\n".join(latex)
            latex.append(line)
        raise self.page.error("this formula is never closed with $$", start)

    def _fence(self, fence: Fence) -> list[str]:
        match fence.language:
            case "python":
                block = next(b for b in self.page.blocks if b.fence is fence)
                return self._cell(block)
            case "text" if fence.directive("expected-output"):
                return []  # shown with its block
            case "source":
                return self._listing(self.guide.listing(self.page, fence))
            case "changes":
                return self._changes(fence)
            case "mermaid":
                return [self.stash(self.pictures.diagram(fence))]
            case "plot":
                return [self.stash(self.pictures.plot(fence))]
            case "figure":
                return [self.stash(self.pictures.figure(fence))]
            case "widget":
                return [self.stash(self.pictures.widget(fence))]
            case "derivative":
                return [self.stash(self.pictures.derivatives(fence))]
            case "exercise":
                return self._exercise(fence)
            case "source-page":
                return [self.stash(self._source_page(fence))]
            case "api":
                names = Names(self.guide, self.page, self._to, self._home)
                return names.show(fence, self.stash)
            case "command":
                command = command_of(self.guide, self.page, fence)
                return [self.stash(command_table(command))]
            case "coverage":
                return [self.stash(coverage_table(self.guide, self._to))]
            case "ladder":
                return [self.stash(ladder(self.guide, self.page, fence, self._to))]
            case "minimap":
                return [self.stash(minimap(self.guide, self._to))]
            case _:
                return self._shown(fence)

    def _shown(self, fence: Fence) -> list[str]:
        language = {"session": "console"}.get(fence.language, fence.language)
        anchor = self._numbered("shown", fence)
        opening = f'<div class="shown" id="{anchor}">{LINK.format(anchor)}'
        code = ["", f"```{language}", *fence.body, "```", ""]
        return [self.stash(opening), *code, self.stash("</div>")]

    def _numbered(self, kind: str, fence: Fence) -> str:
        """Return an anchor: the place of a fence among those of its page like it."""
        alike = [
            other
            for other in self.page.fences
            if other.language == fence.language
            and not other.directive("expected-output")
        ]
        name = kind if fence.language in ("changes", "text") else fence.language
        return f"{name}-{alike.index(fence) + 1}"

    def _cell(self, block: Block) -> list[str]:
        number = self.page.blocks.index(block) + 1
        attributes = f'id="block-{number}" data-edition="{self.edition}"'
        if block.continues:
            above = self.page.blocks.index(block.continues) + 1
            attributes += f' data-continues="block-{above}"'
        first = [f'<div class="cell" {attributes}>']
        if block.continues and not self.is_lab:  # of which all cells continue
            first.append(
                f'<p class="cell-note">continues <a href="#block-{above}">'
                "the block above</a></p>"
            )
        if block.skipped:
            reason = escape(block.skipped.argument)
            first.append(f'<p class="cell-note">not run here: {reason}</p>')
        elif block.library:
            extra = f"pip install 'microgpt-guide[{block.library}]'"
            first.append(
                f'<p class="cell-note">needs {LIBRARIES[block.library]}, which '
                f"browsers lack: <code>{escape(extra)}</code></p>"
            )
        program = escape(block.whole_program(), quote=True)
        first.append(f'{COPY}data-clipboard-text="{program}"></button>')
        first.append(LINK.format(f"block-{number}"))
        idle = block.skipped or block.library or self.is_lab
        last = "" if idle else BAR.format("Run")
        if block.output:
            text = escape(block.output.text)
            last += f'<pre class="output" tabindex="0"><code>{text}</code></pre>'
        code = ["", "```python", *block.fence.body, "```", ""]
        return [self.stash("".join(first)), *code, self.stash(f"{last}</div>")]

    def _exercise(self, fence: Fence) -> list[str]:
        exercise = read_exercise(self.guide.root, self.page, fence)
        start, solution = exercise.start, exercise.solution
        opening = (
            f'<div class="exercise"><div class="cell" id="exercise-{exercise.name}" '
            f'data-exercise="{exercise.name}" data-edition="{self.edition}">'
            f'{COPY}data-clipboard-text="{escape(start, quote=True)}"></button>'
            f"{LINK.format(f'exercise-{exercise.name}')}"
        )
        between = (
            f'{BAR.format("Check")}<p class="hint" role="status"></p></div>'
            '<details class="solution"><summary>A solution</summary>'
        )
        return [
            self.stash(opening),
            *["", "```python", *start.splitlines(), "```", ""],
            self.stash(between),
            *["", "```python", *solution.splitlines(), "```", ""],
            self.stash("</details></div>"),
        ]

    def _listing(self, listing: Listing) -> list[str]:
        span = listing.span
        options = f'linenums="{span.first}"'
        if listing.emphasised:
            marked = " ".join(str(n - span.first + 1) for n in listing.emphasised)
            options += f' hl_lines="{marked}"'
        caption = f"{self._link(span)}, {span.where}"
        home = self.guide.homes[span.path, span.first]
        title, searched = "", ""
        if home != listing:  # the search leads to where it is explained
            searched = " data-search-exclude"
        elif names := self._names(span):
            # A title to the search alone: of the page's outline it is no part.
            title = (
                f'<h6 role="none" class="names" id="{listing.anchor}-code">'
                f"{escape(', '.join(names))}</h6>"
            )
        if home.page != self.page.path:
            there = self._to(home.page, home.anchor)
            page = escape(plain(self.guide.pages[home.page].title()))
            caption += f', explained in <a href="{there}">{page}</a>'
        opening = (
            f'<figure class="listing" id="{listing.anchor}"{searched}>'
            f"<figcaption>{caption}</figcaption>{title}{LINK.format(listing.anchor)}"
        )
        code = ["", f"```python {options}", *dedent(span.lines), "```", ""]
        return [self.stash(opening), *code, self.stash("</figure>")]

    def _link(self, span: Span) -> str:
        name = f"<code>{span.path.as_posix()}</code>"
        page = self.guide.source_page(span.path)
        if page is None:
            return name
        return f'<a href="{self._to(page, f"L{span.first}")}">{name}</a>'

    def _changes(self, fence: Fence) -> list[str]:
        changes = read_changes(self.guide.root, self.page, fence)
        diff = changes.lines()
        gone = sum(line.startswith("-") for line in diff)
        come = sum(line.startswith("+") for line in diff)
        places = [f"{self._link(span)}, {span.where}" for span in changes.spans]
        if changes.before is None:
            caption = f"New in {places[0]}: {many(come)} added"
        elif changes.after is None:
            caption = f"Gone from {places[0]}: {many(gone)} removed"
        else:
            caption = (
                f"From {places[0]}, to {places[1]}: {many(gone)} removed, {come} added"
            )
        anchor = self._numbered("changes", fence)
        opening = (
            f'<figure class="changes" id="{anchor}" data-search-exclude>'
            f"<figcaption>{caption}</figcaption>{LINK.format(anchor)}"
        )
        code = ["", "```diff", *diff, "```", ""]
        return [self.stash(opening), *code, self.stash("</figure>")]

    def _where(self) -> str:
        section = self.guide.sections.get(self._in_docs())
        if section is None or not notebooks.is_offered(self.guide, self.page.path):
            return ""
        step, place = escape(section.step), f"{section.number} of {section.count}"
        what = "lab" if self.is_lab else "section"
        here = f"{step} <span>{what} {place}</span>"
        return self.stash(f'<p class="where">{here} {self._download()}</p>')

    def _download(self) -> str:
        name = notebooks.file_name(self.page.path)
        there = self._to(Path("docs", "assets", "notebooks", name))
        said = "Download this page as a notebook"
        return f'<a href="{there}" download title="{said}">notebook</a>'

    def _so_far(self) -> str:
        """Link what earlier pages of this step listed first."""
        sections = self.guide.sections
        here = sections.get(self._in_docs())
        links = []
        if here is None or not here.step.startswith("Step"):
            return ""
        for path, section in sections.items():
            if path == self._in_docs():
                break
            page = Path("docs", path)
            if section.step == here.step and page in self.guide.listings:
                for listing in self.guide.listings[page]:
                    first = self.guide.homes[listing.span.path, listing.span.first]
                    if first == listing and listing.is_definition:
                        target = self._to(page, listing.anchor)
                        names = escape(listing.names)
                        links.append(f'<a href="{target}"><code>{names}</code></a>')
        if not links:
            return ""
        shown = " ".join(links)
        if len(links) > SHOWN_AT_ONCE:
            summary = f"<summary>{len(links)} definitions</summary>"
            shown = f"<details>{summary}{shown}</details>"
        return self.stash(
            f'<nav class="so-far" aria-label="So far" data-search-exclude>{shown}</nav>'
        )

    def _source_page(self, fence: Fence) -> str:
        source = Path("".join(fence.body))
        if source not in [*self.guide.sources, *self.guide.programs]:
            raise self.page.error(f"{source} is no file to show", fence.line)
        # The search leads to where lines are explained, and here by the file's name.
        shown = source_page(self.guide, source, self._home)
        return f"<section data-search-exclude>{shown}</section>"

    def _names(self, span: Span) -> list[str]:
        """Return the functions and classes that begin in a span."""
        named = definitions("\n".join(self.guide.lines(span.path)))
        return [
            n for line, n in sorted(named.items()) if span.first <= line <= span.last
        ]

    def _home(self, home: Listing) -> str:
        title = escape(self.guide.place(home.page))
        target = self._to(home.page, home.anchor)
        return f'<a class="home" href="{target}">{title}</a>'

    def _to(self, target: Path, anchor: str = "") -> str:
        address = link(self.page.path, target, finished=self.finished)
        return f"{address}#{anchor}" if anchor else address

    def _in_docs(self) -> str:
        return self.page.path.relative_to("docs").as_posix()


def _explain_numbers(line: str) -> str:
    """Let whoever points at a number see the expression that gives it."""
    return DATA.sub(
        lambda found: f'<data value="{found[1]}" title="{found[1]}">{found[2]}</data>',
        line,
    )


def many(lines: int) -> str:
    """Return a number of lines in words: `1 line`, `2 lines`."""
    return f"{lines} line{'s' * (lines != 1)}"
