"""Both models answer as the programs do."""

from __future__ import annotations

import json
import math
import random

import pytest

from microgpt import Tokenizer, load_names
from snippets import step0, step1
from widgets._network import trained_weights
from widgets.two_models.model import TwoModels, two_models


@pytest.fixture(scope="module")
def shown() -> TwoModels:
    return two_models("emma")


@pytest.fixture(scope="module")
def names() -> list[str]:
    """The names as both programs see them, and the rest of their random numbers."""
    names = load_names()
    random.Random(42).shuffle(names)
    return names


def test_the_table_has_learnt_the_names_that_the_program_learns(
    shown: TwoModels, names: list[str]
) -> None:
    tokenizer = Tokenizer(names)
    counts = step0.zero_counts(tokenizer.vocab_size)
    for _ in step0.train(names, tokenizer, counts, 1000):
        pass
    assert shown["learnt"] == 1000
    assert shown["pairs"] == [sum(row) for row in counts]
    for token, row in enumerate(shown["table"]):
        expected = [(count + 1) / (sum(counts[token]) + 27) for count in counts[token]]
        assert row == pytest.approx(expected, abs=1e-5)
    loss = step0.mean_loss(tokenizer.document("emma"), counts)
    assert shown["table_loss"] == pytest.approx(loss, rel=1e-4)


def test_the_networks_are_the_program_s_before_and_after_training(
    shown: TwoModels,
) -> None:
    rng = random.Random(42)
    names = load_names()
    rng.shuffle(names)
    tokenizer = Tokenizer(names)
    first = step1.initial_weights(tokenizer.vocab_size, rng)
    tokens = tokenizer.document("emma")
    for network, weights in zip(
        shown["networks"], (first, trained_weights()), strict=True
    ):
        for token, row in enumerate(network["rows"]):
            logits = step1.forward(token, weights)
            total = math.fsum(math.exp(logit) for logit in logits)
            expected = [math.exp(logit) / total for logit in logits]
            assert row == pytest.approx(expected, abs=1e-5)
        loss = step1.mean_loss(tokens, weights)
        assert network["loss"] == pytest.approx(loss, rel=1e-4)
    assert [n["title"] for n in shown["networks"]] == ["untrained", "trained"]


def test_what_is_apart_is_half_of_all_differences(shown: TwoModels) -> None:
    for network in shown["networks"]:
        for token, apart in enumerate(network["apart"]):
            row, table = network["rows"][token], shown["table"][token]
            differences = [abs(p - q) for p, q in zip(row, table, strict=True)]
            assert apart == pytest.approx(sum(differences) / 2, abs=2e-4)


def test_training_brings_every_row_but_that_of_a_rare_letter_closer(
    shown: TwoModels,
) -> None:
    before, after = (network["apart"] for network in shown["networks"])
    further = [token for token in range(27) if after[token] > before[token]]
    names = [shown["tokens"][token] for token in further]
    assert names == ["q", "x"]
    assert max(shown["pairs"][token] for token in further) < 10


def test_another_name_changes_the_losses_alone(shown: TwoModels) -> None:
    other = two_models(" xavier ")
    assert other["table"] == shown["table"]
    assert other["table_loss"] != shown["table_loss"]
    assert other["networks"][1]["loss"] < other["table_loss"]


def test_it_fits_on_a_page(shown: TwoModels) -> None:
    text = json.dumps(shown, allow_nan=False)
    assert json.loads(text) == shown
    assert len(text) < 40_000


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "one letter or more"),
        ("zoë", "does not know the character 'ë'"),
        ("Emma", "type 'emma'"),
        ("a" * 17, "at most 16 letters"),
    ],
)
def test_what_is_no_name_is_refused(name: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        two_models(name)
