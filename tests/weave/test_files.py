"""Files are found as they stand, and written whole or not at all."""

import os
from pathlib import Path

import pytest

from weave.files import files_in, replace


def test_what_is_hidden_or_leads_nowhere_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "page.md").touch()
    (tmp_path / "gone.md").symlink_to("nowhere")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "page.md").touch()
    assert files_in(tmp_path, "page.md", ".git", "gone.md") == [tmp_path / "page.md"]


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
