"""Files are found as they stand, and written whole or not at all."""

import os
from pathlib import Path

import pytest

from weave.files import replace, state


def test_a_file_that_goes_while_files_are_looked_for_is_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "4913").touch()
    (tmp_path / "page.md").touch()
    walk = os.walk

    def walk_while_an_editor_saves(folder: str) -> object:
        found = list(walk(folder))
        (tmp_path / "4913").unlink()
        return found

    monkeypatch.setattr(os, "walk", walk_while_an_editor_saves)
    assert [Path(path).name for path, _, _ in state(tmp_path, ".")] == ["page.md"]


def test_a_link_stays_one_and_its_file_keeps_its_permissions(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"old")
    file.chmod(0o600)
    link.symlink_to(file)
    replace(link, b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_file_that_cannot_be_written_stays_and_nothing_else_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "file").write_bytes(b"old")
    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="No space"):
        replace(tmp_path / "file", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == b"old"
