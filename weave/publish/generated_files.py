"""The files of `docs/` that are generated and never committed.

Every source file has a page, every program is also a single file that readers can download,
and the address of a page that has moved leads to where it is now. Builders know only files,
so these are written before a builder, a check or a test looks for them.
"""

from collections.abc import Iterator
from pathlib import Path

from weave.errors import WeaveError
from weave.files import write_if_changed
from weave.guide import SOURCE_PAGES_FOLDER, Guide, relative_link
from weave.publish.flash_cards import write_deck
from weave.publish.standalone_program import build_standalone_program
from weave.source_symbols import UnknownSymbolError

DOWNLOADS_FOLDER = Path("docs", "downloads")
# Readers rarely look for a whole file, so the search ranks these pages below all others.
SOURCE_PAGE_TEMPLATE = """\
---
search:
  boost: 0.1
---

# `{0}`

{1}

```source-page
{0}
```
"""
# No script: the address of a section is lost, and the page opens at its top.
MOVED_TITLE = "<title>This page has moved</title>"
MOVED_PAGE_TEMPLATE = f"""\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
{MOVED_TITLE}
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="0; url={{0}}">
<p>This page has moved <a href="{{0}}">here</a>.</p>
</html>
"""


def write_generated_files(root: Path) -> None:
    """Write the generated files that have changed, and remove those without a source."""
    guide = Guide(root)
    write_deck(guide)
    texts = dict(generate_file_texts(guide))
    for path, text in texts.items():
        write_if_changed(root / path, text.encode())
    source_pages = (root / SOURCE_PAGES_FOLDER).glob("*.md")
    downloads = (root / DOWNLOADS_FOLDER).glob("*.py")
    htmls = (root / "docs").rglob("index.html")
    moved_pages = [file for file in htmls if MOVED_TITLE in file.read_text("utf-8")]
    for file in [*source_pages, *downloads, *moved_pages]:
        if file.relative_to(root) not in texts:
            file.unlink(missing_ok=True)


def generate_file_texts(guide: Guide) -> Iterator[tuple[Path, str]]:
    """Yield the path and the text of each generated file; write nothing.

    A program is downloaded under its own name, unless `[tool.weave.downloads]` in
    pyproject.toml gives it another. Pages that have moved are in `[tool.weave.moved]`.

    Raises:
        WeaveError: A program cannot become a single file.
    """
    for source in guide.package_source_paths:
        yield _format_source_page(
            guide,
            source,
            "The whole file. Where a page explains lines, a link beside or above the first "
            "leads there.",
        )
    for program in guide.step_program_paths:
        names = guide.weave_settings.get("downloads", {})
        name = names.get(program.stem, program.name)
        try:
            text = build_standalone_program(guide.root, f"snippets.{program.stem}")
        except (SyntaxError, UnknownSymbolError) as error:
            raise WeaveError(f"cannot become one file: {error}", program) from None
        yield DOWNLOADS_FOLDER / name, text
        yield _format_source_page(
            guide,
            program,
            "The whole program. To run it without the package, download it as "
            f"[one file](../../downloads/{name}) and put\n"
            "[the names](../../downloads/names.txt) beside it.",
        )
    names = Path("microgpt", "names.txt")
    yield DOWNLOADS_FOLDER / names.name, guide.read_text(names)
    for old, new in guide.weave_settings.get("moved", {}).items():
        url = relative_link(Path("docs", old), Path("docs", new), between_urls=True)
        path = Path("docs", old).with_suffix("") / "index.html"
        yield path, MOVED_PAGE_TEMPLATE.format(url)


def _format_source_page(guide: Guide, source: Path, opening: str) -> tuple[Path, str]:
    page = SOURCE_PAGE_TEMPLATE.format(source.as_posix(), opening)
    return guide.source_page_path(source), page
