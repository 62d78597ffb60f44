"""The attention widget gets the weights with which it reads names."""

import pytest

from tests.models import assert_finite_json, load_record, make_refusal_test
from widgets.attention.model import HEADS_BY_MODEL, TrainedModel, attention


@pytest.mark.parametrize("model", HEADS_BY_MODEL)
def test_attention_returns_only_the_matrices_it_reads_with(model: TrainedModel) -> None:
    result = attention("emma", model)
    assert_finite_json(result)
    assert result["heads"] == HEADS_BY_MODEL[model]
    attention_matrices = (f"layer0.attn_w{kind}" for kind in "qkv")
    assert result["matrices"].keys() == {"wte", "wpe", *attention_matrices}
    assert result["matrices"].items() <= load_record(f"{model}-weights").items()


test_attention_refuses_long_names_and_unknown_heads = make_refusal_test(
    attention,
    {"name": "emma", "model": "four-end"},
    ({"name": "a" * 16}, "type at most 15 letters"),
    ({"head": 4}, "head: expected a whole number from 0 to 3, got 4"),
    ({"model": "one-end", "head": 1}, "head: expected a whole number from 0 to 0"),
)
