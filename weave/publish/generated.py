"""The files of `docs/` that are made from the code and never committed.

Every source file has a page, and every program is also a single file that readers can
download. Builders only know files, so these are written before a builder, a check or a
test looks for them. Nothing else belongs in their two folders, which git ignores.
"""

from collections.abc import Iterator
from pathlib import Path

from weave.errors import WeaveError
from weave.files import replace
from weave.guide import SOURCE_PAGES, Guide
from weave.publish.standalone import standalone
from weave.source import UnknownSymbol

DOWNLOADS = Path("docs", "downloads")
NAMES = Path("microgpt", "names.txt")
# Whole files are the last thing to look for, so the search ranks them below all pages.
PAGE = """\
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
OF_A_MODULE = (
    "The whole file. Where a page explains lines, a link beside or above the first "
    "leads there."
)
OF_A_PROGRAM = """\
The whole program. To run it without the package, download it as [one file](../../downloads/{}) and put
[the names](../../downloads/names.txt) beside it."""


def write_generated(root: Path) -> None:
    """Write what has changed, and remove what is left of files that are gone."""
    wanted = dict(generated(Guide(root)))
    for path, text in wanted.items():
        replace(root / path, text.encode())
    for file in [*(root / SOURCE_PAGES).glob("*.md"), *(root / DOWNLOADS).glob("*.py")]:
        if file.relative_to(root) not in wanted:
            file.unlink(missing_ok=True)


def generated(guide: Guide) -> Iterator[tuple[Path, str]]:
    """Yield each generated file of a project, and its text.

    A program that readers can download has its own name, unless `[tool.weave.downloads]`
    gives it another.
    """
    introductions = dict.fromkeys(guide.sources, OF_A_MODULE)
    for program in guide.programs:
        named = guide.options.get("downloads", {}).get(program.stem, program.name)
        introductions[program] = OF_A_PROGRAM.format(named)
        try:
            yield DOWNLOADS / named, standalone(guide.root, f"snippets.{program.stem}")
        except (SyntaxError, UnknownSymbol) as error:
            raise WeaveError(f"cannot become one file: {error}", program) from None
    for source, said in introductions.items():
        page = PAGE.format(source=source.as_posix(), introduction=said)
        yield guide.source_page(source), page
    yield DOWNLOADS / NAMES.name, guide.text(NAMES)
