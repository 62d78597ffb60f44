"""The archive of Python files that browsers import from."""

import zipfile
from pathlib import Path

import pytest

from tests.processes import ROOT, run_python
from tests.weave.conftest import Project
from weave.errors import WeaveError
from weave.python_archive import (
    ARCHIVE_PATH,
    hash_python_archive,
    list_archived_files,
    write_python_archive,
)


def test_python_archive_has_unchanged_files_but_no_records(project: Project) -> None:
    write_python_archive(project.root)
    with zipfile.ZipFile(project.root / ARCHIVE_PATH) as archive:
        for name in ("microgpt/names.txt", "snippets/step1.py"):
            assert archive.read(name) == (project.root / name).read_bytes()
        assert [name for name in archive.namelist() if "records" in name] == []


def test_missing_python_archive_is_reported_with_the_command(tmp_path: Path) -> None:
    message = r"^web/theme/assets/python.zip: is missing: run 'python -m weave publish'"
    with pytest.raises(WeaveError, match=message):
        hash_python_archive(tmp_path)


def test_python_archive_hash_changes_only_with_contents(project: Project) -> None:
    write_python_archive(project.root)
    before = hash_python_archive(project.root)
    first = (project.root / ARCHIVE_PATH).stat()
    for path in list_archived_files(project.root):
        path.touch()
    write_python_archive(project.root)
    again = (project.root / ARCHIVE_PATH).stat()
    assert (again.st_mtime_ns, again.st_ino) == (first.st_mtime_ns, first.st_ino)
    project.write("microgpt/nn.py", "# changed\n")
    write_python_archive(project.root)
    assert hash_python_archive(project.root) != before
    with zipfile.ZipFile(project.root / ARCHIVE_PATH) as archive:
        assert archive.read("microgpt/nn.py") == b"# changed\n"


def test_python_archive_contains_everything_that_widgets_import(tmp_path: Path) -> None:
    write_python_archive(ROOT)
    with zipfile.ZipFile(ROOT / ARCHIVE_PATH) as archive:
        archive.extractall(tmp_path)
    models = sorted(tmp_path.glob("widgets/*/model.py"))
    names = [f"widgets.{model.parent.name}.model" for model in models]
    assert len(names) > 5
    imports = f"import sys; sys.path.append('.'); import {', '.join(names)}"
    result = run_python("-I", "-S", "-c", imports, cwd=tmp_path)  # no other package
    assert result.stderr == ""
