"""What the browser is given to sample from is what the programs know."""

from __future__ import annotations

import math

import pytest

from snippets import step0, step1
from tests.models import TOKENS, assert_json, pairs_of, recorded, refusals, shuffled
from widgets._network import network_weights
from widgets.sampler.model import Sampler, sampler


def given(shown: Sampler) -> list[str]:
    models = ("counts", "logits", "matrices")
    return [name for name in models if shown[name] is not None]  # type: ignore[literal-required]


def test_the_table_has_the_pairs_of_the_names_that_the_run_learns() -> None:
    shown, pairs = sampler("counts"), pairs_of(shuffled()[:1000])
    assert (given(shown), shown["learnt"]) == (["counts"], 1000)
    assert shown["counts"] == [[pairs[a, b] for b in TOKENS] for a in TOKENS]
    for token, row in enumerate(shown["counts"] or []):
        total = sum(row) + len(row)
        shares = [(count + 1) / total for count in row]
        assert step0.probabilities(token, shown["counts"] or []) == shares


def test_the_network_s_logits_give_its_probabilities() -> None:
    shown = sampler("network")
    assert (given(shown), shown["learnt"]) == (["logits"], 1000)
    for token, row in enumerate(shown["logits"] or []):
        true = step1.forward(token, network_weights("trained"))
        assert row == pytest.approx(true, rel=1e-5)


def test_the_gpt_has_the_weights_that_were_recorded_and_nine_names_in_ten() -> None:
    shown = sampler("four-end")
    assert (given(shown), shown["heads"]) == (["matrices"], 4)
    assert shown["matrices"] == recorded("four-end-weights")
    assert shown["learnt"] == math.floor(0.9 * len(shuffled()))
    assert_json(shown)


test_nonsense_is_refused = refusals(
    sampler,
    {"model": "counts"},
    ({"model": "oracle"}, "model: choose counts, network or four-end"),
    ({"show": ["dice"]}, "show: choose of letters, die,"),
    ({"begin": "é"}, "does not know the character"),
    ({"begin": "a" * 16}, "type at most 15 letters"),
    ({"temperature": 0}, "temperature: choose from 0.1 to 3"),
    ({"temperature": math.nan}, "temperature: choose from 0.1 to 3"),
    ({"seed": -1}, "seed: choose from 0"),
)
