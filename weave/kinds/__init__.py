"""The kinds of fences that an author can type, each in a file of this folder."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from weave.kinds.kind import Kind
from weave.page import Fence, Page

for module in iter_modules(__path__):
    import_module(f"{__name__}.{module.name}")

KINDS = tuple(Kind.known)


def fences(page: Page) -> list[Kind]:
    """Return every fence of a page as its kind; raise WeaveError for one of no kind."""
    if Kind not in page.fences_by_kind:
        found = {each.line: each for kind in KINDS for each in kind.on(page)}
        page.fences_by_kind[Kind] = [
            _read(page, fence, found.get(fence.line)) for fence in page.fences
        ]
    return page.fences_by_kind[Kind]


def _read(page: Page, fence: Fence, kind: Kind | None) -> Kind:
    if kind is None:
        raise page.error(_no_kind(fence.language), fence.line)
    said: set[str] = set()
    for directive in fence.directives:
        if directive.name not in {kind.directive, *kind.also}:
            what = f"'{directive.name}' does not go with a {fence.language} fence"
            raise page.error(what, directive.line)
        if directive.name in said:
            raise page.error(f"a fence has one '{directive.name}'", directive.line)
        said.add(directive.name)
    kind.read()
    return kind


def lines(page: Page) -> Iterator[tuple[int, str]]:
    """Yield line and text of all that readers read as prose in Markdown."""
    yield from page.prose_lines()
    for fence in fences(page):
        yield from fence.prose()


def _no_kind(language: str) -> str:
    needed = [k.directive for k in KINDS if k.language == language]
    if needed:
        comments = " or ".join(f"<!--weave:{directive} …-->" for directive in needed)
        return f"say above this fence what keeps it true: {comments}"
    known = ", ".join(sorted({kind.language for kind in KINDS}))
    return f"a fence needs one of the languages {known}, not {language!r}"
