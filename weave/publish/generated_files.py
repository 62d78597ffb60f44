"""The files of `docs/` that are made from the code and never committed.

Every source file has a page, and every program is also a single file that readers can
download. Builders only know files, so these are written before a builder, a check or a
test looks for them. Nothing else belongs in their two folders, which git ignores.
"""

from collections.abc import Iterator
from pathlib import Path

from weave.errors import WeaveError
from weave.files import write_if_changed
from weave.guide import SOURCE_PAGES_FOLDER, Guide
from weave.publish.standalone_program import build_standalone_program
from weave.source_symbols import UnknownSymbol

DOWNLOADS_FOLDER = Path("docs", "downloads")
NAMES_FILE = Path("microgpt", "names.txt")
# Whole files are the last thing to look for, so the search ranks them below all pages.
SOURCE_PAGE = """\
---
search:
  boost: 0.1
---

# `{source}`

{introduction}

```source-page
{source}
```
"""
MODULE_INTRODUCTION = (
    "The whole file. Where a page explains lines, a link beside or above the first "
    "leads there."
)
PROGRAM_INTRODUCTION = """\
The whole program. To run it without the package, download it as [one file](../../downloads/{}) and put
[the names](../../downloads/names.txt) beside it."""


def write_generated_files(root: Path) -> None:
    """Write what has changed, and remove what is left of files that are gone."""
    wanted = dict(generate_files(Guide(root)))
    for path, text in wanted.items():
        write_if_changed(root / path, text.encode())
    for file in [
        *(root / SOURCE_PAGES_FOLDER).glob("*.md"),
        *(root / DOWNLOADS_FOLDER).glob("*.py"),
    ]:
        if file.relative_to(root) not in wanted:
            file.unlink(missing_ok=True)


def generate_files(guide: Guide) -> Iterator[tuple[Path, str]]:
    """Yield each generated file of a project, and its text.

    A program that readers can download has its own name, unless `[tool.weave.downloads]`
    gives it another.
    """
    introductions = dict.fromkeys(guide.source_paths, MODULE_INTRODUCTION)
    for program in guide.program_paths:
        named = guide.weave_settings.get("downloads", {}).get(
            program.stem, program.name
        )
        introductions[program] = PROGRAM_INTRODUCTION.format(named)
        try:
            yield (
                DOWNLOADS_FOLDER / named,
                build_standalone_program(guide.root, f"snippets.{program.stem}"),
            )
        except (SyntaxError, UnknownSymbol) as error:
            raise WeaveError(f"cannot become one file: {error}", program) from None
    for source, said in introductions.items():
        page = SOURCE_PAGE.format(source=source.as_posix(), introduction=said)
        yield guide.source_page_path(source), page
    yield DOWNLOADS_FOLDER / NAMES_FILE.name, guide.read_text(NAMES_FILE)
