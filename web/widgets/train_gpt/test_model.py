"""The run is the package's own, whole or stopped, and what is seen of it is true."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from microgpt import Config, Run, load_model, load_names, sample
from microgpt.engines import lists
from microgpt.training import document_loss
from snippets.records.record import together
from tests.models import assert_json, document, recorded, refusals, transformer
from tests.thorough import nightly, thorough
from widgets import _runs
from widgets._gpt import numbers
from widgets.train_gpt import model as module
from widgets.train_gpt.model import RECORDED, TrainGpt, train_gpt

STEPS = 110
OWN = "\n".join(f"{a}{b}{c}" for a in "bdk" for b in "aeo" for c in ("na", "l", " x"))


def parts(**given: Any) -> list[TrainGpt]:
    return list(train_gpt(**{"steps": STEPS, "seed": 42, "name": "emma", **given}))


@cache
def trained() -> TrainGpt:
    whole: TrainGpt = together(parts())
    return whole


def engine_of(run: Run) -> lists.Engine:
    """Return the engine over matrices: another would take a minute."""
    assert isinstance(run.engine, lists.Engine)
    return run.engine


@cache
def package_run() -> tuple[Run, list[float]]:
    """The same run, by the package alone."""
    run = _runs.begin(load_names(), STEPS, 42)
    assert engine_of(run)
    return run, list(run.train())


def test_the_losses_are_those_of_the_package() -> None:
    _, losses = package_run()
    assert trained()["losses"] == pytest.approx(losses, abs=6e-4)
    explained = Run(load_names(), Config(vocab_size=27), STEPS)  # on a graph
    assert losses[:8] == pytest.approx(list(explained.train(8)), rel=1e-9)
    means = trained()["means"]
    assert means[0] == trained()["losses"][0]
    assert means[30] == pytest.approx(sum(losses[:31]) / 31, abs=2e-3)
    assert means[109] == pytest.approx(sum(losses[10:]) / 100, abs=2e-3)


def test_what_is_looked_at_leaves_the_run_as_it_is() -> None:
    """Samples, held-out losses and gradients on the way change no later number."""
    assert trained()["checkpoint"] == _runs.file_of(package_run()[0])


def test_a_look_tells_the_held_out_loss_and_new_names() -> None:
    run, _ = package_run()
    last = trained()["looks"][-1]
    assert last["step"] == STEPS
    total = count = 0.0
    for name in run.documents[STEPS : STEPS + 50]:
        tokens = run.tokenizer.document(name)
        total += document_loss(run.model, tokens).data * (len(tokens) - 1)
        count += len(tokens) - 1
    assert last["held_out"] == pytest.approx(total / count, abs=6e-5)
    rng = random.Random(42)
    names = [sample(run.model, run.tokenizer, rng, 0.5) for _ in range(6)]
    assert last["samples"] == names
    assert [look["step"] for look in trained()["looks"]] == [0, 100, STEPS]


def test_a_state_has_the_weights_and_the_next_gradient() -> None:
    run, _ = package_run()
    state = trained()["states"][-1]
    assert state["step"] == STEPS
    assert state["document"] == run.documents[STEPS]
    document_loss(run.model, run.tokenizer.document(run.documents[STEPS])).backward()
    try:
        for name, matrix in run.model.weights.items():
            parameters = [p for row in matrix for p in row]
            flat = [w for row in state["weights"][name] for w in row]
            assert flat == pytest.approx([p.data for p in parameters], abs=6e-5)
            slopes = [g for row in state["gradient"][name] for g in row]
            expected = [p.grad for p in parameters]
            assert slopes == pytest.approx(expected, rel=0.06, abs=1e-12)
            mean = sum(p.grad**2 for p in parameters) / len(parameters)
            assert state["slopes"][name] == pytest.approx(mean**0.5, rel=6e-3)
    finally:
        engine_of(run).optimizer.zero_grad()


def test_states_are_kept_when_the_page_says_and_attention_with_each() -> None:
    run = trained()["run"]
    assert run is not None
    assert run["kept"] == [0, 1, 2, 5, 10, 20, 50, 100, STEPS]
    assert [state["step"] for state in trained()["states"]] == run["kept"]
    assert len(trained()["attention"]) == len(run["kept"])


def test_attention_is_that_of_the_model() -> None:
    (page,) = parts(steps=1000, task="page")
    assert page["tokens"] == ["BOS", "e", "m", "m", "a"]
    model, _ = load_model()
    tokens = transformer(model.weights, document("emma")[:-1], 4)
    for head, table in enumerate(page["attention"][0]):
        for row, token in zip(table, tokens, strict=True):
            weights = [*token.weights[head], *[0.0] * 5][:5]
            assert row == pytest.approx(weights, abs=6e-4)


def test_the_attention_of_another_name_is_that_of_the_weights_given() -> None:
    ends = [trained()["states"][i]["weights"] for i in (0, -1)]
    (part,) = parts(task="attention", name="annabella", weights=ends)
    for weights, tables in zip(ends, part["attention"], strict=True):
        tokens = transformer(weights, document("annabella")[:-1], 4)
        for head, table in enumerate(tables):
            for row, token in zip(table, tokens, strict=True):
                given = [*token.weights[head], *[0.0] * 10][:10]
                assert row == pytest.approx(given, abs=2e-3)


def flat(matrices: dict[str, list[list[float]]]) -> list[float]:
    return [x for matrix in matrices.values() for row in matrix for x in row]


# Stopped and resumed


@pytest.mark.parametrize(("names", "at"), [("", 100), (OWN, 100), (OWN, 0)])
def test_a_run_that_stopped_goes_on_as_if_it_had_not(names: str, at: int) -> None:
    whole = parts(names=names)
    kept = next(part for part in whole if part["checkpoint"] and part["step"] == at)
    complete = together(whole)
    going_on = {"checkpoint": kept["checkpoint"], "losses": complete["losses"][:at]}
    rest = together(parts(names=names, **going_on, steps=7, seed=7))
    assert rest["losses"] == complete["losses"][at:]
    assert rest["means"] == complete["means"][at:]
    assert rest["looks"][-1] == complete["looks"][-1]
    assert rest["states"][-1] == complete["states"][-1]
    assert rest["checkpoint"] == complete["checkpoint"]


def test_an_opened_run_is_looked_into_and_not_changed() -> None:
    (part,) = parts(task="open", checkpoint=trained()["checkpoint"])
    assert (part["step"], part["losses"]) == (STEPS, [])
    for grown in ("looks", "states", "attention"):
        assert part[grown] == trained()[grown][-1:]


def command(*options: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "microgpt", *options]
    return subprocess.run(line, capture_output=True, text=True, check=False)


@thorough
@pytest.mark.parametrize("names", ["", OWN])
def test_the_command_line_takes_the_file_and_the_page_takes_its(
    tmp_path: Path, names: str
) -> None:
    whole = parts(names=names)
    kept = next(part for part in whole if part["step"] == 100 and part["checkpoint"])
    file = tmp_path / "microgpt-run.json"
    file.write_text(kept["checkpoint"], encoding="utf-8")
    docs = ["--docs", str(tmp_path / "names.txt")] if names else []
    (tmp_path / "names.txt").write_text(names, encoding="utf-8")
    sampled = command("sample", "--model", str(file), "--count", "2")
    assert sampled.returncode == 0, sampled.stderr
    log = tmp_path / "losses.jsonl"
    done = command(
        *("train", "--resume", str(file), "--save", str(file), "--losses", str(log)),
        *docs,
    )
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in log.read_text().splitlines()]
    expected = together(whole)["losses"][100:]
    assert [record["loss"] for record in records] == pytest.approx(expected, abs=6e-4)
    (opened,) = parts(names=names, task="open", checkpoint=file.read_text())
    assert opened["step"] == STEPS
    assert opened["looks"] == together(whole)["looks"][-1:]


# What was recorded


@pytest.mark.parametrize("steps", [20, pytest.param(1000, marks=nightly)])
def test_the_recorded_run_is_what_training_gives(steps: int) -> None:
    run = iter(train_gpt(steps=1000, seed=42, name="emma"))
    some = [next(run)]
    while some[-1]["step"] < steps:
        some.append(next(run))
    found = together(some)
    count = len(found["losses"])
    record = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert (record["run"], record["step"]) == (found["run"], 1000)
    for name in ("losses", "means"):
        assert record[name][:count] == pytest.approx(found[name], abs=1.1e-3)
    for kept, look in zip(record["looks"], found["looks"], strict=steps == 1000):
        assert kept["held_out"] == pytest.approx(look["held_out"], abs=1.1e-4)
        assert {**kept, "held_out": 0} == {**look, "held_out": 0}
    (fetched,) = parts(steps=1000, task="recorded")
    assert len(found["states"]) > 4
    for state, true in zip(fetched["states"], found["states"], strict=steps == 1000):
        assert (state["step"], state["document"]) == (true["step"], true["document"])
        assert flat(state["weights"]) == pytest.approx(flat(true["weights"]), abs=2e-4)
        for name, slope in true["slopes"].items():
            assert state["slopes"][name] == pytest.approx(slope, rel=0.02)


def test_the_recorded_run_is_that_of_step_6_and_ends_as_the_package_ships() -> None:
    (page,) = parts(steps=1000, task="page")
    assert page["losses"] == pytest.approx(recorded("step5"), abs=6e-4)
    assert page["losses"] == json.loads(RECORDED.read_text("utf-8"))["losses"]
    (fetched,) = parts(steps=1000, task="recorded")
    assert page["attention"] == fetched["attention"][-1:]
    (last,) = page["states"]
    model, tokenizer = load_model()
    wpe = [numbers(row) for row in model.weights["wpe"]]
    assert flat(last["weights"]) == pytest.approx(flat({"wpe": wpe}), abs=6e-5)
    tokens = tokenizer.document(last["document"])
    document_loss(model, tokens).backward()
    slopes = [[w.grad for w in row] for row in model.weights["wpe"]]
    for parameter in model.parameters():
        parameter.grad = 0.0
    assert flat(last["gradient"]) == pytest.approx(flat({"wpe": slopes}), rel=0.1)


# What readers bring


def test_names_of_the_reader_are_learnt_and_all_of_them() -> None:
    first = parts(names=OWN, steps=40)[0]["run"]
    assert first is not None
    assert (first["names"], first["held_out"], first["cut"]) == (27, 0, 0)
    assert "␣" in first["vocabulary"]
    result = together(parts(names=OWN, steps=30))
    assert len(result["losses"]) == 30
    assert result["looks"][-1]["held_out"] is None
    names = OWN.splitlines()
    random.Random(42).shuffle(names)
    assert result["name"] == names[0]


def test_a_name_that_is_too_long_is_counted_as_cut() -> None:
    names = "\n".join(["abcdefghijklmnop", "abcdefghijklmno", *"abcdefghijklmnopqr"])
    result = together(parts(names=names, steps=25))
    assert result["run"] is not None
    assert result["run"]["cut"] == 1
    assert len(result["losses"]) == 25


test_what_makes_no_run_is_refused = refusals(
    parts,
    {},
    ({"names": "\n"}, "^your names: .*20 or more; these are 0"),
    ({"names": "  \n\n\t\n"}, "^your names: .*20 or more; these are 0"),
    ({"names": "emma\nolivia"}, "^your names: .*20 or more; these are 2"),
    ({"names": "PK\0\3" * 100}, "^your names: .*not text"),
    ({"names": "n\ufffdme\n" * 30}, "^your names: .*not text"),
    ({"names": "\ud800\n" * 30}, "^your names: .*not text"),
    ({"names": "name\n" * 50_001}, "^your names: .*50,001 are too many"),
    ({"names": "a" * 1_000_001}, "^your names: .*at most 1,000,000 characters"),
    (
        {"names": "\n".join(chr(0x4E00 + i) for i in range(300))},
        "^your names: .*300 different characters",
    ),
    ({"steps": 0}, "steps: choose from 1 to 3,000"),
    ({"steps": 3001}, "steps"),
    ({"steps": 1.5}, "steps: a whole number"),
    ({"seed": -1}, "seed"),
    ({"seed": float("nan")}, "seed"),
    ({"task": "attention", "name": ""}, "one letter or more"),
    ({"task": "attention", "name": "zoë"}, "does not know"),
    ({"task": "attention", "name": "a" * 16}, "at most 15 letters"),
)

NO_RUNS = {
    " ": "^this file is damaged, or not a model file",
    "{": "^this file is damaged",
    "[]": "^this file is not a model file of microgpt",
    "\ud800": "^this file is damaged",
    json.dumps({"format": "microgpt", "version": 9}): "^this file has version 9",
}
test_a_file_that_holds_no_run_is_refused = refusals(
    parts,
    {},
    *(
        ({"task": task, "checkpoint": checkpoint}, sentence)
        for task in ("open", "train")
        for checkpoint, sentence in NO_RUNS.items()
    ),
)


def test_a_run_of_another_kind_is_refused_and_says_what_can_be_done() -> None:
    content = json.loads(trained()["checkpoint"])
    with pytest.raises(ValueError, match="this file is damaged"):
        parts(task="open", checkpoint=trained()["checkpoint"][:-200])
    with pytest.raises(ValueError, match="trained on other documents"):
        parts(task="open", checkpoint=trained()["checkpoint"], names=OWN)
    del content["run"]
    with pytest.raises(ValueError, match="this file holds a model, but no run"):
        parts(task="open", checkpoint=json.dumps(content))
    names = load_names()
    for config, steps, reason in (
        (Config(n_layer=2), 10, "other sizes"),
        (Config(), 5000, "5,000 steps"),
    ):
        file = _runs.file_of(Run(names, config, steps))
        with pytest.raises(ValueError, match=f"{reason}.*command line"):
            parts(task="open", checkpoint=file)


def test_every_part_is_what_json_can_hold() -> None:
    for part in parts(steps=3):
        assert_json(part)


def test_an_opened_run_goes_on_with_the_engine_over_matrices() -> None:
    kept = parts(steps=2)[0]["checkpoint"]
    assert engine_of(module.opened(kept, load_names()))
