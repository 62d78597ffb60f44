"""The recorded weights of fully trained models match the Trainer's recorded runs.

They are `one-end-weights` and `four-end-weights` of docs/data.
"""

from functools import partial

import pytest

from microgpt import Tokenizer
from microgpt.engines import lists
from snippets.ready.losses import loss_per_token
from tests.models import HEADS_OF_WEIGHTS, load_recorded_model, shuffled_names
from widgets.trainer.model import recorded_run


@pytest.mark.parametrize("record", HEADS_OF_WEIGHTS)
def test_recorded_weights_have_the_recorded_held_out_loss(record: str) -> None:
    recording = recorded_run(record.removesuffix("-weights"))
    names = shuffled_names(recording["facts"]["setup"]["seed"])
    learnt = names[: len(names) * 9 // 10]
    held_out = [name for name in names[len(learnt) :] if name not in {*learnt}]
    assert len(held_out) == recording["facts"]["heldOutCount"]
    documents = list(map(Tokenizer(list(names)).document, held_out))
    document_loss = partial(lists.document_loss, load_recorded_model(record))
    loss = loss_per_token(document_loss, documents)
    assert loss == pytest.approx(recording["evaluations"][-1]["heldOutLoss"], abs=2e-4)
