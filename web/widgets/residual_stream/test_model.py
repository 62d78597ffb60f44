"""What is shown of the residual stream is what `forward` of Step 3 has computed."""

from __future__ import annotations

import math

import pytest

from tests.models import document, dot, refusals, softmax, transformer
from widgets._gpt import numbers, step3_weights
from widgets._network import State
from widgets.residual_stream.model import residual_stream


@pytest.mark.parametrize("state", ["untrained", "trained"])
def test_the_stream_and_what_is_added_to_it_are_the_models(state: State) -> None:
    tokens = document("emma")
    weights = step3_weights(state)
    last_layer = [numbers(row) for row in weights["lm_head"]]
    shown = residual_stream("emma")[state]
    for way, token, true in zip(
        shown, tokens[:-1], transformer(weights, tokens[:-1], 1), strict=True
    ):
        stream = [true.added, true.x, true.after_attention, true.end]
        groups = (
            ("embeddings", [true.token_embedding, true.position_embedding]),
            ("stream", stream),
            ("added", [true.attended, true.computed]),
        )
        for group, vectors in groups:
            found = way[group]  # type: ignore[literal-required]
            for each, vector in zip(found, vectors, strict=True):
                assert each["numbers"] == pytest.approx(vector, rel=0.006, abs=1e-9)
                assert each["length"] == pytest.approx(math.hypot(*vector), rel=0.01)
        assert way["token"] == token
        for place, vector in zip(way["stream"], stream, strict=True):
            logits = [dot(row, vector) for row in last_layer]
            p = softmax(logits)
            assert place["probabilities"] == pytest.approx(p, rel=0.006, abs=1e-9)
            loss = -math.log(p[way["next"]])
            assert place["loss"] == pytest.approx(loss, rel=0.006)


def test_each_token_has_its_name() -> None:
    stream = residual_stream("emma")
    names = stream["tokens"]
    ways = [(names[way["token"]], names[way["next"]]) for way in stream["trained"]]
    assert ways == [*zip(["BOS", *"emma"], [*"emma", "BOS"], strict=True)]


test_a_name_that_cannot_be_read_is_refused = refusals(
    residual_stream,
    {},
    ({"name": "zoë"}, "does not know the character 'ë'"),
    ({"name": "a" * 13}, "at most 12 letters: this has 13"),
)
