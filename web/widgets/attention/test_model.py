"""A page is given the weights with which it reads names."""

import pytest

from tests.models import assert_json, load_record, make_refusal_test
from widgets.attention.model import HEADS, Trained, attention


@pytest.mark.parametrize("end", HEADS)
def test_a_page_gets_the_weights_it_needs_and_no_others(end: Trained) -> None:
    shown = attention("emma", end)
    assert_json(shown)
    assert shown["heads"] == HEADS[end]
    assert shown["matrices"].keys() == {
        *("wte", "wpe", "layer0.attn_wq", "layer0.attn_wk", "layer0.attn_wv")
    }
    assert shown["matrices"].items() <= load_record(f"{end}-weights").items()


test_what_the_widget_does_not_know_is_refused = make_refusal_test(
    attention,
    {"name": "emma", "model": "four-end"},
    ({"name": "a" * 16}, "type at most 15 letters"),
    ({"head": 4}, "head: choose from 0 to 3"),
    ({"model": "one-end", "head": 1}, "head: choose from 0 to 0"),
)
