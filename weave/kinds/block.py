"""Blocks of Python: run, compared with what they print, and run again by readers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from html import escape
from importlib.util import find_spec

from weave.corrections import Correction, Finding, correct_fence_body
from weave.errors import quote_text
from weave.guide import Guide
from weave.kinds.kind import BAR, COPY, LINK, Kind, View, code
from weave.markdown_text import CODE_SPAN
from weave.number_claims import claim_value, find_number_claims
from weave.page import Fence
from weave.results import RunResults

# What blocks may need besides the package, and the extra that installs it.
LIBRARIES = {"numpy": "NumPy", "torch": "PyTorch"}
WIDTH = 72  # columns of code that a chapter shows
EXPECTED = "<!--pytest-codeblocks:expected-output-->"
COMMENT = re.compile(r"^\s*#.*|  #.*", re.MULTILINE)
LITERAL = re.compile(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?")


class Block(Kind):
    """A block of Python, the blocks that it continues, and what it prints."""

    language = "python"
    also = frozenset({"cont", "importorskip"})

    @cached_property
    def number(self) -> int:
        """Its place among the blocks of its page, from 1."""
        return Block.on(self.page).index(self) + 1

    @cached_property
    def continues(self) -> Block | None:
        """The block above, if this one continues it."""
        continues = self.fence.directive("cont") and self.number > 1
        return Block.on(self.page)[self.number - 2] if continues else None

    @cached_property
    def output(self) -> Output | None:
        """What the page says that it prints."""
        outputs = (o for o in Output.on(self.page) if o.above is self.fence)
        return next(outputs, None)

    @property
    def drawing(self) -> Fence | None:
        """What it draws in a lab: this stands above it."""
        above = self.above
        return above if above and above.language == "figure" else None

    @property
    def library(self) -> str:
        """The library that the block, or one that it continues, needs; or nothing."""
        if needs := self.fence.directive("importorskip"):
            return needs.argument
        return self.continues.library if self.continues else ""

    @property
    def runs_here(self) -> bool:
        """Whether what it needs is installed."""
        return not self.library or find_spec(self.library) is not None

    @property
    def has_run(self) -> bool:
        """Whether readers can run it where they read it."""
        return not (self.library or self.page.is_lab)

    @property
    def text(self) -> str:
        """Its code."""
        return self.fence.text

    def program(self) -> list[Block]:
        """Return the blocks that this one needs, itself last."""
        return [*(self.continues.program() if self.continues else []), self]

    def whole_program(self) -> str:
        """Return the code to copy: this block after all that it needs."""
        return "\n".join(block.text for block in self.program())

    def read(self) -> None:
        """Refuse to continue nothing, and to need a library that it doesn't use."""
        for mark in self.fence.directives:
            if mark.name == "cont" and self.number == 1:
                raise self.page.error("there is no block above to continue", mark.line)
            if mark.name == "cont":
                continue
            if mark.argument not in LIBRARIES:
                what = f"a block may need {' and '.join(LIBRARIES)}, no other library"
                raise self.page.error(what, mark.line)
            if mark.argument not in self.text:
                what = f"the block does not use {mark.argument}: it can run everywhere"
                raise self.page.error(what, mark.line)

    def check(self, guide: Guide, results: RunResults) -> Iterator[Finding]:
        """Compare what it prints; look at its width, and at numbers in its comments."""
        line = self.line
        printed = results.outputs.get(line)  # None: it was not run
        if printed is not None and line not in results.failures:
            yield from self._compare(printed)
        for offset, text in enumerate(self.fence.body, 1):
            if len(text) > WIDTH:
                yield self.error(f"over {WIDTH} columns", offset)
        yield from self._comments()

    def _compare(self, printed: str) -> Iterator[Finding]:
        said = f"prints {quote_text(printed)}"
        whole = "".join(f"{line}\n" for line in printed.splitlines())
        if printed != whole or re.search("^```", printed, re.MULTILINE):
            yield self.error(
                f"the block {said}: end the last line, and print neither ``` nor other "
                "line ends, which no fence can hold"
            )
        elif self.output is None:
            if printed:
                text = f"\n{EXPECTED}\n```text\n{printed}```\n"
                what = f"the block {said}, which the page does not show"
                place = (self.fence.end + 1, 0)
                yield Correction(self.page.path, place, place, text, what)
        elif self.output.fence.text != printed:
            shown = quote_text(self.output.fence.text)
            message = f"the block of line {self.line} {said}, not {shown}"
            yield correct_fence_body(
                self.output.fence, self.page.path, printed, message
            )

    def _comments(self) -> Iterator[Finding]:
        """Find numbers in comments that the program does not have."""
        program = COMMENT.sub("", self.whole_program())
        known = {float(found.replace("_", "")) for found in LITERAL.findall(program)}
        for offset, text in enumerate(self.fence.body, 1):
            for number in find_number_claims(
                CODE_SPAN.sub(" ", "".join(COMMENT.findall(text)))
            ):
                if claim_value(number) not in known:
                    what = f"{number!r} is a number that the program does not have"
                    yield self.error(what, offset)

    def html(self, view: View) -> list[str]:
        """Show the block with buttons to run and to edit it, and its output."""
        anchor, notes = f"block-{self.number}", []
        attributes = f'id="{anchor}" data-edition="{view.guide.python_archive_hash}"'
        attributes += f' role="group" aria-label="Block {self.number}"'
        if self.continues:
            above = f"block-{self.continues.number}"
            attributes += f' data-continues="{above}"'
            if not self.page.is_lab:  # of which all cells continue
                notes.append(f'continues <a href="#{above}">the block above</a>')
        if self.library:
            extra = escape(f"pip install 'microgpt-guide[{self.library}]'")
            what = f"needs {LIBRARIES[self.library]}, which this page doesn't load"
            notes.append(f"{what}: <code>{extra}</code>")
        first = f'<div class="cell" {attributes}>'
        first += "".join(f'<p class="cell-note">{note}</p>' for note in notes)
        program = escape(self.whole_program(), quote=True)
        first += f'{COPY}data-clipboard-text="{program}"></button>{LINK.format(anchor)}'
        last = BAR.format("Run") if self.has_run else ""
        if self.output:
            text = escape(self.output.fence.text)
            last += f'<pre class="output" tabindex="0"><code>{text}</code></pre>'
        last += "</div>"
        if self.drawing:
            summary = "<summary>The code that draws it</summary>"
            first, last = f'<details class="dig">{summary}{first}', f"{last}</details>"
        shown = code("python", self.fence.body)
        return [view.stash(first), *shown, view.stash(last)]


class Output(Kind):
    """What the block above prints."""

    language, directive = "text", "expected-output"

    def read(self) -> None:
        """Refuse an output with no block above it."""
        if not self.above or not Block.is_kind_of(self.above):
            mark = self.fence.directive(self.directive)
            raise self.page.error(
                "an expected output must follow the block that prints it",
                mark.line if mark else self.line,
            )

    def html(self, view: View) -> list[str]:
        """Return nothing: it's shown with its block."""
        return []
