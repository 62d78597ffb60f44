"""Files that are replaced whole, or stay as they were."""

import errno
import os
import stat
from argparse import Namespace
from pathlib import Path

import pytest

from microgpt import load_model
from microgpt.cli import main
from microgpt.files import check_writable, write_atomically


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "model"
    path.write_bytes(b"old")
    return path


def test_a_failure_keeps_its_class_and_number(tmp_path: Path) -> None:
    told = rf"^\[Errno {errno.ENOENT}\] cannot read .*nowhere: "
    with pytest.raises(FileNotFoundError, match=told) as caught:
        load_model(tmp_path / "nowhere")
    assert caught.value.errno == errno.ENOENT


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


def refuse(*paths: object) -> None:
    """Fail as the system does when a file is mounted."""
    raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))


def test_a_file_that_cannot_be_replaced_is_overwritten(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = target.stat().st_ino
    monkeypatch.setattr(os, "replace", refuse)
    write_atomically(target, b"new")
    assert (target.read_bytes(), target.stat().st_ino) == (b"new", before)
    assert os.listdir(target.parent) == ["model"]


def test_a_failure_that_overwriting_would_not_mend_changes_nothing(
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


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), "No space left on device"),
        (OSError("no number"), "no number"),
        (KeyboardInterrupt(), "interrupted"),
        (MemoryError(), "not enough memory"),
    ],
)
def test_what_could_not_be_overwritten_is_beside_it(
    target: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    failure: BaseException,
    reason: str,
) -> None:
    def fill(file: int) -> None:
        if os.path.samestat(os.fstat(file), target.stat()):
            raise failure

    def save(options: Namespace) -> None:
        write_atomically(target, b"new")

    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(os, "fsync", fill)
    main.run_command(Namespace(command=save))
    said, _, copy = capsys.readouterr().err.strip().partition("; a whole copy is in ")
    assert said.endswith(reason)
    assert (Path(copy).parent, Path(copy).read_bytes()) == (target.parent, b"new")
