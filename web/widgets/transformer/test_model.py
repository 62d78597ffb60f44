"""The page is given the weights of a trained model, and the lines that use them."""

import re
from typing import Literal

import pytest

from microgpt import load_model
from tests.models import ROOT, TOKENS, assert_listed, recorded, refusals
from widgets.transformer.model import transformer

FILES = {
    **dict.fromkeys(("forward", "attention", "mlp"), "model"),
    "attend": "attention",
    **dict.fromkeys(("rmsnorm", "softmax"), "nn"),
}


def test_the_package_s_weights_are_those_that_it_loads() -> None:
    shown = transformer("emma", model="package")["matrices"]
    for name, rows in load_model()[0].weights.items():
        for row, near in zip(rows, shown[name], strict=True):
            assert [p.data for p in row] == pytest.approx(near, abs=6e-6)


@pytest.mark.parametrize(("model", "heads"), [("one-end", 1), ("four-end", 4)])
def test_the_weights_are_those_of_the_trained_model(
    model: Literal["one-end", "four-end"], heads: int
) -> None:
    shown = transformer("emma", model=model)
    assert shown["matrices"] == recorded(f"{model}-weights")
    assert (shown["heads"], shown["tokens"]) == (heads, TOKENS)
    assert (shown["position"], shown["box"]) == (4, "")


def test_every_box_that_the_page_draws_lights_lines_of_the_listings() -> None:
    """Which lines they are stands in the model, by how they begin."""
    shown = transformer("emma", 3, "head2")
    places = [each for lines in shown["lines"].values() for each in lines]
    for source in shown["functions"]:
        lit = [each["line"] for each in places if each["function"] == source["name"]]
        assert_listed(f"microgpt/{FILES[source['name']]}.py", [source], lit)
    boxes = (ROOT / "web/widgets/transformer/boxes.ts").read_text("utf-8")
    made = re.findall(r'\b(?:add|looked|plus|norm|linear)\(\s*"(\w+)"', boxes)
    assert {*made, "query", "key", "value", "head"} == shown["lines"].keys()


test_nonsense_is_refused_in_a_sentence = refusals(
    transformer,
    {"name": "emma"},
    ({"name": "abcdefghijklmnop"}, "type at most 15 letters: this has 16"),
    ({"position": 5}, "position: choose from 0 to 4"),
    ({"box": "head"}, "box: there is no 'head'"),
    ({"box": "head1", "model": "one-end"}, "box: there is no 'head1'"),
    ({"model": "step6"}, "model: choose one-end, four-end or package"),
)
