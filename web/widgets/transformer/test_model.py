"""The page is given the weights of a trained model, and the lines that use them."""

import ast
import re
from typing import Literal

import pytest

from microgpt import load_model
from tests.models import ROOT, assert_listed, recorded, refusals
from widgets._tracing import Source
from widgets.transformer.model import FUNCTIONS, transformer

# What must stand in a line that a box lights
USES = {
    "wte": "'wte'",
    "wpe": "'wpe'",
    "sum": "t + p",
    "rmsnorm": "xi * scale",
    "attention_rmsnorm": "xi * scale",
    "query": "attn_wq",
    "key": "attn_wk",
    "value": "attn_wv",
    "cache": "cache.keys",
    "head": "softmax",
    "attn_wo": "attn_wo",
    "attention": "o + xi",
    "mlp_rmsnorm": "xi * scale",
    "fc1": "mlp_fc1",
    "relu": "relu",
    "fc2": "mlp_fc2",
    "mlp": "o + xi",
    "lm_head": "lm_head",
    "softmax": "exp * scale",
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
    assert shown["heads"] == heads
    assert (shown["position"], shown["box"]) == (4, "")


def test_the_lit_lines_are_those_that_compute_the_boxes() -> None:
    lines = transformer("emma", 3, "head2")["lines"]
    sources = {each.__name__: Source(each.__code__) for each in FUNCTIONS}
    for source in sources.values():
        name = source.function.name
        lit = [x["line"] for at in lines.values() for x in at if x["function"] == name]
        assert_listed(source.file, [source.listing()], lit)
    assert lines.keys() == USES.keys()
    for box, (place, *_) in lines.items():
        statement = sources[place["function"]].statements[place["line"]]
        assert USES[box] in ast.unparse(statement), box
    # Attention and the MLP return alike: each lights its own
    ends = [lines[box][0]["function"] for box in ("attention", "mlp")]
    assert ends == ["attention", "mlp"]


def test_every_box_that_the_page_draws_has_lines() -> None:
    boxes = (ROOT / "web/widgets/transformer/boxes.ts").read_text("utf-8")
    made = re.findall(r'\b(?:add|looked|plus|norm|linear)\(\s*"(\w+)"', boxes)
    assert {*made, "query", "key", "value", "head"} == USES.keys()


test_nonsense_is_refused_in_a_sentence = refusals(
    transformer,
    {"name": "emma"},
    ({"name": "abcdefghijklmnop"}, "type at most 15 letters: this has 16"),
    ({"position": 5}, "position: choose from 0 to 4"),
    ({"box": "head"}, "box: there is no 'head'"),
    ({"box": "head1", "model": "one-end"}, "box: there is no 'head1'"),
    ({"model": "step6"}, "model: choose one-end, four-end or package"),
)
