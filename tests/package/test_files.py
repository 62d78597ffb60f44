"""Files that are replaced whole, or stay as they were."""

import errno
import os
import stat
from pathlib import Path

import pytest

from microgpt.files import check_writable, write_atomically


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "model"
    path.write_bytes(b"old")
    return path


def test_a_link_planted_for_the_temporary_file_is_not_followed(
    target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    monkeypatch.setattr("secrets.token_hex", lambda count: "0")
    for name in (".microgpt-0", f".model.{os.getpid()}"):
        (tmp_path / name).symlink_to(victim)
    with pytest.raises(FileExistsError):
        write_atomically(target, b"new")
    assert (victim.read_bytes(), target.read_bytes()) == (b"precious", b"old")


def test_a_name_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    write_atomically(tmp_path / ("m" * 255), b"new")
    assert [len(name) for name in os.listdir(tmp_path)] == [255]
    with pytest.raises(OSError, match="File name too long"):
        check_writable(tmp_path / ("m" * 256))


def test_a_private_file_is_never_open_to_others(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target.chmod(0o600)
    seen = []
    monkeypatch.setattr(os, "fsync", lambda file: seen.append(os.fstat(file)))
    write_atomically(target, b"new")
    assert [stat.S_IMODE(file.st_mode) for file in seen] == [0o600]


def test_a_file_that_cannot_be_replaced_stays_as_it_was(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*paths: object) -> None:
        raise OSError(errno.EIO, "broken disk")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match=r"broken disk$") as caught:
        write_atomically(target, b"new")
    assert caught.value.errno == errno.EIO
    assert target.read_bytes() == b"old"
    assert os.listdir(target.parent) == ["model"]
