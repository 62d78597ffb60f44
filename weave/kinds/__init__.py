"""The kinds of fences that an author can type: this register, and a file for each."""

from collections.abc import Iterator

from weave.kinds import (  # noqa: F401  (the register: a line for each file)
    api,
    block,
    changes,
    diagram,
    exercise,
    figure,
    listing,
    picture,
    quiz,
    recaps,
    session,
    shown,
    source_page,
    widget,
)
from weave.kinds.kind import Kind
from weave.page import Page

KINDS = tuple(Kind.known)


def fences(page: Page) -> list[Kind]:
    """Return every fence of a page as its kind; raise WeaveError for one of no kind."""
    if Kind not in page.kinds:
        page.kinds[Kind] = list(_fences(page))
    return page.kinds[Kind]


def _fences(page: Page) -> Iterator[Kind]:
    found = {each.line: each for kind in KINDS for each in kind.on(page)}
    for fence in page.fences:
        if fence.line not in found:
            raise page.error(_no_kind(fence.language), fence.line)
        kind = found[fence.line]
        for directive in fence.directives:
            if directive.name not in {kind.directive, *kind.also}:
                what = f"'{directive.name}' does not go with a {fence.language} fence"
                raise page.error(what, directive.line)
        kind.read()
        yield kind


def _no_kind(language: str) -> str:
    kinds = [f"'{kind.directive}'" for kind in KINDS if kind.language == language]
    if kinds:
        return f"say above this fence what keeps it true: {' or '.join(kinds)}"
    known = ", ".join(sorted({kind.language for kind in KINDS}))
    return f"a fence needs one of the languages {known}, not {language!r}"
