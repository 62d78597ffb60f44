"""What pages show before a reader trains is what training gives."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests import models
from tests.marks import nightly
from weave.node import find_node
from widgets.trainer.model import RECORDED, trainer


def printed(script: str, *names: str) -> Any:
    """Run a script of this folder under Node, and read what it prints."""
    command = [find_node() or "node", str(Path(__file__).with_name(script)), *names]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


@pytest.mark.parametrize("some", [True, pytest.param(False, marks=nightly)])
def test_the_recorded_runs_are_what_training_gives(some: bool) -> None:
    """With every change, those that take a moment are trained again."""
    expected = json.loads(RECORDED.read_text("utf-8"))
    names = [x for x in expected if not x.endswith(("-end", "-30k"))]
    found = printed("record.mjs", *names * some)["runs"]
    assert list(found) == (names if some else list(expected))
    for name, run in found.items():
        begun, before = run["facts"], expected[name]["facts"]
        assert begun.pop("bigramLoss") == pytest.approx(
            before.pop("bigramLoss"), abs=1e-4
        )
        assert begun == before
        for ours, theirs in zip(
            run["evaluations"], expected[name]["evaluations"], strict=True
        ):
            assert ours["seen"] == theirs["seen"]
            assert ours["names"] == theirs["names"]
            assert ours["trainingLoss"] == pytest.approx(
                theirs["trainingLoss"], abs=1e-4
            )
            assert ours["heldOutLoss"] == pytest.approx(theirs["heldOutLoss"], abs=1e-4)


def test_to_the_end_each_model_is_what_chapters_say() -> None:
    """The network becomes the table of pairs; attention gets below both tables."""
    found = models.load_record("doubled")
    right = {name: [run["right"][-1] for run in found[name]["runs"]] for name in found}
    assert min(right["two layers"]) > 50
    never = ["one layer, one head", "one layer", "SGD"]
    never += ["without queries", "without residual"]
    assert sum(each > 40 for each in right["one wider layer"]) == 3
    assert [name for name, each in right.items() if max(each) < 10] == never


@nightly
def test_the_first_model_of_doubled_is_measured_by_training_it() -> None:
    name = "one layer, one head"
    found = printed("doubled.mjs", name)
    assert found[name] == models.load_record("doubled")[name]


test_an_unknown_run_is_refused = models.make_refusal_test(
    trainer,
    {},
    ({"run": "nothing"}, "no run is called 'nothing'; choose one of counts"),
)
