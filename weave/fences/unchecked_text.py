"""Text that nothing can check, such as a command to type, with the reason above it."""

from weave.fences.base import FenceKind, RenderContext, code_fence_lines, permalink_html
from weave.fences.python_block import PythonBlock


class UncheckedText(FenceKind):
    """Text below `<!--weave:unchecked the reason-->`, which readers see as it is."""

    language, required_directive = "text", "unchecked"
    anchor_prefix = "shown"  # of addresses that readers may have kept
    highlight_language = "text"

    @property
    def anchor(self) -> str:
        """The id in the page's HTML: `shown-2` for the second."""
        index = type(self).find_on_page(self.page).index(self)
        return f"{self.anchor_prefix}-{index + 1}"

    def check_syntax(self) -> None:
        """Refuse a text that readers would take for the output of the block above."""
        previous = self.previous_fence
        if previous and PythonBlock.matches(previous) and self.language == "text":
            between = self.page.lines[previous.end : self.line - 1]
            if not any(line and not line.startswith("<!--") for line in between):
                raise self.error(
                    "a text right below a block looks like its output: put "
                    "<!--pytest-codeblocks:expected-output--> above it if it is, or a "
                    "sentence between them"
                )

    def render(self, context: RenderContext) -> list[str]:
        """Return the text as it is."""
        opening = f'<div class="unchecked-text" id="{self.anchor}">{permalink_html(self.anchor)}'
        return [
            context.stash_html(opening),
            *code_fence_lines(self.highlight_language, self.fence.body),
            context.stash_html("</div>"),
        ]


class UncheckedCommands(UncheckedText):
    """Commands to type, below `<!--weave:unchecked the reason-->`."""

    language = anchor_prefix = highlight_language = "console"
