"""The archive of Python that readers' browsers run."""

import zipfile
from pathlib import Path

from tests.processes import python
from tests.weave.conftest import ROOT, Project
from weave.bundle import ARCHIVE, bundled, edition, write_bundle


def test_the_archive_holds_files_as_they_are_and_no_records(project: Project) -> None:
    write_bundle(project.root)
    with zipfile.ZipFile(project.root / ARCHIVE) as archive:
        for name in ("microgpt/names.txt", "snippets/step1.py"):
            assert archive.read(name) == (project.root / name).read_bytes()
        assert [name for name in archive.namelist() if "records" in name] == []


def test_a_change_of_the_package_makes_another_edition_and_nothing_else_does(
    project: Project,
) -> None:
    write_bundle(project.root)
    before, first = edition(project.root), (project.root / ARCHIVE).stat()
    for path in bundled(project.root):
        path.touch()
    write_bundle(project.root)
    again = (project.root / ARCHIVE).stat()
    assert (again.st_mtime_ns, again.st_ino) == (first.st_mtime_ns, first.st_ino)
    project.write("microgpt/nn.py", "# changed\n")
    write_bundle(project.root)
    assert edition(project.root) != before
    with zipfile.ZipFile(project.root / ARCHIVE) as archive:
        assert archive.read("microgpt/nn.py") == b"# changed\n"


def test_the_archive_holds_all_that_widgets_import(tmp_path: Path) -> None:
    write_bundle(ROOT)
    with zipfile.ZipFile(ROOT / ARCHIVE) as archive:
        archive.extractall(tmp_path)
    models = sorted(tmp_path.glob("widgets/*/model.py"))
    names = [f"widgets.{model.parent.name}.model" for model in models]
    assert len(names) > 5
    imports = f"import sys; sys.path.append('.'); import {', '.join(names)}"
    ran = python("-I", "-S", "-c", imports, cwd=tmp_path)  # no other package
    assert ran.stderr == ""
