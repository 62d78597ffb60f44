"""The sampler widget gets the models that it samples from."""

from math import nan

import pytest

from tests.models import assert_finite_json, make_refusal_test
from widgets.sampler.model import ModelName, sampler


@pytest.mark.parametrize(
    ("model", "keys", "training_name_count"),
    [
        ("counts", [], 1000),
        ("network", ["logits"], 1000),
        ("one-end", ["matrices"], 5108),
        ("four-end", ["matrices"], 5108),
        ("sentences-one-30k", ["matrices"], 30_000),
    ],
)
def test_sampler_returns_only_the_numbers_that_a_model_needs(
    model: ModelName, keys: list[str], training_name_count: int
) -> None:
    result = sampler(model)
    assert list(result["models"]) == [model]
    sampler_model = result["models"][model]
    numbers = {key: sampler_model[key] for key in ("logits", "matrices")}
    assert [key for key, value in numbers.items() if value is not None] == keys
    assert sampler_model["training_name_count"] == training_name_count
    assert_finite_json(result)


def test_sampler_lists_the_selected_model_after_the_others() -> None:
    result = sampler("four-end", other_models=["counts", "one-end"])
    assert list(result["models"]) == ["counts", "one-end", "four-end"]


test_sampler_refuses_invalid_prefixes_and_temperatures = make_refusal_test(
    sampler,
    {"model": "counts"},
    ({"begin": "é"}, "begin: expected known letters, got 'é'"),
    ({"begin": "a" * 16}, "begin: expected at most 15 letters, got 16"),
    ({"model": "sentences-one-30k", "begin": "q"}, "known letters, got 'q'"),
    ({"other_models": ["sentences-one-30k"]}, "sentences-one-30k reads no names"),
    ({"temperature": 0}, "temperature: expected a number from 0.1 to 3, got 0"),
    ({"temperature": nan}, "temperature: expected a number from 0.1 to 3, got nan"),
)
