"""Finding files of a folder, and replacing files atomically."""

import os
from pathlib import Path

import pytest

from weave.files import list_visible_files, write_if_changed


def test_listing_files_skips_hidden_ones_and_broken_symlinks(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name in ("page.md", ".git/page.md"):
        (tmp_path / name).touch()
    (tmp_path / "gone.md").symlink_to("nowhere")
    files = list_visible_files(tmp_path, "page.md", ".git", "gone.md")
    assert files == [tmp_path / "page.md"]


def test_writing_keeps_symlinks_and_on_failure_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_bytes(b"old")
    link.symlink_to(file)
    write_if_changed(link, b"new")
    assert link.is_symlink() and file.read_bytes() == b"new"
    # Such as on a full disk
    monkeypatch.setattr(os, "replace", lambda *_: os.rename("no", "where"))
    with pytest.raises(OSError, match="No such file"):
        write_if_changed(file, b"newer")
    assert file.read_bytes() == b"new" and {*tmp_path.iterdir()} == {file, link}
