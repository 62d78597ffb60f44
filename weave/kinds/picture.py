"""Still pictures that Python draws when the site is built, from the package's numbers."""

import re
from collections.abc import Iterator

from weave.guide import Guide
from weave.kinds.kind import Kind, View, spaced


class Picture(Kind):
    """The name of a function of `web/pictures/`; below it, what the picture shows."""

    language = "picture"

    @property
    def name(self) -> str:
        """The name of its function."""
        return self.fence.body[0] if self.fence.body else ""

    @property
    def caption(self) -> str:
        """What it shows, in Markdown: readers see it, and screen readers say it."""
        return " ".join(self.fence.body[1:]).strip()

    def read(self) -> None:
        """Refuse a picture without a name or a caption."""
        if not re.fullmatch(r"[a-z_]+", self.name) or not self.caption:
            what = "a picture has a name on its first line, and below it what it shows"
            raise self.error(what)

    def prose(self) -> Iterator[tuple[int, str]]:
        """Yield the caption."""
        yield from enumerate(self.fence.body[1:], self.line + 2)

    def content(self, guide: Guide) -> str:
        """Return its SVG."""
        return str(self.answer(guide, {"picture": self.name}))

    def html(self, view: View) -> list[str]:
        """Show it above its caption."""
        svg = self.content(view.guide)
        opening = f'<figure class="still">{svg}<figcaption>'
        closing = view.stash("</figcaption></figure>")
        return spaced(view.stash(opening), self.caption, closing)
