"""A hook that lets MkDocs build some pages, as it builds all, into a site of the others.

The lies of `test_12_the_checks_can_fail` show on these pages; to build all of them for
each lie would take most of the time that the tests have.
"""

from pathlib import Path
from typing import Any

from mkdocs.commands import build as mkdocs_build

from tests.promises.site import SOME_PAGES
from weave import extension as weave_extension

# What is replaced below.
build: Any = mkdocs_build
extension: Any = weave_extension
populate, write = build._populate_page, build._build_page


def _populate_page(page: Any, *rest: Any) -> None:
    if page.file.src_uri in SOME_PAGES:
        populate(page, *rest)


def _build_page(page: Any, *rest: Any, **options: Any) -> None:
    if page.file.src_uri in SOME_PAGES:
        write(page, *rest, **options)


# Of the widgets of all pages, those of these pages are computed when they are asked for.
extension.ask_ahead = lambda root, pages: None
build._populate_page = _populate_page
build._build_page = _build_page


def clean_directory(site: str) -> None:
    """Remove what is named by its content, which would stay beside what replaces it."""
    for script in Path(site, "assets").glob("*.js"):
        script.unlink()


build.utils.clean_directory = clean_directory
