"""Source pages and downloads are made from the code, as they are needed."""

import re
import sys
from pathlib import Path

import pytest

from tests.weave.conftest import ROOT, Project
from weave.errors import WeaveError
from weave.guide import SOURCE_PAGES_FOLDER, Guide
from weave.publish import generated_files
from weave.publish.generated_files import DOWNLOADS_FOLDER, write_generated_files

NEW = Path("microgpt", "engines", "abacus.py")
ITS_PAGE = SOURCE_PAGES_FOLDER / "engines-abacus.md"


@pytest.fixture
def written(project: Project) -> Project:
    write_generated_files(project.root)
    return project


def test_every_source_file_has_a_page_and_every_program_a_download(
    written: Project,
) -> None:
    guide = written.guide
    for source in [*guide.source_paths, *guide.program_paths]:
        page = guide.source_page_path(source)
        assert page and guide.pages[page].title() == f"`{source.as_posix()}`"
    for program in guide.program_paths:
        text = guide.read_text(DOWNLOADS_FOLDER / program.name)
        assert not re.search("^(from|import) (microgpt|snippets)", text, re.MULTILINE)
    assert guide.read_text(DOWNLOADS_FOLDER / "names.txt") == guide.read_text(
        Path("microgpt/names.txt")
    )


def test_no_download_is_named_like_an_importable_module() -> None:
    guide = Guide(ROOT)
    made = (path for path, _ in generated_files.generate_files(guide))
    downloads = [path for path in made if path.suffix == ".py"]
    ours = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert ours > {"microgpt", "snippets"}
    assert ours.union(sys.stdlib_module_names).isdisjoint(d.stem for d in downloads)


def test_source_pages_are_added_and_removed_with_their_files(written: Project) -> None:
    written.write(NEW.as_posix(), "")
    write_generated_files(written.root)
    assert written.guide.source_page_path(NEW) == ITS_PAGE
    (written.root / NEW).unlink()
    (written.root / "snippets" / "step5.py").unlink()
    write_generated_files(written.root)
    for gone in (
        ITS_PAGE,
        SOURCE_PAGES_FOLDER / "step5.md",
        DOWNLOADS_FOLDER / "step5.py",
    ):
        assert not (written.root / gone).exists()


def test_unchanged_generated_files_are_not_rewritten(
    written: Project,
) -> None:
    files = [*written.root.glob("docs/**/*.*")]
    before = [file.stat().st_mtime_ns for file in files]
    write_generated_files(written.root)
    assert [file.stat().st_mtime_ns for file in files] == before


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("from microgpt.autograd import", "snippets/step2.py: cannot become one file"),
        (
            "import microgpt.nn",
            "snippets/step2.py:1: a program that becomes one file cannot name modules",
        ),
    ],
)
def test_program_that_cannot_become_one_file_is_reported(
    project: Project, program: str, message: str
) -> None:
    project.write("snippets/step2.py", program)
    with pytest.raises(WeaveError, match=message):
        write_generated_files(project.root)
