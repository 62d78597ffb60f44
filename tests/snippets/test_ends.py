"""The weights of the heads trained to the end are those of the Trainer's recorded runs.

They are `one-end-weights` and `four-end-weights` of docs/data.
"""

import random
from functools import partial

import pytest

from microgpt import GPT, Config, Tokenizer, Value
from microgpt.engines import lists
from snippets.ready.losses import per_token
from tests.models import recorded, shuffled
from widgets.trainer.model import recorded as run

ENDS = {"one-end-weights": 1, "four-end-weights": 4}  # and their heads


def trained(end: str) -> GPT:
    """Return the package's model with the recorded weights."""
    model = GPT(Config(n_head=ENDS[end]), random.Random(0))
    weights = recorded(end)
    assert weights.keys() == model.weights.keys()
    for name, rows in weights.items():
        model.weights[name] = [[Value(number) for number in row] for row in rows]
    return model


@pytest.mark.parametrize("end", ENDS)
def test_they_have_the_recorded_loss_on_the_names_that_were_held_out(end: str) -> None:
    recording = run(end.removesuffix("-weights"))
    names = shuffled(recording["begun"]["setup"]["seed"])
    learnt = names[: len(names) * 9 // 10]
    held_out = [name for name in names[len(learnt) :] if name not in {*learnt}]
    assert len(held_out) == recording["begun"]["heldOut"]
    documents = list(map(Tokenizer(list(names)).document, held_out))
    loss = per_token(partial(lists.document_loss, trained(end)), documents)
    assert loss == pytest.approx(recording["moments"][-1]["heldOut"], abs=2e-4)
