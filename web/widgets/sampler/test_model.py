"""What the browser is given to sample from is what the programs know."""

import math

import pytest

from snippets import step0, step1
from tests.models import TOKENS, assert_json, pairs_of, recorded, refusals, shuffled
from widgets._network import network_weights
from widgets.sampler.model import Asked, Model, sampler


def only(model: Model) -> Asked:
    shown = sampler(model)
    assert (list(shown["models"]), shown["tokens"]) == ([model], [*TOKENS[:-1], "end"])
    return shown["models"][model]


def given(shown: Asked) -> list[str]:
    models = ("counts", "logits", "matrices")
    return [name for name in models if shown[name] is not None]  # type: ignore[literal-required]


def test_the_table_has_the_pairs_of_the_names_that_the_run_learns() -> None:
    shown, pairs = only("counts"), pairs_of(shuffled()[:1000])
    assert (given(shown), shown["learnt"]) == (["counts"], 1000)
    assert shown["counts"] == [[pairs[a, b] for b in TOKENS] for a in TOKENS]
    for token, row in enumerate(shown["counts"] or []):
        total = sum(row) + len(row)
        shares = [(count + 1) / total for count in row]
        assert step0.probabilities(token, shown["counts"] or []) == shares


def test_the_network_s_logits_give_its_probabilities() -> None:
    shown = only("network")
    assert (given(shown), shown["learnt"]) == (["logits"], 1000)
    for token, row in enumerate(shown["logits"] or []):
        true = step1.forward(token, network_weights("trained"))
        assert row == pytest.approx(true, rel=1e-5)


@pytest.mark.parametrize(("model", "heads"), [("one-end", 1), ("four-end", 4)])
def test_a_gpt_has_the_weights_that_were_recorded_and_nine_names_in_ten(
    model: Model, heads: int
) -> None:
    shown = only(model)
    assert (given(shown), shown["heads"]) == (["matrices"], heads)
    assert shown["matrices"] == recorded(f"{model}-weights")
    assert shown["learnt"] == math.floor(0.9 * len(shuffled()))
    assert_json(shown)


def test_the_model_that_a_page_begins_with_is_the_last_to_choose() -> None:
    shown = sampler("four-end", others=["counts", "one-end"])
    assert list(shown["models"]) == ["counts", "one-end", "four-end"]


test_nonsense_is_refused = refusals(
    sampler,
    {"model": "counts"},
    ({"model": "oracle"}, "model: choose of counts, network, one-end, four-end"),
    ({"others": ["oracle"]}, "model: choose of counts,"),
    ({"show": ["dice"]}, "show: choose of letters, die,"),
    ({"begin": "é"}, "does not know the character"),
    ({"begin": "a" * 16}, "type at most 15 letters"),
    ({"temperature": 0}, "temperature: choose from 0.1 to 3"),
    ({"temperature": math.nan}, "temperature: choose from 0.1 to 3"),
    ({"seed": -1}, "seed: choose from 0"),
)
