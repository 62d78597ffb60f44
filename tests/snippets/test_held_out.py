"""Recorded models have the recorded losses on held-out names."""

from functools import partial

import pytest

from microgpt import Tokenizer
from microgpt.engines import lists
from snippets.ready.losses import loss_per_token
from snippets.records import runs, starts
from snippets.records.record import measure_held_out_losses
from tests.marks import nightly
from tests.models import (
    HEADS_BY_RECORD,
    load_record,
    load_recorded_model,
    shuffled_names,
)
from widgets.trainer.model import recorded_run


@nightly
def test_retrained_models_reproduce_the_recorded_held_out_losses() -> None:
    assert pytest.approx(measure_held_out_losses(), rel=5e-6) == load_record("held-out")
    recorded, measured = load_record("heads"), runs.measure_heads()
    assert list(recorded) == list(measured) == ["step4", "step5"]
    for step, losses in measured.items():
        assert recorded[step] == pytest.approx(losses, rel=5e-6)


@nightly
def test_networks_without_a_bend_reproduce_the_recorded_losses() -> None:
    recorded, measured = load_record("starts"), starts.measure_starts()
    assert recorded["spreads"].pop("1.0") is measured["spreads"].pop("1.0") is None
    for key in ("with", "without", "wide-without", "by-width"):
        assert recorded[key] == pytest.approx(measured[key], rel=5e-6)
    assert recorded["spreads"] == pytest.approx(measured["spreads"], rel=5e-6)


# The recorded weights are one-end-weights and four-end-weights of docs/data.
@pytest.mark.parametrize("record", HEADS_BY_RECORD)
def test_recorded_weights_have_the_recorded_held_out_loss(record: str) -> None:
    recording = recorded_run(record.removesuffix("-weights"))
    names = shuffled_names(recording["facts"]["setup"]["seed"])
    training = names[: len(names) * 9 // 10]
    held_out = [name for name in names[len(training) :] if name not in {*training}]
    assert len(held_out) == recording["facts"]["heldOutCount"]
    documents = list(map(Tokenizer(list(names)).document, held_out))
    document_loss = partial(lists.document_loss, load_recorded_model(record))
    loss = loss_per_token(document_loss, documents)
    assert loss == pytest.approx(recording["evaluations"][-1]["heldOutLoss"], abs=2e-4)
