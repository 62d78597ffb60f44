"""Text that nothing can check, such as a command to type, with the reason above it."""

from weave.kinds.block import Block
from weave.kinds.kind import LINK, Kind, View, code


class Shown(Kind):
    """Text or commands below `<!--weave:shown the reason-->`."""

    language, directive = "text", "shown"
    name = "shown"
    highlighted = "text"

    @property
    def anchor(self) -> str:
        """The id on the page."""
        return f"{self.name}-{type(self).on(self.page).index(self) + 1}"

    def read(self) -> None:
        """Refuse a text that readers would take for the output of the block above."""
        above = self.above
        if above and Block.is_kind_of(above) and self.language == "text":
            between = self.page.lines[above.end : self.line - 1]
            if not any(line and not line.startswith("<!--") for line in between):
                what = "text below a block reads as its output: say so, or move it"
                raise self.error(what)

    def html(self, view: View) -> list[str]:
        """Show the text as it is."""
        opening = f'<div class="shown" id="{self.anchor}">{LINK.format(self.anchor)}'
        shown = code(self.highlighted, self.fence.body)
        return [view.stash(opening), *shown, view.stash("</div>")]


class Console(Shown):
    """Commands to type."""

    language = name = highlighted = "console"
