"""What readers see of attention is what the models compute, worked out another way."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pytest

from microgpt import attend
from tests.models import document, line_of, refusals, shuffled, transformer
from widgets._gpt import gpt, step3_weights
from widgets._network import State
from widgets.attention.model import Attention, AttentionHead, attention

NAME = "emma"


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


def assert_rows(shown: list[list[float]], true: Iterable[list[float]]) -> None:
    for row, expected in zip(shown, true, strict=True):
        assert row == pytest.approx(expected, abs=0.000501)


@pytest.mark.parametrize("state", ["untrained", "trained"])
@pytest.mark.parametrize(("program", "count"), [("step3", 1), ("step6", 4)])
def test_each_number_of_each_head_is_the_models(
    seen: Attention, program: str, count: int, state: State
) -> None:
    weights = step3_weights(state) if program == "step3" else gpt(state).weights
    tokens = transformer(weights, document(NAME)[:-1], count)
    found = heads(seen, program, state)
    assert [(head["layer"], head["head"]) for head in found] == [
        (0, i) for i in range(count)
    ]
    width = 16 // count
    for i, head in enumerate(found):
        part = slice(i * width, (i + 1) * width)
        assert head["scale"] == 1 / math.sqrt(width)
        scores = [token.scores[i] for token in tokens]
        exps = [[math.exp(s - max(row)) for s in row] for row in scores]
        assert_rows(head["queries"], (token.query[part] for token in tokens))
        assert_rows(head["keys"], (token.key[part] for token in tokens))
        assert_rows(head["values"], (token.value[part] for token in tokens))
        dots = [[score * math.sqrt(width) for score in row] for row in scores]
        assert_rows(head["dots"], dots)
        assert_rows(head["scores"], scores)
        assert_rows(head["exps"], exps)
        assert_rows(head["weights"], (token.weights[i] for token in tokens))
        assert_rows(head["outputs"], (token.gathered[part] for token in tokens))
        assert_rows([head["largest"]], [[max(row) for row in scores]])
        assert_rows([head["total"]], [[math.fsum(row) for row in exps]])
        assert head["weights_sum"] == [1] * len(tokens)


def test_what_a_token_gathers_does_not_depend_on_what_comes_after_it() -> None:
    long, short = (attention(name, "step3", "trained") for name in ("annabel", "anna"))
    for model, other in zip(long["models"], short["models"], strict=True):
        for head, same in zip(model["heads"], other["heads"], strict=True):
            assert head["weights"][:5] == same["weights"]
            assert head["outputs"][:5] == same["outputs"]


def test_the_tokens_are_those_of_the_name_and_the_lines_those_of_attend(
    seen: Attention,
) -> None:
    assert seen["tokens"] == ["BOS", *NAME]
    assert seen["file"] == "microgpt/attention.py"
    assert seen["lines"]["weights"] == line_of(attend, "weights = softmax")
    assert seen["lines"]["outputs"] == line_of(attend, "return [dot(weights")


def weight_on(letters: str, head: AttentionHead, name: str, at: int) -> float:
    seen = zip(["", *name], head["weights"][at], strict=False)
    return sum(weight for letter, weight in seen if letter and letter in letters)


def test_the_pages_say_rightly_what_the_heads_have_learnt() -> None:
    """Step 3's head listens to all alike; head 2 of the whole model tells letters apart."""
    vowels, consonants = "aeiou", "bcdfghjklmnpqrstvwxz"
    found: dict[str, list[float]] = {"vowel": [], "consonant": [], "even": []}
    for name in shuffled()[1000:1025]:
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
    assert mean["consonant"] > 1.3
    most = [mass > 1 for mass in found["consonant"]]
    assert sum(most) > len(most) / 2
    assert mean["even"] < 0.15
    emma = heads(attention(NAME, "step3", "trained"), "step6", "trained")[2]
    assert weight_on("m", emma, NAME, 4) > 0.9


def test_a_name_as_long_as_the_context_is_read_whole() -> None:
    seen = attention("a" * 15, "step6", "untrained", head=3)
    for model in seen["models"]:
        for head in model["heads"]:
            assert [len(row) for row in head["weights"]] == list(range(1, 17))


test_what_the_widget_does_not_know_is_refused = refusals(
    attention,
    {"name": NAME, "program": "step3", "weights": "trained"},
    ({"name": "zoë"}, "does not know the character 'ë'"),
    ({"name": "a" * 16}, "at most 15 letters: this has 16"),
    ({"program": "step4"}, "choose step3 or step6"),
    ({"weights": "half"}, "choose untrained or trained"),
    ({"program": "step6", "head": 4}, "choose from 0 to 3"),
    ({"head": 1}, "choose from 0 to 0"),
)
