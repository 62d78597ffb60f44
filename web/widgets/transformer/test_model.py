"""The page is given the weights of a trained model."""

import pytest

from microgpt import load_model
from tests.models import make_refusal_test
from widgets.transformer.model import transformer


def test_the_weights_are_those_of_the_package_s_model() -> None:
    shown = transformer("emma")
    assert (shown["heads"], shown["position"], shown["box"]) == (4, 4, "")
    for name, rows in load_model()[0].weights.items():
        for row, near in zip(rows, shown["matrices"][name], strict=True):
            assert [p.data for p in row] == pytest.approx(near, abs=6e-6)


test_nonsense_is_refused_in_a_sentence = make_refusal_test(
    transformer,
    {"name": "emma"},
    ({"name": "abcdefghijklmnop"}, "type at most 15 letters: this has 16"),
    ({"position": 5}, "position: choose from 0 to 4"),
    ({"box": "head"}, "box: there is no 'head'"),
)
