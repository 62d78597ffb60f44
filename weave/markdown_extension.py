"""The Python-Markdown extension that builders load as `weave`."""

import re
from functools import cache, partial
from pathlib import Path
from re import Match

from markdown import Extension, Markdown
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor

from weave.errors import WeaveError
from weave.fences.base import Html, RenderContext, make_scrollable
from weave.guide import Guide
from weave.prose.glossary import GLOSSARY_PATH, load_glossary
from weave.render import render_to_markdown_lines

MAX_UNBROKEN_CODE_LENGTH = 20  # characters of code that always stay on one line
HEADING_LINK = re.compile(r'<a (class="headerlink" href="[^"]*")')
INLINE_CODE = re.compile(r"<code>([^<]*)</code>")
DASHED_WORD = re.compile(r"[^\s<>]*-[^\s<>]+")
DASHED_WORD_OR_SLASH = re.compile(rf"{DASHED_WORD.pattern}|(?<=\w/)(?=\w)")
TABLE_OR_CODE = re.compile(rf"<table>(.*?)</table>|{INLINE_CODE.pattern}", re.DOTALL)


class WeaveExtension(Extension):
    """Renders what only this guide's pages have: listings, cells, graphs, formulas."""

    def __init__(self, guide: Guide | None = None, page: Path = Path()) -> None:
        """Store the guide and the path of a page, which the hooks of MkDocs give.

        Without a guide, the builder is Zensical; it tells the preprocessor the page.
        """
        super().__init__()
        self.guide, self.page = guide, page

    def extendMarkdown(self, md: Markdown) -> None:
        """Register a preprocessor and a postprocessor with Python-Markdown."""
        preprocessor = WeavePreprocessor(md, self.guide, self.page)
        postprocessor = WeavePostprocessor(preprocessor)
        # After line ends are made equal (30), before superfences reads fences (25)
        md.preprocessors.register(preprocessor, "weave", 28)
        # Before stashed HTML is put back (30)
        md.postprocessors.register(postprocessor, "weave-html", 35)


class WeavePreprocessor(Preprocessor):
    """Replaces the fences and formulas of a page by HTML, set aside in a stash."""

    def __init__(self, md: Markdown, guide: Guide | None, path: Path) -> None:
        super().__init__(md)
        self.guide, self.path = guide, path
        self.context: RenderContext | None = None  # of the page, once it is rendered

    def run(self, lines: list[str]) -> list[str]:
        """Return the page, rendered; the guide has read its lines already.

        MkDocs resolves the links of Markdown and leaves those of HTML alone; Zensical
        resolves all links, once the page is HTML.
        """
        stash = self.md.htmlStash.store
        if self.guide:
            page = self.guide.read_page(self.path)
            self.context = RenderContext(self.guide, page, stash)
        else:
            from zensical.extensions.context import ContextPreprocessor

            zensical = ContextPreprocessor.from_markdown(self.md)
            if zensical is None:
                raise WeaveError("build the pages with MkDocs or Zensical")
            guide = load_zensical_guide()
            page = guide.read_page(Path("docs", zensical.page.path))
            self.context = RenderContext(guide, page, stash, links_are_final=False)
        return list(render_to_markdown_lines(self.context))


@cache
def load_zensical_guide() -> Guide:
    """Return the guide that Zensical builds, as it was when the build began."""
    return Guide(Path(__file__).resolve().parents[1])


class WeavePostprocessor(Postprocessor):
    """Changes the HTML of a page's prose, before stashed HTML is put back into it."""

    def __init__(self, preprocessor: WeavePreprocessor) -> None:
        super().__init__(preprocessor.md)
        self.preprocessor = preprocessor

    def run(self, html: Html) -> Html:
        """Mark glossary terms, make tables scroll, and control line breaks in code.

        The signs that link to headings are hidden from keys and screen readers, which
        find the same links in the table of contents.
        """
        if context := self.preprocessor.context:
            html = _link_or_anchor_terms(context, html)
        hidden_link = r'<a aria-hidden="true" \1 tabindex="-1"'
        html = HEADING_LINK.sub(hidden_link, html)
        return TABLE_OR_CODE.sub(_control_line_breaks, html)


def _link_or_anchor_terms(context: RenderContext, html: Html) -> Html:
    """Link the first use of each term to the glossary; there, give each term an id."""
    glossary = load_glossary(context.guide)
    if context.page.path == GLOSSARY_PATH:
        anchors = (term.anchor for term in glossary.terms)
        return re.sub("<dt>", lambda _: f'<dt id="{next(anchors)}">', html)
    return glossary.link_first_uses(
        html, context.page, lambda term: context.url_to(GLOSSARY_PATH, term.anchor)
    )


def _control_line_breaks(table_or_code: Match[str]) -> Html:
    """Keep short code, and words with a dash such as `--save-every`, on one line.

    In a table short code may break too, also after a slash, because the narrowest column
    has room for one path. A table that is wider than a phone can be scrolled with keys.
    """
    table, code = table_or_code.groups()
    if table:
        break_code = partial(DASHED_WORD_OR_SLASH.sub, _keep_or_allow_break)
        table = INLINE_CODE.sub(lambda inner: break_code(inner[0]), table)
        html = f'\n<table class="data-table">{table}</table>\n'
        return make_scrollable(html, "canvas table-frame")
    if len(code) > MAX_UNBROKEN_CODE_LENGTH:
        return f"<code>{DASHED_WORD.sub(_keep_or_allow_break, code)}</code>"
    return f'<code class="no-break">{code}</code>'


def _keep_or_allow_break(word_or_slash: Match[str]) -> Html:
    """Keep a word on one line; allow a break at the empty match after a slash."""
    word = word_or_slash[0]
    return f'<span class="no-break">{word}</span>' if word else "<wbr />"
