"""The kinds of fences that an author can type, each in a module of this folder."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from weave.fences.base import TypedFence
from weave.page import Fence, Page

for module in iter_modules(__path__):
    import_module(f"{__name__}.{module.name}")

FENCE_KINDS = tuple(TypedFence.registry)


def parse_fences(page: Page) -> list[TypedFence]:
    """Return every fence of a page as its kind, in order.

    Raises:
        WeaveError: A fence is of an unknown kind, or malformed.
    """
    if TypedFence not in page.fences_by_kind:
        by_line = {f.line: f for kind in FENCE_KINDS for f in kind.find_on_page(page)}
        page.fences_by_kind[TypedFence] = [
            _check_fence(page, fence, by_line.get(fence.line)) for fence in page.fences
        ]
    return page.fences_by_kind[TypedFence]


def _check_fence(page: Page, fence: Fence, parsed: TypedFence | None) -> TypedFence:
    if parsed is None:
        raise page.error(_describe_unknown_kind(fence.language), fence.line)
    names_above: set[str] = set()
    for directive in fence.directives:
        name = directive.name
        if name not in {parsed.required_directive, *parsed.optional_directives}:
            raise page.error(
                f"'{name}' is not allowed above a {fence.language} fence: remove it",
                directive.line,
            )
        if name in names_above:
            raise page.error(
                f"'{name}' is above this fence twice: remove one", directive.line
            )
        names_above.add(name)
    parsed.validate()
    return parsed


def prose_lines(page: Page) -> Iterator[tuple[int, str]]:
    """Yield line number and text of all prose that readers see, also within fences."""
    yield from page.prose_lines()
    for fence in parse_fences(page):
        yield from fence.prose_lines()


def _describe_unknown_kind(language: str) -> str:
    comments = [k.required_comment() for k in FENCE_KINDS if k.language == language]
    if comments:
        return (
            f"expected a comment right above this {language} fence: "
            f"{' or '.join(comments)}"
        )
    known = ", ".join(sorted({kind.language for kind in FENCE_KINDS}))
    return f"expected a fence of the language {known}, got {language!r}"
