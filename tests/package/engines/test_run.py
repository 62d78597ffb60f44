"""A run stops, goes on, and pauses the garbage collector."""

import gc
import math
from itertools import islice

import pytest

from microgpt.engines.run import Run, collector_paused
from microgpt.model import Config
from tests.package.helpers import NAMES, small_run


def test_a_run_never_goes_beyond_its_last_step() -> None:
    run = small_run(steps=2)
    assert len(list(run.train(stop=5))) == 2
    assert list(run.train()) == []


@pytest.mark.parametrize("vocab_size", [3, 5])
def test_a_config_for_another_vocabulary_is_refused(vocab_size: int) -> None:
    with pytest.raises(ValueError, match=f"must be 4 for .*, not {vocab_size}$"):
        Run(["ada", "bad"], Config(vocab_size), 5)


@pytest.mark.parametrize(("documents", "batch_size"), [([], 1), (["a"], 0)])
def test_a_run_with_nothing_to_learn_from_is_refused(
    documents: list[str], batch_size: int
) -> None:
    config = Config(len(documents) + 1)
    with pytest.raises(ValueError, match=r"^each step needs a document to learn from$"):
        Run(documents, config, 5, batch_size=batch_size)


@pytest.mark.parametrize("loss", [math.inf, math.nan])
def test_a_run_ends_with_the_first_loss_that_is_not_finite(
    loss: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = small_run()
    losses = list(run.train(2))
    monkeypatch.setattr(run.engine, "gradient", lambda tokens: loss)
    before = run.engine.state()
    with pytest.raises(
        FloatingPointError, match=r"^the loss is not finite at step 3: "
    ):
        losses += run.train()
    assert (len(losses), run.step, run.engine.state()) == (2, 2, before)


def test_the_seed_decides_on_order_and_weights() -> None:
    first, again, other = small_run(), small_run(), small_run(seed=1)
    assert first.documents == again.documents != other.documents
    assert sorted(first.documents) == sorted(NAMES)
    weights = [run.engine.state().weights for run in (first, again, other)]
    assert weights[0] == weights[1] != weights[2]


def test_the_collector_is_paused_during_a_step_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert gc.isenabled()
    with collector_paused():
        assert not gc.isenabled()
        with collector_paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
    run = small_run(2)
    monkeypatch.setattr(run, "train_step", lambda: float(gc.isenabled()))
    for paused in islice(run.train(), 2):
        assert not paused and gc.isenabled()
