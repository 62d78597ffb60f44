"""What readers see of attention is what the models compute, worked out another way."""

from __future__ import annotations

import inspect
import math
from operator import mul
from typing import Literal

import pytest

from microgpt import attend, linear, rmsnorm
from microgpt.nn import Matrix
from widgets._gpt import gpt, numbers, step3_weights
from widgets._names import shuffled_names, tokenizer_of_the_names
from widgets.attention.model import Attention, AttentionHead, attention

NAME = "emma"
TOKENS = tokenizer_of_the_names().document(NAME)[:-1]
Rows = list[list[float]]


def heads(seen: Attention, program: str, weights: str) -> list[AttentionHead]:
    (model,) = (
        model
        for model in seen["models"]
        if (model["program"], model["weights"]) == (program, weights)
    )
    return model["heads"]


@pytest.fixture(scope="module")
def seen() -> Attention:
    return attention(NAME, "step3", "trained")


def close(row: list[float]) -> object:
    return pytest.approx(row, abs=0.000501)


def by_hand(queries: Rows, keys: Rows, values: Rows) -> dict[str, Rows]:
    """Compute attention with floats, without the package."""
    found: dict[str, Rows] = {
        "dots": [],
        "scores": [],
        "exps": [],
        "weights": [],
        "outputs": [],
    }
    for i, query in enumerate(queries):
        dots = [math.fsum(map(mul, query, key)) for key in keys[: i + 1]]
        scores = [dot / math.sqrt(len(query)) for dot in dots]
        exps = [math.exp(score - max(scores)) for score in scores]
        weights = [exp / math.fsum(exps) for exp in exps]
        columns = zip(*values[: i + 1], strict=True)
        outputs = [math.fsum(map(mul, weights, column)) for column in columns]
        for name, row in zip(
            found, (dots, scores, exps, weights, outputs), strict=True
        ):
            found[name].append(row)
    return found


def assert_head(head: AttentionHead, queries: Rows, keys: Rows, values: Rows) -> None:
    expected = by_hand(queries, keys, values)
    given: dict[str, Rows] = {"queries": queries, "keys": keys, "values": values}
    for name, rows in (given | expected).items():
        shown = head[name]  # type: ignore[literal-required]
        assert len(shown) == len(TOKENS)
        for row, true in zip(shown, rows, strict=True):
            assert row == close(true)
    assert head["largest"] == close([max(row) for row in expected["scores"]])
    assert head["total"] == close([math.fsum(row) for row in expected["exps"]])
    assert head["weights_sum"] == [1] * len(TOKENS)


@pytest.mark.parametrize("state", ["untrained", "trained"])
def test_the_one_head_of_step_3_is_what_its_weights_give(
    seen: Attention, state: Literal["untrained", "trained"]
) -> None:
    weights = step3_weights(state)
    normed = []
    for token, place in zip(TOKENS, weights["wpe"], strict=False):
        x = [t + p for t, p in zip(weights["wte"][token], place, strict=True)]
        normed.append(rmsnorm(rmsnorm(x)))
    (head,) = heads(seen, "step3", state)

    def through(matrix: Matrix) -> Rows:
        return [numbers(linear(x, matrix)) for x in normed]

    assert head["scale"] == 1 / 4
    assert_head(
        head,
        through(weights["attn_wq"]),
        through(weights["attn_wk"]),
        through(weights["attn_wv"]),
    )


@pytest.mark.parametrize("state", ["untrained", "trained"])
def test_each_head_of_the_whole_model_has_a_quarter_of_the_cache(
    seen: Attention, state: Literal["untrained", "trained"]
) -> None:
    model = gpt(state)
    (cache,) = caches = model.new_cache()
    for token in TOKENS:
        model.forward(token, caches)
    found = heads(seen, "step6", state)
    assert [(head["layer"], head["head"]) for head in found] == [
        (0, 0),
        (0, 1),
        (0, 2),
        (0, 3),
    ]
    for head in found:
        part = slice(4 * head["head"], 4 * head["head"] + 4)
        keys = [numbers(key)[part] for key in cache.keys]
        values = [numbers(value)[part] for value in cache.values]
        for shown, true in ((head["keys"], keys), (head["values"], values)):
            for row, numbers_of_it in zip(shown, true, strict=True):
                assert row == close(numbers_of_it)
        assert head["scale"] == 1 / 2
        # Of rounded numbers, so not to the last digit
        rough = by_hand(head["queries"], keys, values)
        for name in ("scores", "weights", "outputs"):
            for row, true_row in zip(
                head[name],
                rough[name],
                strict=True,
            ):
                assert row == pytest.approx(true_row, abs=0.006)


def test_each_number_can_be_followed_from_those_that_are_shown(
    seen: Attention,
) -> None:
    for model in seen["models"]:
        for head in model["heads"]:
            for i, query in enumerate(head["queries"]):
                assert len(head["scores"][i]) == len(head["weights"][i]) == i + 1
                for key, dot in zip(head["keys"], head["dots"][i], strict=False):
                    products = map(mul, query, key)
                    assert dot == pytest.approx(sum(products), abs=0.02)
                for index, output in enumerate(head["outputs"][i]):
                    column = [value[index] for value in head["values"][: i + 1]]
                    assert min(column) <= output <= max(column)


def test_the_last_token_of_a_cache_leaves_the_others_as_they_were() -> None:
    """What a token gathers does not depend on what comes after it."""
    long, short = (attention(name, "step3", "trained") for name in ("annabel", "anna"))
    for model, other in zip(long["models"], short["models"], strict=True):
        for head, same in zip(model["heads"], other["heads"], strict=True):
            assert head["weights"][:5] == same["weights"]
            assert head["outputs"][:5] == same["outputs"]


def test_the_tokens_are_those_of_the_name(seen: Attention) -> None:
    assert seen["tokens"] == ["BOS", *NAME]


def test_the_lines_are_those_of_attend(seen: Attention) -> None:
    lines = inspect.getsourcelines(attend)[0]
    first = inspect.getsourcelines(attend)[1]
    assert seen["file"] == "microgpt/attention.py"
    assert "softmax([dot(query, key) * scale" in lines[seen["lines"]["weights"] - first]
    assert "dot(weights, list(column))" in lines[seen["lines"]["outputs"] - first]


def weight_on(letters: str, head: AttentionHead, name: str, at: int) -> float:
    places = ["", *name]
    return sum(
        weight
        for letter, weight in zip(places, head["weights"][at], strict=False)
        if letter in letters
    )


def test_the_pages_say_rightly_what_the_heads_have_learnt() -> None:
    """Step 3's head listens to all alike; head 2 of the whole model tells letters apart."""
    vowels, consonants = "aeiou", "bcdfghjklmnpqrstvwxz"
    found: dict[str, list[float]] = {"vowel": [], "consonant": [], "even": []}
    for name in shuffled_names()[1000:1025]:
        seen = attention(name, "step3", "trained")
        head = heads(seen, "step6", "trained")[2]
        (one,) = heads(seen, "step3", "trained")
        for at, letter in enumerate(name, 1):
            even = 1 / (at + 1)
            found["even"] += [abs(weight / even - 1) for weight in one["weights"][at]]
            others = [*name[: at - 1]]
            if letter in vowels and {*others} & {*consonants}:
                share = sum(each in consonants for each in others) * even
                mass = weight_on(consonants, head, name, at)
                found["vowel"].append(mass / share)
            if letter in consonants and {*others} & {*vowels}:
                share = (1 + sum(each in vowels for each in others)) * even
                mass = weight_on(vowels, head, name, at) + head["weights"][at][0]
                found["consonant"].append(mass / share)
    mean = {kind: sum(all_) / len(all_) for kind, all_ in found.items()}
    assert mean["vowel"] > 2
    assert mean["consonant"] > 2
    assert mean["even"] < 0.15
    emma = heads(attention(NAME, "step3", "trained"), "step6", "trained")[2]
    assert weight_on("m", emma, NAME, 4) > 0.9


def test_what_the_widget_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match="does not know the character 'ë'"):
        attention("zoë", "step3", "trained")
    with pytest.raises(ValueError, match="at most 15 letters: this has 16"):
        attention("a" * 16, "step3", "trained")
    with pytest.raises(ValueError, match="choose step3 or step6"):
        attention(NAME, "step4", "trained")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="choose untrained or trained"):
        attention(NAME, "step3", "half")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="choose from 0 to 3"):
        attention(NAME, "step6", "trained", head=4)
    with pytest.raises(ValueError, match="choose from 0 to 0"):
        attention(NAME, "step3", "trained", head=1)


def test_a_name_as_long_as_the_context_is_read_whole() -> None:
    seen = attention("a" * 15, "step6", "untrained", head=3)
    assert len(seen["tokens"]) == 16
    assert len(step3_weights("trained")["wpe"]) == 16
    for model in seen["models"]:
        for head in model["heads"]:
            assert [len(row) for row in head["weights"]] == list(range(1, 17))
