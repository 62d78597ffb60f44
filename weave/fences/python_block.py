"""Blocks of Python: run, compared with what they print, and run again by readers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from html import escape
from importlib.util import find_spec

from weave.corrections import Correction
from weave.errors import WeaveError, shorten_and_quote
from weave.fences.base import (
    RenderContext,
    TypedFence,
    cell_toolbar_html,
    copy_button_html,
    permalink_html,
)
from weave.guide import Guide
from weave.markdown_text import CODE_SPAN
from weave.nontrivial_numbers import find_nontrivial_numbers, numeric_value
from weave.results import RunResults

# What a block may import besides the package: the module, which is also the name of the
# extra that installs it, and what readers call it
OPTIONAL_LIBRARIES = {"numpy": "NumPy", "torch": "PyTorch"}
MAX_COLUMNS = 72  # of code on a page
EXPECTED_OUTPUT_COMMENT = "<!--pytest-codeblocks:expected-output-->"
PYTHON_COMMENT = re.compile(r"^\s*#.*|  #.*", re.MULTILINE)
NUMBER_LITERAL = re.compile(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?")


class PythonBlock(TypedFence):
    """A block of Python, the blocks that it continues, and what it prints."""

    language = "python"
    optional_directives = frozenset({"cont", "importorskip"})

    @cached_property
    def number(self) -> int:
        """The number of this block on the page, from 1."""
        return PythonBlock.find_on_page(self.page).index(self) + 1

    @cached_property
    def continued_block(self) -> PythonBlock | None:
        """The block above, if a directive says that this block continues it."""
        if self.number == 1 or not self.fence.directive("cont"):
            return None
        return PythonBlock.find_on_page(self.page)[self.number - 2]

    @cached_property
    def expected_output(self) -> ExpectedOutput | None:
        """The fence below this block with its output, if the page has one."""
        outputs = ExpectedOutput.find_on_page(self.page)
        return next((o for o in outputs if o.previous_fence is self.fence), None)

    @property
    def required_library(self) -> str:
        """The optional library that this block or one above it needs, or ""."""
        if directive := self.fence.directive("importorskip"):
            return directive.argument
        return self.continued_block.required_library if self.continued_block else ""

    @property
    def is_library_installed(self) -> bool:
        """Whether no library is required, or the required one is installed."""
        return not self.required_library or find_spec(self.required_library) is not None

    def blocks_to_run(self) -> list[PythonBlock]:
        """Return the blocks that this one continues, in order, then this one."""
        before = self.continued_block.blocks_to_run() if self.continued_block else []
        return [*before, self]

    def full_code(self) -> str:
        """Return the code of all blocks to run, which works when pasted elsewhere."""
        return "\n".join(block.fence.text for block in self.blocks_to_run())

    def validate(self) -> None:
        """Refuse `cont` without a block above, and an unknown or unused library."""
        if needs := self.fence.directive("importorskip"):
            library = needs.argument
            if library not in OPTIONAL_LIBRARIES:
                raise self.page.error(
                    f"expected importorskip({' or '.join(OPTIONAL_LIBRARIES)}), "
                    f"got importorskip({library})",
                    needs.line,
                )
            if library not in self.fence.text:
                raise self.page.error(
                    f"the block does not use {library}: remove the comment", needs.line
                )
        continues = self.fence.directive("cont")
        if continues and self.number == 1:
            raise self.page.error(
                "expected a block above for this one to continue: "
                "add it, or remove the comment",
                continues.line,
            )

    def check(self, guide: Guide, results: RunResults) -> Iterator[WeaveError]:
        """Compare the output; check the width, and the numbers in comments."""
        printed = results.outputs.get(self.line)  # None if it wasn't run
        if printed is not None and self.line not in results.failures:
            yield from self._compare_output(printed)
        for number, text in enumerate(self.fence.body, 1):
            if len(text) > MAX_COLUMNS:
                yield self.error(
                    f"expected at most {MAX_COLUMNS} columns of code, got {len(text)}: "
                    "break the line",
                    number,
                )
        yield from self._check_numbers_in_comments()

    def _compare_output(self, printed: str) -> Iterator[WeaveError]:
        normalized = "".join(f"{line}\n" for line in printed.splitlines())
        if printed != normalized or re.search("^```", printed, re.MULTILINE):
            yield self.error(
                f"the block prints {shorten_and_quote(printed)}, which no fence can hold: end the "
                "last line with \\n, and print neither ``` nor other line breaks"
            )
        elif self.expected_output is None:
            if printed:
                below = (self.fence.end + 1, 0)
                yield Correction(
                    self.page.path,
                    below,
                    below,
                    f"\n{EXPECTED_OUTPUT_COMMENT}\n```text\n{printed}```\n",
                    f"the block prints {shorten_and_quote(printed)}, which the page does not show",
                )
        elif (expected := self.expected_output.fence.text) != printed:
            yield self.expected_output.correct_body(
                printed,
                f"the block of line {self.line} prints {shorten_and_quote(printed)}, not "
                f"{shorten_and_quote(expected)}",
            )

    def _check_numbers_in_comments(self) -> Iterator[WeaveError]:
        """Yield errors for numbers in comments that don't occur in the code."""
        code = PYTHON_COMMENT.sub("", self.full_code())
        literals = NUMBER_LITERAL.findall(code)
        code_numbers = {float(literal.replace("_", "")) for literal in literals}
        for line, text in enumerate(self.fence.body, 1):
            comment = "".join(PYTHON_COMMENT.findall(text))
            for number in find_nontrivial_numbers(CODE_SPAN.sub(" ", comment)):
                if numeric_value(number) not in code_numbers:
                    yield self.error(
                        f"the comment says {number}, but the code has no such number: "
                        "correct it, or leave it out",
                        line,
                    )

    def render(self, context: RenderContext) -> list[str]:
        """Return the block with its output, and with buttons to run and edit it."""
        anchor, notes = f"block-{self.number}", []
        python_hash = context.guide.python_archive_hash
        attributes = f'id="{anchor}" data-python-hash="{python_hash}"'
        attributes += f' role="group" aria-label="Block {self.number}"'
        if self.continued_block:
            continued = f"block-{self.continued_block.number}"
            attributes += f' data-continues="{continued}"'
            if not self.page.is_lab:  # whose cells all continue the one above
                notes.append(f'continues <a href="#{continued}">the block above</a>')
        if library := self.required_library:
            extra = escape(f"pip install 'microgpt-guide[{library}]'")
            notes.append(
                f"needs {OPTIONAL_LIBRARIES[library]}, which this page doesn't load: "
                f"<code>{extra}</code>"
            )
        opening = f'<div class="cell" {attributes}>'
        opening += "".join(f'<p class="cell-note">{note}</p>' for note in notes)
        opening += copy_button_html(self.full_code()) + permalink_html(anchor)
        runs_in_browser = not (self.required_library or self.page.is_lab)
        closing = cell_toolbar_html("Run") if runs_in_browser else ""
        if self.expected_output:
            output = escape(self.expected_output.fence.text)
            closing += f'<pre class="output" tabindex="0"><code>{output}</code></pre>'
        closing += "</div>"
        if self.previous_fence and self.previous_fence.language == "figure":
            summary = "<summary>The code that draws it</summary>"
            opening = f'<details class="dig">{summary}{opening}'
            closing += "</details>"
        return context.wrap_code(opening, "python", self.fence.body, closing)


class ExpectedOutput(TypedFence):
    """The expected output of the block above, which renders this fence too."""

    language, required_directive = "text", "expected-output"

    @classmethod
    def required_comment(cls) -> str:
        """Return the comment, which belongs to pytest-codeblocks."""
        return EXPECTED_OUTPUT_COMMENT

    def validate(self) -> None:
        """Refuse an output with no block above it."""
        if not self.previous_fence or not PythonBlock.matches(self.previous_fence):
            directive = self.fence.directive(self.required_directive)
            raise self.page.error(
                "an expected output must follow the block that prints it: move it "
                "below, or remove it",
                directive.line if directive else self.line,
            )

    def render(self, context: RenderContext) -> list[str]:
        """Return nothing: the block above renders its output."""
        return []
