"""Both models answer as the programs do."""

from __future__ import annotations

import pytest

from snippets import step0, step1
from tests.models import Start, document, refusals
from widgets._network import trained_weights
from widgets.two_models.model import TwoModels, two_models


@pytest.fixture(scope="module")
def shown() -> TwoModels:
    return two_models("emma")


def test_the_table_has_learnt_the_names_that_the_program_learns(
    shown: TwoModels,
) -> None:
    counting = Start(step0)
    counting.losses(1000)
    counts = counting.weights
    assert shown["learnt"] == 1000
    assert shown["pairs"] == [sum(row) for row in counts]
    for row, counted in zip(shown["table"], counts, strict=True):
        expected = [(count + 1) / (sum(counted) + 27) for count in counted]
        assert row == pytest.approx(expected, abs=1e-5)
    loss = step0.mean_loss(document("emma"), counts)
    assert shown["table_loss"] == pytest.approx(loss, rel=1e-4)


def test_the_networks_are_the_program_s_before_and_after_training(
    shown: TwoModels,
) -> None:
    assert [n["title"] for n in shown["networks"]] == ["untrained", "trained"]
    ends = Start(step1).weights, trained_weights()
    for network, weights in zip(shown["networks"], ends, strict=True):
        for token, row in enumerate(network["rows"]):
            expected = step1.softmax(step1.forward(token, weights))
            assert row == pytest.approx(expected, abs=1e-5)
            pairs = zip(row, shown["table"][token], strict=True)
            apart = sum(abs(p - q) for p, q in pairs) / 2
            assert network["apart"][token] == pytest.approx(apart, abs=2e-4)
        loss = step1.mean_loss(document("emma"), weights)
        assert network["loss"] == pytest.approx(loss, rel=1e-4)


def test_training_brings_every_row_but_that_of_a_rare_letter_closer(
    shown: TwoModels,
) -> None:
    before, after = (network["apart"] for network in shown["networks"])
    further = [token for token in range(27) if after[token] > before[token]]
    assert [shown["tokens"][token] for token in further] == ["q", "x"]
    assert max(shown["pairs"][token] for token in further) < 10


def test_another_name_changes_the_losses_alone(shown: TwoModels) -> None:
    other = two_models(" xavier ")
    assert other["table"] == shown["table"]
    assert other["table_loss"] != shown["table_loss"]
    assert other["networks"][1]["loss"] < other["table_loss"]


test_what_is_no_name_is_refused = refusals(
    two_models,
    {},
    ({"name": ""}, "one letter or more"),
    ({"name": "zoë"}, "does not know the character 'ë'"),
    ({"name": "a" * 17}, "at most 16 letters"),
)
