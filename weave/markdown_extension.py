"""The Python-Markdown extension that builders load as `weave`."""

import re
from functools import cache
from pathlib import Path
from re import Match

from markdown import Extension, Markdown
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor

from weave.errors import WeaveError
from weave.fences.base import RenderContext, scrollable
from weave.guide import Guide
from weave.prose.glossary import GLOSSARY, glossary_of
from weave.render import render_page

MAX_UNBROKEN_LENGTH = 20  # letters of code that stay on one line
HEADING_LINK = re.compile(r'<a (class="headerlink" href="[^"]*")')
INLINE_CODE = re.compile(r"<code>([^<]*)</code>")
WORD_WITH_DASH = re.compile(r"[^\s<>]*-[^\s<>]+")
WORD_WITH_DASH_OR_SLASH = re.compile(rf"{WORD_WITH_DASH.pattern}|(?<=\w/)(?=\w)")
TABLE_OR_CODE = re.compile(rf"<table>(.*?)</table>|{INLINE_CODE.pattern}", re.DOTALL)


class WeaveExtension(Extension):
    """Renders what only this guide's pages have: listings, cells, graphs, formulas.

    MkDocs' hooks give the guide and the path of the page that is about to be rendered.
    Without them the builder is Zensical, which has no hooks: it says itself which page.
    """

    def __init__(self, guide: Guide | None = None, page: Path = Path()) -> None:
        super().__init__()
        self.guide, self.page = guide, page

    def extendMarkdown(self, md: Markdown) -> None:
        """Register all processors."""
        weave = WeavePreprocessor(md, self.guide, self.page)
        # After line ends are made equal (30), before superfences reads fences (25).
        md.preprocessors.register(weave, "weave", 28)
        # Before the HTML of fences stands in its place (30)
        md.postprocessors.register(PagePostprocessor(weave), "weave-dressing", 35)


class WeavePreprocessor(Preprocessor):
    """Replaces fences by what they stand for."""

    def __init__(self, md: Markdown, guide: Guide | None, path: Path) -> None:
        super().__init__(md)
        self.guide, self.path = guide, path
        self.view: RenderContext | None = None

    def run(self, lines: list[str]) -> list[str]:
        """Render a page, whose lines the guide has read.

        MkDocs resolves the links of Markdown and leaves HTML alone; Zensical resolves
        them all, once the page is HTML.
        """
        stash = self.md.htmlStash.store
        if self.guide:
            self.view = RenderContext(
                self.guide, self.guide.read_page(self.path), stash
            )
        else:
            from zensical.extensions.context import ContextPreprocessor

            context = ContextPreprocessor.from_markdown(self.md)
            if context is None:
                raise WeaveError("pages are built by MkDocs or Zensical")
            guide = load_zensical_guide()
            page = guide.read_page(Path("docs", context.page.path))
            self.view = RenderContext(guide, page, stash, links_are_final=False)
        return list(render_page(self.view))


@cache
def load_zensical_guide() -> Guide:
    """Return the guide that Zensical builds, as it stood when the build began."""
    return Guide(Path(__file__).resolve().parents[1])


class PagePostprocessor(Postprocessor):
    """Changes the HTML of a page before that of its fences is put into it."""

    def __init__(self, preprocessor: WeavePreprocessor) -> None:
        super().__init__(preprocessor.md)
        self.preprocessor = preprocessor

    def run(self, text: str) -> str:
        """Mark terms, frame tables, divide code, hide the signs that link headings.

        Keys and screen readers find the same links in the table of contents.
        """
        if view := self.preprocessor.view:
            terms = glossary_of(view.guide)
            if view.page.path == GLOSSARY:
                anchors = (term.anchor for term in terms.terms)
                text = re.sub("<dt>", lambda _: f'<dt id="{next(anchors)}">', text)
            else:
                text = terms.mark(
                    text, view.page, lambda t: view.url_to(GLOSSARY, t.anchor)
                )
        hidden = r'<a aria-hidden="true" \1 tabindex="-1"'
        return TABLE_OR_CODE.sub(_control_line_breaks, HEADING_LINK.sub(hidden, text))


def _control_line_breaks(found: Match[str]) -> str:
    """Say where a line may end within code: not at a dash, as `--save-every` has them.

    Nor in what is short, such as `a - b`. In a table a line may end there, and after a
    slash as well, because the narrowest column has room for a path.
    """
    table, code = found.groups()
    if table:  # keys can scroll what is wider than a phone
        table = INLINE_CODE.sub(
            lambda inner: WORD_WITH_DASH_OR_SLASH.sub(_forbid_line_break, inner[0]),
            table,
        )
        return scrollable(f'\n<table class="plain">{table}</table>\n', "canvas tabled")
    if len(code) > MAX_UNBROKEN_LENGTH:
        return f"<code>{WORD_WITH_DASH.sub(_forbid_line_break, code)}</code>"
    return f'<code class="unbroken">{code}</code>'


def _forbid_line_break(part: Match[str]) -> str:
    return f'<span class="unbroken">{part[0]}</span>' if part[0] else "<wbr />"
