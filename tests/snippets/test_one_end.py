"""The weights of one head, trained to the end, are those of the Trainer's recorded run."""

from __future__ import annotations

import math
import random
from itertools import islice

import pytest

from microgpt import GPT, Config, Tokenizer, Value, attention, load_names, softmax
from microgpt.engines import lists
from pictures.lena import NAME, looks
from tests.models import recorded
from widgets.trainer.model import recorded as run


def trained() -> GPT:
    """Return the package's model with the recorded weights."""
    model = GPT(Config(n_head=1), random.Random(0))
    weights = recorded("one-end-weights")
    for name in model.weights:
        rows = weights[name.removeprefix("layer0.")]
        model.weights[name] = [[Value(number) for number in row] for row in rows]
    return model


def test_they_have_the_recorded_loss_on_the_names_that_were_held_out() -> None:
    begun = run("one-end")
    names = load_names()
    random.Random(begun["begun"]["setup"]["seed"]).shuffle(names)
    tokenizer = Tokenizer(names)
    learnt = math.floor(0.9 * len(names))
    known = set(names[:learnt])
    held_out = [name for name in islice(names, learnt, None) if name not in known]
    assert len(held_out) == begun["begun"]["heldOut"]
    model, total, tokens = trained(), 0.0, 0
    for document in map(tokenizer.document, held_out):
        asked = min(len(document), model.config.block_size + 1) - 1
        total += asked * lists.document_loss(model, document)
        tokens += asked
    loss = begun["moments"][-1]["heldOut"]
    assert total / tokens == pytest.approx(loss, abs=2e-4)


def test_the_picture_has_the_weights_with_which_the_package_looks_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[list[float]] = []

    def watched(scores: list[Value]) -> list[Value]:
        weights = softmax(scores)
        seen.append([weight.data for weight in weights])
        return weights

    monkeypatch.setattr(attention, "softmax", watched)
    model, cache = trained(), trained().new_cache()
    for token in Tokenizer(load_names()).document(NAME)[:-1]:
        model.forward(token, cache)
    for ours, theirs in zip(looks(NAME), seen, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-9)
