import json
import math
import os
import random
import resource
import signal
import stat
from contextlib import nullcontext

import pytest

from microgpt.checkpoint import (
    CheckpointError,
    load_model,
    load_run,
    save_model,
    save_run,
)
from microgpt.model import GPT, Config
from microgpt.tokenizer import Tokenizer

from .helpers import NAMES, small_run


@pytest.fixture
def saved(tmp_path):
    """A run saved after 4 of its 10 steps, and its path."""
    run = small_run()
    list(run.train(stop=4))
    path = tmp_path / "run.json"
    save_run(path, run)
    return run, path


def test_a_run_can_be_saved_at_any_step_of_the_random_stream(tmp_path):
    run = small_run()
    run.rng.gauss()  # leaves a second number waiting in the generator
    save_run(tmp_path / "run", run)
    resumed = load_run(tmp_path / "run", NAMES)
    assert resumed.rng.getstate() == run.rng.getstate()


@pytest.mark.parametrize("alone", [True, False])
def test_a_loaded_model_equals_the_saved_one_to_the_last_bit(saved, alone):
    run, path = saved
    if alone:
        save_model(path, run.model, run.tokenizer)
    model, tokenizer = load_model(path)
    assert model.config == run.model.config
    assert tokenizer.characters == run.tokenizer.characters
    assert [p.data for p in model.parameters()] == [
        p.data for p in run.model.parameters()
    ]


def test_a_model_alone_cannot_be_resumed(saved):
    run, path = saved
    save_model(path, run.model, run.tokenizer)
    with pytest.raises(CheckpointError, match="no run that could go on"):
        load_run(path, NAMES)


@pytest.mark.parametrize(
    "documents",
    [NAMES[:-1], [*NAMES, "emma"], NAMES[::-1], [*NAMES[:-1], "zoo"], ["é"]],
)
def test_a_run_does_not_go_on_with_other_documents(saved, documents):
    with pytest.raises(CheckpointError, match="trained on other documents"):
        load_run(saved[1], documents)


REMOVED = object()


@pytest.mark.parametrize(
    ("place", "to"),
    [
        ("format", "safetensors"),
        ("version", 2),
        ("config n_layer", 2),
        ("config n_layer", 10**15),
        ("config n_embd", 0),
        ("config n_embd", 10**9),
        ("config n_head", 3),
        ("config n_head", REMOVED),
        ("config bias", True),
        ("characters", 12),
        ("characters", "zyx"),
        ("characters", "".join(sorted(set("".join(NAMES)), reverse=True))),
        ("weights", []),
        ("weights wpe", REMOVED),
        ("weights wte 1", [1.0]),
        ("weights wte 1 2", math.nan),
        ("weights wte 1 2", "1.0"),
        ("weights wte 1 2", True),
        ("weights wte 1 2", 10**400),
        ("run", None),
        ("run seed", 1.5),
        ("run num_steps", 3),
        ("run documents_sha256", REMOVED),
        ("run optimizer steps", -1),
        ("run optimizer steps", 11),
        ("run optimizer steps", REMOVED),
        ("run optimizer beta1", 1),
        ("run optimizer beta2", 1),
        ("run optimizer epsilon", -1),
        ("run optimizer first", [0.0]),
        ("run optimizer second 0", -1.0),
        ("run optimizer first 0", math.nan),
        ("run random_state", [3, [1, 2], None]),
        ("run random_state 0", 9),
        ("run random_state 1 624", 625),
    ],
)
def test_a_damaged_file_is_refused(saved, place, to):
    path = saved[1]
    content = part = json.loads(path.read_text())
    *most, last = (int(key) if key.isdecimal() else key for key in place.split())
    for key in most:
        part = part[key]
    part[last] = to
    if to is REMOVED:
        del part[last]
    path.write_text(json.dumps(content))
    with pytest.raises(CheckpointError, match=r"run\.json"):
        load_run(path, NAMES)
    refused = pytest.raises(CheckpointError, match=r"run\.json")
    with nullcontext() if place.startswith("run") else refused:
        load_model(path)


@pytest.mark.parametrize(
    ("part", "to", "problem"),
    [
        ("config", None, "it has no 'config'"),
        ("config", 3, "a part of it is not of the right type"),
        ("characters", 3, "a part of it is not of the right type"),
        ("weights", {}, "its weights do not fit its sizes"),
    ],
)
def test_what_is_damaged_is_told_in_a_sentence(saved, part, to, problem):
    path = saved[1]
    content = json.loads(path.read_text()) | {part: to}
    if to is None:
        del content[part]
    path.write_text(json.dumps(content))
    with pytest.raises(CheckpointError) as refused:
        load_model(path)
    assert str(refused.value) == f"{path} is damaged: {problem}"


def test_a_file_is_not_called_damaged_when_an_engine_cannot_start(saved):
    def refuse(*given):
        raise ValueError("there is no such device")

    with pytest.raises(ValueError, match=r"^there is no such device$"):
        load_run(saved[1], NAMES, refuse)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b"{}", b"[" * 100_000, b"\x80\x04."],
)
def test_a_foreign_file_is_refused(tmp_path, content):
    path = tmp_path / "model"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match="model"):
        load_model(path)


def test_a_model_that_has_gone_to_nan_is_not_saved(saved):
    run, path = saved
    before = path.read_bytes()
    run.engine.optimizer.parameters[5].data = math.nan
    with pytest.raises(CheckpointError, match="not a number"):
        save_run(path, run)
    assert path.read_bytes() == before


def test_a_full_disk_leaves_the_old_file_and_nothing_else(saved, tmp_path):
    run, path = saved
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, limits[1]))
    try:
        with pytest.raises(OSError, match="cannot write"):
            save_run(path, run)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert os.listdir(tmp_path) == ["run.json"]
    assert path.read_bytes() == before


def test_a_symbolic_link_stays_one_and_its_target_is_replaced(saved, tmp_path):
    run, path = saved
    link = tmp_path / "link"
    link.symlink_to("run.json")
    path.write_text("old")
    save_run(link, run)
    assert link.is_symlink()
    assert load_run(path, NAMES).step == 4


def test_permissions_are_the_users_and_survive_a_replacement(tmp_path, saved):
    run, _ = saved
    path = tmp_path / "new"
    old_mask = os.umask(0o027)
    try:
        save_run(path, run)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o604)
        save_run(path, run)
        assert stat.S_IMODE(path.stat().st_mode) == 0o604
    finally:
        os.umask(old_mask)


def test_a_new_model_survives_the_round_trip_with_any_characters(tmp_path):
    tokenizer = Tokenizer(["é\n\"'", "字🙂"])
    model = GPT(Config(tokenizer.vocab_size, 2, 6, 3, 2), random.Random(0))
    save_model(tmp_path / "model", model, tokenizer)
    loaded, its_tokenizer = load_model(tmp_path / "model")
    assert its_tokenizer.characters == tokenizer.characters
    assert loaded.config == model.config
