"""Files of models and runs are written whole, read exactly, and refused if damaged."""

import errno
import json
import math
import os
import stat
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from microgpt import load_model, load_run, save_model, save_run
from microgpt.checkpoint import CheckpointError
from microgpt.engines.run import Run
from microgpt.files import write_atomically

from .helpers import NAMES, make_small_run, to_floats

RunAndPath = tuple[Run, Path]
REMOVED = object()
# Wrong values by the path of keys to them in a file
DAMAGED_VALUES: dict[str, list[object]] = {
    "config": [REMOVED, 3],
    "format": ["safetensors"],
    "version": [2],
    "config n_layer": [2, 10**15],
    "config n_embd": [0, 10**9],
    "config n_head": [3, REMOVED],
    "config bias": [True],
    "characters": [12, "zyx", "".join(sorted({*"".join(NAMES)}, reverse=True))],
    "weights": [[]],
    "weights wpe": [REMOVED],
    "weights wte 1": [[1.0]],
    "weights wte 1 2": [math.nan, "1.0", True, 10**400],
    "run": [None],
    "run seed": [1.5],
    "run num_steps": [3],
    "run documents_sha256": [REMOVED],
    "run optimizer steps": [-1, 11, REMOVED],
    "run optimizer beta1": [1],
    "run optimizer beta2": [1],
    "run optimizer epsilon": [-1],
    "run optimizer first": [[0.0]],
    "run optimizer second 0": [-1.0],
    "run optimizer first 0": [math.nan],
    "run random_state": [[3, [1, 2], None]],
    "run random_state 0": [9],
    "run random_state 1 624": [625],
}
DAMAGE_MESSAGES = {
    ("config", "3"): "a part of it is not of the right type",
    ("config n_embd", str(10**9)): "its weights do not fit its sizes",
}


@pytest.fixture
def saved_run(tmp_path: Path) -> RunAndPath:
    """A run saved after 4 of its 10 steps, and its path."""
    run = make_small_run()
    list(run.train(stop=4))
    run.rng.gauss()  # leaves a second number waiting in the generator
    path = tmp_path / "run.json"
    save_run(path, run)
    return run, path


def edit_checkpoint(path: Path, key_path: str, value: object) -> None:
    """Replace the value at a path of keys in a saved file, or remove it."""
    content = part = json.loads(path.read_text())
    *most, last = (int(key) if key.isdecimal() else key for key in key_path.split())
    for key in most:
        part = part[key]
    part[last] = value
    if value is REMOVED:
        del part[last]
    path.write_text(json.dumps(content))


@pytest.mark.parametrize("model_only", [True, False])
def test_saved_model_or_run_is_loaded_bit_for_bit(
    saved_run: RunAndPath, model_only: bool
) -> None:
    run, path = saved_run
    if model_only:
        save_model(path, run.model, run.tokenizer)
        with pytest.raises(CheckpointError, match="has a model but no run"):
            load_run(path, NAMES)
    else:
        assert load_run(path, NAMES).rng.getstate() == run.rng.getstate()
    model, tokenizer = load_model(path)
    assert model.config == run.model.config
    assert tokenizer.characters == run.tokenizer.characters
    assert to_floats(model.parameters()) == to_floats(run.model.parameters())


@pytest.mark.parametrize(
    "names", [NAMES[:-1], [*NAMES, "emma"], NAMES[::-1], [*NAMES[:-1], "zoo"], ["é"]]
)
def test_load_run_refuses_other_documents(
    saved_run: RunAndPath, names: list[str]
) -> None:
    with pytest.raises(CheckpointError, match="trained on different documents"):
        load_run(saved_run[1], names)


@pytest.mark.parametrize(
    ("key_path", "value"),
    [(path, value) for path, wrong in DAMAGED_VALUES.items() for value in wrong],
)
def test_load_run_and_load_model_refuse_a_damaged_file(
    saved_run: RunAndPath, key_path: str, value: object
) -> None:
    path = saved_run[1]
    edit_checkpoint(path, key_path, value)
    message = DAMAGE_MESSAGES.get((key_path, str(value)), r"run\.json|model file")
    refusal = pytest.raises(CheckpointError, match=message)
    with refusal:
        load_run(path, NAMES)
    with nullcontext() if key_path.startswith("run") else refusal:
        load_model(path)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b"{}", b"[" * 100_000, b"\x80\x04."],
)
def test_load_model_refuses_a_file_of_another_format(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "model").write_bytes(content)
    with pytest.raises(CheckpointError, match="model"):
        load_model(tmp_path / "model")


def test_run_with_nan_weights_is_not_saved(saved_run: RunAndPath) -> None:
    run, path = saved_run
    before = path.read_bytes()
    weights = [math.nan, *run.engine.state().weights[1:]]
    run.engine.restore(replace(run.engine.state(), weights=weights))
    with pytest.raises(CheckpointError, match="expected finite weights"):
        save_run(path, run)
    assert path.read_bytes() == before


def test_save_run_applies_umask_and_keeps_file_mode_and_symlink(
    saved_run: RunAndPath,
) -> None:
    run, path = saved_run
    path.unlink()
    link = path.with_name("link")
    link.symlink_to("run.json")
    old_mask = os.umask(0o027)
    try:
        save_run(path, run)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o604)
        save_run(link, run)  # which stays a link
        assert stat.S_IMODE(path.stat().st_mode) == 0o604
    finally:
        os.umask(old_mask)
    assert link.is_symlink() and load_run(path, NAMES).steps_taken == 4


@pytest.fixture
def existing_file(tmp_path: Path) -> Path:
    path = tmp_path / "model"
    path.write_bytes(b"old")
    return path


def test_atomic_write_does_not_follow_a_planted_symlink(
    existing_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    monkeypatch.setattr("secrets.token_hex", lambda count: "0")
    for name in (".microgpt-0", f".model.{os.getpid()}"):
        (tmp_path / name).symlink_to(victim)
    with pytest.raises(FileExistsError):
        write_atomically(existing_file, b"new")
    assert (victim.read_bytes(), existing_file.read_bytes()) == (b"precious", b"old")


def test_atomic_write_keeps_a_private_file_private(
    existing_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    existing_file.chmod(0o600)
    seen = []
    monkeypatch.setattr(os, "fsync", lambda file: seen.append(os.fstat(file)))
    write_atomically(existing_file, b"new")
    assert [stat.S_IMODE(file.st_mode) for file in seen] == [0o600]


@pytest.mark.parametrize("name", ["fsync", "replace"])
def test_failed_atomic_write_keeps_the_old_file(
    existing_file: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr(os, name, Mock(side_effect=full))
    with pytest.raises(OSError, match="cannot write") as raised:
        write_atomically(existing_file, b"new")
    assert raised.value.errno == errno.ENOSPC
    assert existing_file.read_bytes() == b"old"
    assert os.listdir(existing_file.parent) == ["model"]
