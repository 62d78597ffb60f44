"""Text that readers see exactly as it stands in the fence, such as a shell session."""

from typing import ClassVar

from weave.fences.base import FenceKind, RenderContext, code_fence_lines, permalink_html


class VerbatimText(FenceKind):
    """The base of kinds that show their body as it is and differ in how it is checked.

    Attributes:
        anchor_prefix: What their ids in the page's HTML begin with.
        highlight_language: The language in which the body is highlighted.
    """

    anchor_prefix: ClassVar[str]
    highlight_language: ClassVar[str]

    @property
    def anchor(self) -> str:
        """The id in the page's HTML: `session-2` for the second session."""
        index = type(self).find_on_page(self.page).index(self)
        return f"{self.anchor_prefix}-{index + 1}"

    def render(self, context: RenderContext) -> list[str]:
        """Return the text as it is."""
        opening = f'<div class="unchecked-text" id="{self.anchor}">{permalink_html(self.anchor)}'
        return [
            context.stash_html(opening),
            *code_fence_lines(self.highlight_language, self.fence.body),
            context.stash_html("</div>"),
        ]
