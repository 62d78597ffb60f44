"""The network that reads its names several times can be trained again."""

import json

import pytest

pytest.importorskip("microgpt.engines.c")

from bench.passes import PASSES, PASSES_FILE, RECIPES
from bench.recipes import Split
from microgpt import load_names


def test_retraining_reproduces_a_recorded_loss() -> None:
    rungs = json.loads(PASSES_FILE.read_text("utf-8"))["guide"]["rungs"]
    split = Split(load_names(), 1)
    for name in ("pairs", "3"):
        recorded = rungs[name]["1000"]
        model = RECIPES[name].train(split, 1000, recorded["choice"])
        loss = model.loss_per_token(split.held_out)
        assert loss == pytest.approx(recorded["losses"][0], abs=2e-3)


def test_tuned_network_is_one_of_the_recorded_ones() -> None:
    rungs = json.loads(PASSES_FILE.read_text("utf-8"))["guide"]["rungs"]
    assert list(rungs) == ["pairs", "tuned", *map(str, PASSES)]
    tuned = rungs["tuned"]["1000"]
    assert tuned == rungs[str(tuned["choice"])]["1000"]
