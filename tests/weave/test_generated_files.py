"""Source pages and downloads are generated from the code."""

import re
import sys
from pathlib import Path

import pytest
from lxml import html

from tests.built_site import Site
from tests.processes import ROOT
from tests.weave.conftest import Project
from weave.errors import WeaveError
from weave.guide import SOURCE_PAGES_FOLDER, Guide
from weave.publish import generated_files
from weave.publish.generated_files import DOWNLOADS_FOLDER, write_generated_files

NEW_MODULE = Path("microgpt", "engines", "abacus.py")
NEW_SOURCE_PAGE = SOURCE_PAGES_FOLDER / "engines-abacus.md"


@pytest.fixture
def built_project(project: Project) -> Project:
    write_generated_files(project.root)
    return project


def test_sources_have_pages_and_programs_have_downloads(built_project: Project) -> None:
    guide = built_project.guide
    for source in [*guide.package_source_paths, *guide.step_program_paths]:
        page = guide.source_page_path(source)
        assert page and guide.pages[page].title() == f"`{source.as_posix()}`"
    for program in guide.step_program_paths:
        text = guide.read_text(DOWNLOADS_FOLDER / program.name)
        assert not re.search("^(from|import) (microgpt|snippets)", text, re.MULTILINE)
    names = guide.read_text(Path("microgpt/names.txt"))
    assert guide.read_text(DOWNLOADS_FOLDER / "names.txt") == names


def test_no_download_is_named_like_an_importable_module() -> None:
    guide = Guide(ROOT)
    paths = (path for path, _ in generated_files.generate_file_texts(guide))
    downloads = [path for path in paths if path.suffix == ".py"]
    ours = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert ours > {"microgpt", "snippets"}
    assert ours.union(sys.stdlib_module_names).isdisjoint(d.stem for d in downloads)


def test_source_pages_come_and_go_with_their_files(built_project: Project) -> None:
    built_project.write(NEW_MODULE.as_posix(), "")
    write_generated_files(built_project.root)
    assert built_project.guide.source_page_path(NEW_MODULE) == NEW_SOURCE_PAGE
    (built_project.root / NEW_MODULE).unlink()
    (built_project.root / "snippets" / "step5.py").unlink()
    write_generated_files(built_project.root)
    step5 = (SOURCE_PAGES_FOLDER / "step5.md", DOWNLOADS_FOLDER / "step5.py")
    for path in (NEW_SOURCE_PAGE, *step5):
        assert not (built_project.root / path).exists()


def test_old_address_of_a_page_leads_to_the_new_one(site: Site) -> None:
    moved = Guide(ROOT).weave_settings["moved"]
    assert moved
    for old, new in moved.items():
        file = site.folder / old.removesuffix(".md") / "index.html"
        page = html.parse(file)
        refresh = page.xpath("string(//meta[@http-equiv='refresh']/@content)")
        (link,) = page.xpath("//a/@href")
        assert refresh == f"0; url={link}"
        target = (file.parent / link / "index.html").resolve()
        assert target == site.folder.resolve() / new.removesuffix(".md") / "index.html"
        assert target.is_file()


def test_unchanged_files_are_not_rewritten(built_project: Project) -> None:
    files = [*built_project.root.glob("docs/**/*.*")]
    before = [file.stat().st_mtime_ns for file in files]
    write_generated_files(built_project.root)
    assert [file.stat().st_mtime_ns for file in files] == before


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("from microgpt.autograd import", ": cannot become one file"),
        (
            "import microgpt.nn",
            ":1: a program that becomes one file cannot name modules",
        ),
    ],
)
def test_program_that_cannot_become_one_file_is_reported(
    project: Project, program: str, message: str
) -> None:
    project.write("snippets/step2.py", program)
    with pytest.raises(WeaveError, match=f"^snippets/step2.py{message}"):
        write_generated_files(project.root)
