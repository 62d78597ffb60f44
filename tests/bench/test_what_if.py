"""Training reproduces the losses of each switch in docs/data/what-if.json."""

from typing import Any

import pytest

pytest.importorskip("microgpt.engines.c")

from bench.what_if import SEEDS, measure_losses
from snippets.ready.verdicts import MUCH_HIGHER_THRESHOLD
from tests.engine.web_engine import train_in_node
from tests.marks import mark_all_but_first, nightly
from widgets.what_if.model import recorded_losses, switches

BASELINE_LOSSES: list[float] = recorded_losses()["plain"]
RECORDED_SWITCHES: dict[str, Any] = recorded_losses()["switches"]


def test_each_switch_is_recorded_with_ten_seeds() -> None:
    assert list(RECORDED_SWITCHES) == [switch["id"] for switch in switches()]
    assert len(BASELINE_LOSSES) == len(SEEDS) >= 10
    counts = {len(recorded["losses"]) for recorded in RECORDED_SWITCHES.values()}
    assert counts == {len(BASELINE_LOSSES)}


def test_no_loss_difference_is_within_error_of_much_higher() -> None:
    finite = [x for x in RECORDED_SWITCHES.values() if None not in x["losses"]]
    assert all(abs(x["more"] - MUCH_HIGHER_THRESHOLD) > x["error"] for x in finite)


# A few are retrained each time with seeds 1 to 8, all of them each night.
FEW_SWITCHES = ["again", "zeros", "few", "no-mlp", "post-norm", "tied", "sgd", "bits-7"]
NIGHTLY_SWITCHES = [pytest.param(name, marks=nightly) for name in RECORDED_SWITCHES]


@pytest.mark.parametrize("name", [*mark_all_but_first(FEW_SWITCHES), *NIGHTLY_SWITCHES])
def test_training_with_a_switch_reproduces_its_recorded_loss(name: str) -> None:
    change = next(each["change"] for each in switches() if each["id"] == name)
    few = FEW_SWITCHES
    seed = 1 + few.index(name) if name in few else len(SEEDS)
    expected = RECORDED_SWITCHES[name]["losses"][seed - 1]
    assert measure_losses(change, [seed]) == pytest.approx([expected], abs=1e-4)


def test_training_without_a_switch_equals_the_trainer() -> None:
    record = train_in_node(namesToSee=30_000, batchSize=32, seed=1)
    loss = record["evaluations"][-1]["heldOutLoss"]
    assert loss == pytest.approx(BASELINE_LOSSES[0], abs=1e-5)
