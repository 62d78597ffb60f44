"""A preview that makes only what a saved change touches.

`mkdocs serve` builds the whole site after each save. This keeps what the last build made
of each page, and gives it again where a build would make the same. A page is made of its
own text, of files that are no pages, and of what pages show of one another: when these
two change, everything is made anew.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache, ChoiceLoader, DictLoader, Environment
from jinja2.bccache import Bucket
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files, InclusionLevel
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import TableOfContents

from weave.bundle import ARCHIVE
from weave.counts import filled
from weave.errors import WeaveError
from weave.files import state
from weave.guide import Guide
from weave.kinds import KINDS
from weave.kinds.recaps import recaps
from weave.page import Page as GuidePage
from weave.prose.glossary import glossary_of
from weave.publish import about, offline, policy
from weave.publish.looks import LOOKS

# What pages are made of beside one another.
SOURCES = (
    *("docs", "microgpt", "snippets", "weave", "mkdocs.yml", "pyproject.toml"),
    *("web/dist", "web/pictures", "web/runtime", "web/theme", "web/widgets"),
)
PAGES = (".md", ".ipynb")
NAMED = ".css"  # pages name these files, and show nothing of what is in them
# What a build writes: made of the rest.
MADE = (
    *(ARCHIVE.parent, LOOKS, policy.PARTIAL, about.ABOUT),
    *(offline.SCRIPT, offline.EDITION),
)
# Fences of which other pages show something.
SHOWN_ELSEWHERE = {kind.language for kind in KINDS if kind.shown_elsewhere}
# The template of a page whose HTML is there already.
TEMPLATE = "kept.html"
SEARCH = "material/search"


# MkDocs shows what is logged below its own name.
log = logging.getLogger("mkdocs.weave")


@dataclass
class Made:
    """What a build made of a page: its article, what the search finds, its HTML."""

    of: tuple[Any, ...]
    content: str
    title: str | None
    toc: TableOfContents
    anchors: set[str] | None
    links: dict[str, dict[str, str]]  # by the page that they lead to
    found: list[dict[str, Any]] | None = None
    html: str | None = None

    def looks_like(self, other: Made) -> bool:
        """Tell whether both make the same page; its contents are those of its text."""
        mine, theirs = (
            (made.of, made.content, made.title, made.anchors) for made in (self, other)
        )
        return mine == theirs


@dataclass
class Kept:
    """What was made of pages while nothing around them changed."""

    outside: object = None  # files that are no pages
    shared: object = None  # what pages show of one another
    menu: object = None  # all pages, as the HTML of each shows them
    made: dict[str, Made] = field(default_factory=dict)
    # What was made when they shared something else: some of it will be the same.
    before: dict[str, Made] = field(default_factory=dict)


class Preview:
    """Stands between MkDocs and the pages of a preview; its methods are MkDocs's events."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._kept: list[Kept] = [Kept()]
        self._compiled = _Compiled()
        self._anew = self._all = 0
        self._meta: MutableMapping[str, Any] = {}
        self._before = 0
        self._program = state(root, "weave")

    def on_pre_build(self) -> None:
        """Begin to count; say so where a save changes nothing."""
        self._anew = self._all = 0
        program = state(self.root, "weave")
        if program != self._program:
            log.warning("weave/ has changed: start 'mkdocs serve' again to see it")

    def on_files(self, guide: Guide, config: MkDocsConfig, files: Files) -> None:
        """Begin anew with all pages if something around them has changed."""
        names = [(file.src_uri, file.url) for file in files]
        outside = (config.site_url, names, list(_beside_pages(self.root)))
        shared = list(shown_elsewhere(guide))
        now = Kept(outside, shared)
        for kept in reversed(self._kept):
            if kept.outside == outside:
                now.menu, now.before = kept.menu, kept.made
        for kept in self._kept:
            if (kept.outside, kept.shared) == (outside, shared):
                now = kept
        # The one before is what is wanted again when a mistake is mended.
        self._kept = [now, *(kept for kept in self._kept if kept is not now)][:2]

    @property
    def _made(self) -> dict[str, Made]:
        return self._kept[0].made

    def render(
        self, page: Page, guide: Guide, config: MkDocsConfig, files: Files
    ) -> None:
        """Make the article of a page, or take the one that is there."""
        assert page.markdown is not None
        said = filled(guide, page.markdown)  # counts change with any page
        of = (page.file.src_uri, said, dict(page.meta))
        made = self._made.pop(page.file.src_uri, None)
        self._all += 1
        if made is None or made.of != of:
            self._anew += 1
            with _complaints() as complaints:
                Page.render(page, config, files)
            if complaints.heard:  # to be repeated until they are mended
                return
            assert page.content is not None
            links = page.links_to_anchors or {}
            made = Made(
                of,
                page.content,
                page.title,
                page.toc,
                page.present_anchor_ids,
                {file.src_uri: anchors for file, anchors in links.items()},
            )
            before = self._kept[0].before.get(page.file.src_uri)
            if before and before.looks_like(made):
                made.found, made.html = before.found, before.html
        else:
            page.content, page.toc, page.title = made.content, made.toc, made.title
            page.present_anchor_ids = made.anchors
            page.links_to_anchors = {
                files.src_uris[uri]: anchors for uri, anchors in made.links.items()
            }
        self._made[page.file.src_uri] = made

    def on_env(self, env: Environment, files: Files) -> None:
        """Let pages that would be the same have a template that gives what they were."""
        env.bytecode_cache = self._compiled
        assert env.loader is not None
        env.loader = ChoiceLoader([DictLoader({TEMPLATE: "{{ kept }}"}), env.loader])
        pages = [
            file.page
            for file in files.documentation_pages(inclusion=InclusionLevel.is_in_serve)
            if file.page is not None
        ]
        menu = [(page.url, page.title, dict(page.meta)) for page in pages]
        if menu != self._kept[0].menu:
            for made in self._made.values():
                made.html = None
        self._kept[0].menu, self._kept[0].before = menu, {}
        for page in pages:
            if self._html(page) is not None:
                page.meta["template"] = TEMPLATE

    def before_search(self, page: Page, config: MkDocsConfig) -> None:
        """Let the search pass over a page of which it is known what is to be found."""
        made = self._made.get(page.file.src_uri)
        self._meta, self._before = page.meta, len(index_of(config))
        if made and made.found is not None:
            page.meta = {**page.meta, "search": {"exclude": True}}
            if made.html is not None:
                page.content = ""  # nobody looks at it any more

    def after_search(self, page: Page, config: MkDocsConfig) -> str | None:
        """Keep what the search found, or give it again; return the HTML that is kept."""
        made, index = self._made.get(page.file.src_uri), index_of(config)
        page.meta = self._meta
        if made and made.found is None:
            made.found = index[self._before :]
        elif made and made.found:
            index += made.found
        return self._html(page)

    def on_post_page(self, output: str, page: Page) -> None:
        """Keep the HTML of a page."""
        if made := self._made.get(page.file.src_uri):
            made.html = output

    def on_post_build(self) -> None:
        """Tell the author how much a save has changed."""
        log.info(f"{self._anew} of {self._all} pages made anew")

    def _html(self, page: Page) -> str | None:
        made = self._made.get(page.file.src_uri)
        return made.html if made else None


class _Compiled(BytecodeCache):
    """Templates as Python, for the next build."""

    def __init__(self) -> None:
        self._known: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill in a template that is known, unless its text is another now."""
        if bucket.key in self._known:
            bucket.bytecode_from_string(self._known[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Remember a template."""
        self._known[bucket.key] = bucket.bytecode_to_string()


def shown_elsewhere(guide: Guide) -> Iterator[object]:
    """Yield what pages may show of another: name, listings, terms, recap."""
    yield guide.paths, guide.labs
    for path, page in guide.pages.items():
        fences = [f for f in page.fences if f.language in SHOWN_ELSEWHERE]
        yield path, _title(page), [(f.language, f.body) for f in fences]
    yield [page.lines for page in recaps(guide)]
    for term in glossary_of(guide).terms:
        yield term.names, term.marked, term.meaning, term.home


def _title(page: GuidePage) -> str:
    try:
        return page.title()
    except WeaveError:  # told where another page needs it
        return ""


def _beside_pages(root: Path) -> Iterator[object]:
    """Yield the state of each file that pages are made of and that is no page."""
    made = tuple(str(root / path) for path in MADE)
    for each in state(root, *SOURCES):
        name, *_ = each
        page = name.startswith(str(root / "docs")) and name.endswith(PAGES)
        if not page and not name.startswith(made):
            yield name if name.endswith(NAMED) else each


def index_of(config: MkDocsConfig) -> list[dict[str, Any]]:
    """Return what the search has of the pages so far."""
    search: Any = config.plugins[SEARCH]
    entries: list[dict[str, Any]] = search.search_index.entries
    return entries


class _Complaints(logging.Handler):
    """Notices that MkDocs, or weave through it, has something to say."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.heard = False

    def emit(self, record: logging.LogRecord) -> None:
        self.heard = True


@contextmanager
def _complaints() -> Iterator[_Complaints]:
    complaints, logger = _Complaints(), logging.getLogger("mkdocs")
    logger.addHandler(complaints)
    try:
        yield complaints
    finally:
        logger.removeHandler(complaints)
