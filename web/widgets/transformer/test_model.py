"""The transformer widget gets the weights of the package's model."""

import pytest

from microgpt import load_model
from tests.models import make_refusal_test
from widgets.transformer.model import transformer


def test_transformer_returns_the_weights_of_the_package_model() -> None:
    result = transformer("emma")
    assert (result["heads"], result["position"], result["open_box"]) == (4, 4, "")
    for name, rows in load_model()[0].weights.items():
        for row, rounded in zip(rows, result["matrices"][name], strict=True):
            assert [p.data for p in row] == pytest.approx(rounded, abs=6e-6)


test_transformer_refuses_long_names_and_unknown_positions_and_boxes = make_refusal_test(
    transformer,
    {"name": "emma"},
    ({"name": "abcdefghijklmnop"}, "type at most 15 letters: this has 16"),
    ({"position": 5}, "position: expected a whole number from 0 to 4, got 5"),
    ({"open_box": "head"}, "open_box: expected one of wte, .*, got 'head'"),
)
