"""What each part of Step 3 is worth: taken out of the trained model, or never there."""

import random
from itertools import permutations

import pytest

from microgpt import GPT, Config, Tokenizer, Value, load_names
from microgpt.attention import Cache
from snippets import step3
from snippets.records import runs
from tests.models import recorded
from tests.thorough import nightly

PARTS: dict[str, dict[str, float]] = recorded("parts")


@nightly
def test_the_recorded_losses_are_those_of_models_trained_anew() -> None:
    found = runs.parts()
    assert list(found) == list(PARTS)
    for part, losses in PARTS.items():
        assert losses == pytest.approx(found[part], rel=5e-6)


def test_positions_are_what_the_trained_model_relies_on() -> None:
    whole = recorded("held-out")["step3"]
    removed = {part: losses["removed"] for part, losses in PARTS.items()}
    assert abs(removed["attention"] - whole) < 0.002
    assert 0.005 < removed["mlp"] - whole < 0.05
    assert removed["positions"] - whole > 0.15


def test_attention_or_positions_is_enough_and_both_are_hardly_better() -> None:
    held_out = recorded("held-out")
    never = {part: losses["never"] for part, losses in PARTS.items()}
    assert abs(never["attention"] - held_out["step3"]) < 0.005
    assert never["positions"] - held_out["step3"] < 0.03
    assert never["positions and attention"] - held_out["step3"] > 0.08


def test_a_part_whose_matrix_is_zero_adds_nothing_to_the_stream() -> None:
    names = load_names()
    weights = step3.initial_weights(Tokenizer(names).vocab_size, random.Random(1))
    x = [Value(i / 8) for i in range(16)]
    for matrix in ("attn_wo", "mlp_fc2"):
        weights[matrix] = [[Value(0.0) for _ in row] for row in weights[matrix]]
    after = step3.mlp(step3.attention(x, weights, Cache()), weights)
    assert [a.data for a in after] == [xi.data for xi in x]


def test_what_is_left_out_of_a_quick_run_stays_zero() -> None:
    run = runs.Quick("step3", num_steps=3, without=["wpe"])
    assert not any(p.data for row in run.model.weights["wpe"] for p in row)
    fresh = GPT(Config(n_head=1), random.Random())
    assert set(runs.PARTS["positions and attention"]) < set(fresh.weights)
    assert len(run.losses) == 3


def test_without_positions_the_order_of_earlier_letters_does_not_matter() -> None:
    tokenizer = Tokenizer(load_names())
    weights = step3.initial_weights(27, random.Random(7))

    def logits(word: str, weights: step3.Weights) -> list[float]:
        cache = Cache()
        for token in [tokenizer.bos, *tokenizer.encode(word)]:
            result = step3.forward(token, weights, cache)
        return [logit.data for logit in result]

    no_order = weights | {"wpe": [[Value(0.0)] * 16] * 16}
    expected = logits("liana", no_order)
    for letters in permutations("lian"):
        word = "".join(letters) + "a"
        assert logits(word, no_order) == pytest.approx(expected, rel=1e-12)
    assert logits("lianl", no_order) != pytest.approx(expected, rel=1e-3)
    gap = [
        abs(a - b)
        for a, b in zip(logits("liana", weights), logits("naila", weights), strict=True)
    ]
    assert max(gap) > 1e-3
