"""What pages show before a reader trains is what training gives."""

import json
import subprocess
from pathlib import Path

import pytest

from tests import models
from tests.processes import javascript, python
from tests.thorough import nightly
from weave.draw import node
from widgets.trainer.model import RECORDED, recorded, trainer

HERE = Path(__file__).parent


@pytest.mark.parametrize("some", [True, pytest.param(False, marks=nightly)])
def test_the_recorded_runs_are_what_training_gives(tmp_path: Path, some: bool) -> None:
    """With every change, those that take a moment are trained again."""
    expected = json.loads(RECORDED.read_text("utf-8"))
    names = [x for x in expected if not x.endswith(("-end", "-30k"))]
    again = tmp_path / "recorded.json"
    script = [str(HERE / "record.mjs"), again.as_uri(), *names * some]
    subprocess.run([node() or "node", *script], check=True)
    found = json.loads(again.read_text("utf-8"))
    assert list(found) == (names if some else list(expected))
    for name, run in found.items():
        begun, before = run["begun"], expected[name]["begun"]
        assert begun.pop("pairs") == pytest.approx(before.pop("pairs"), abs=1e-4)
        assert begun == before
        for ours, theirs in zip(run["moments"], expected[name]["moments"], strict=True):
            assert ours["seen"] == theirs["seen"]
            assert ours["names"] == theirs["names"]
            assert ours["training"] == pytest.approx(theirs["training"], abs=1e-4)
            assert ours["heldOut"] == pytest.approx(theirs["heldOut"], abs=1e-4)


def test_to_the_end_each_model_is_what_chapters_say() -> None:
    """The network becomes the table of pairs; attention gets below both tables."""
    ends = {
        name: recorded(name)["moments"][-1]["heldOut"]
        for name in ("network-end", "positions-end", "average-end", "four-end")
    }
    network, positions, average, four = (end or 0 for end in ends.values())
    pairs = recorded("network-end")["begun"]["pairs"] or 0
    assert abs(network - pairs) < 0.01
    assert four < average < positions < network - 0.1


def test_the_page_makes_the_doubled_names_that_are_learnt() -> None:
    page = (models.DATA.parent / "transformer/layers.md").read_text("utf-8")
    block = f"import random\n\nrng{page.partition('rng')[2].partition('print')[0]}print(*names)"
    module = HERE.parents[1] / "dist/training.mjs"
    asked = f"import {{ doubled }} from '{module.as_uri()}'; console.log(doubled());"
    made = python("-c", block).stdout
    assert sorted(made.split()) == sorted(javascript(asked).split())


def test_doubling_takes_two_layers_and_nearly_every_part() -> None:
    """As the pages say of `doubled.json`."""
    ends = {
        name: [run["right"][-1] for run in runs]
        for name, runs in models.recorded("doubled").items()
    }
    assert max(ends["one layer, one head"] + ends["one layer"]) < 10
    assert sum(right > 50 for right in ends["two layers"]) == 9
    means = {name: sum(right) / len(right) for name, right in ends.items()}
    learn = ["two layers, one head", "two layers", "without mlp", "without root"]
    assert [x for x in means if means[x] > 50] == [*learn, "SGD, rate 1, longer"]


@nightly
def test_the_first_model_of_doubled_is_measured_by_training_it(tmp_path: Path) -> None:
    name, again = "one layer, one head", tmp_path / "doubled.json"
    script = [str(HERE / "doubled.mjs"), str(again), name]
    subprocess.run([node() or "node", *script], check=True)
    found = json.loads(again.read_text("utf-8"))
    assert found[name] == models.recorded("doubled")[name]


test_an_unknown_run_is_refused = models.refusals(
    trainer,
    {},
    ({"run": "nothing"}, "no run is called 'nothing'; choose one of counts"),
)
