"""What is shown of the residual stream is what `forward` of Step 3 has computed."""

from __future__ import annotations

import math

import pytest

from microgpt import linear, softmax
from microgpt.attention import Cache
from snippets import step3
from widgets._gpt import numbers, step3_weights
from widgets._names import tokenizer_of_the_names
from widgets._network import State
from widgets.residual_stream.model import StreamToken, residual_stream

STATES: tuple[State, ...] = ("untrained", "trained")


def close(values: list[float]) -> object:
    return pytest.approx(values, rel=0.006, abs=1e-9)


def shown(state: State) -> list[StreamToken]:
    return residual_stream("emma")[state]


@pytest.mark.parametrize("state", STATES)
def test_the_stream_is_a_sum_of_what_was_added(state: State) -> None:
    for way in shown(state):
        token, position = (each["numbers"] for each in way["embeddings"])
        start, normed, mixed, end = (each["numbers"] for each in way["stream"])
        by_attention, by_mlp = (each["numbers"] for each in way["added"])
        sums = [(token, position, start), (normed, by_attention, mixed)]
        for a, b, total in [*sums, (mixed, by_mlp, end)]:
            added = [x + y for x, y in zip(a, b, strict=True)]
            assert added == pytest.approx(total, abs=0.02)
        assert math.hypot(*normed) == pytest.approx(4, abs=0.01)


@pytest.mark.parametrize("state", STATES)
def test_the_end_of_the_stream_gives_the_probabilities_of_the_model(
    state: State,
) -> None:
    weights, cache = step3_weights(state), Cache()
    tokens = tokenizer_of_the_names().document("emma")
    ways = shown(state)
    assert [way["token"] for way in ways] == tokens[:-1]
    assert [way["next"] for way in ways] == tokens[1:]
    for way in ways:
        logits = step3.forward(way["token"], weights, cache)
        p = numbers(softmax(logits))
        end = way["stream"][-1]
        assert end["probabilities"] == close(p)
        assert end["loss"] == pytest.approx(-math.log(p[way["next"]]), rel=0.006)


@pytest.mark.parametrize("state", STATES)
def test_the_last_layer_reads_the_stream_at_every_place(state: State) -> None:
    weights = step3_weights(state)
    for way in shown(state):
        rows = weights["wte"][way["token"]], weights["wpe"][shown(state).index(way)]
        total = [t + p for t, p in zip(*rows, strict=True)]
        p = numbers(softmax(linear(total, weights["lm_head"])))
        first = way["stream"][0]
        assert first["probabilities"] == close(p)
        assert first["numbers"] == close(numbers(total))
        for embedding, row in zip(way["embeddings"], rows, strict=True):
            assert embedding["numbers"] == close(numbers(row))
        for each in (*way["stream"], *way["added"], *way["embeddings"]):
            true = math.hypot(*each["numbers"])
            assert each["length"] == pytest.approx(true, rel=0.01)


def test_each_token_has_its_name() -> None:
    stream = residual_stream("emma")
    read = [stream["tokens"][way["token"]] for way in stream["trained"]]
    assert read == ["BOS", *"emma"]
    assert [stream["tokens"][way["next"]] for way in stream["trained"]] == [
        *"emma",
        "BOS",
    ]


def test_a_name_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ValueError, match="does not know the character 'ë'"):
        residual_stream("zoë")
    with pytest.raises(ValueError, match="one letter or more"):
        residual_stream(" ")
    with pytest.raises(ValueError, match="at most 12 letters: this has 13"):
        residual_stream("a" * 13)
