"""The recorded runs that pages show are what training gives."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests import models
from tests.marks import nightly
from weave.node import find_node
from widgets.trainer.model import RECORDED_RUNS_FILE, trainer


def run_node_script(script: str, *names: str) -> Any:
    """Run a script of this folder under Node, and return the JSON that it prints."""
    command = [find_node() or "node", str(Path(__file__).with_name(script)), *names]
    completed = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return json.loads(completed.stdout)


@pytest.mark.parametrize("short_only", [True, pytest.param(False, marks=nightly)])
def test_training_again_gives_the_recorded_runs(short_only: bool) -> None:
    """Only the nightly run trains the long ones."""
    expected = json.loads(RECORDED_RUNS_FILE.read_text("utf-8"))
    names = list(expected)
    if short_only:
        names = [name for name in names if not name.endswith(("-end", "-30k"))]
    retrained = run_node_script("record_runs.mjs", *names * short_only)["runs"]
    assert list(retrained) == names
    for name, run in retrained.items():
        facts, recorded_facts = run["facts"], expected[name]["facts"]
        bigram_losses = [each.pop("bigramLoss") for each in (facts, recorded_facts)]
        assert bigram_losses[0] == pytest.approx(bigram_losses[1], abs=1e-4)
        assert facts == recorded_facts
        recorded_evaluations = expected[name]["evaluations"]
        for evaluation, recorded in zip(
            run["evaluations"], recorded_evaluations, strict=True
        ):
            assert evaluation.pop("names") == recorded.pop("names")
            assert evaluation == pytest.approx(recorded, abs=1e-4)


def test_doubled_names_are_learnt_by_two_layers_and_not_by_one_head() -> None:
    """Which models learn to repeat the first half of a name, as the chapters say."""
    record = models.load_record("doubled")
    doubled_counts = {
        name: [run["right"][-1] for run in record[name]["runs"]] for name in record
    }
    assert min(doubled_counts["two layers"]) > 50
    never_learning = ["one layer, one head", "one layer", "SGD"]
    never_learning += ["without queries", "without residual"]
    assert sum(count > 40 for count in doubled_counts["one wider layer"]) == 3
    failed = [name for name, counts in doubled_counts.items() if max(counts) < 10]
    assert failed == never_learning


@nightly
def test_training_again_gives_the_recorded_counts_of_doubled_names() -> None:
    name = "one layer, one head"
    retrained = run_node_script("measure_doubled.mjs", name)
    assert retrained[name] == models.load_record("doubled")[name]


test_trainer_refuses_an_unknown_run = models.make_refusal_test(
    trainer, {}, ({"run": "nothing"}, "run: expected one of counts, .*, got 'nothing'")
)
