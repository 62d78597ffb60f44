"""Step 1: the network whose gradient is worked out by hand."""

import json
import math
import random
from pathlib import Path

import pytest

from microgpt import Tokenizer
from snippets import step1
from snippets.step1 import Matrix, Vector
from tests.snippets.conftest import RunProgram, Start


def test_the_network_has_3184_weights(start: type[Start]) -> None:
    weights = start(step1).weights
    sizes = [sum(len(row) for row in matrix) for matrix in weights.values()]
    assert sizes == [432, 1024, 1728]
    assert sum(sizes) == 3184


def test_an_untrained_network_is_as_unsure_as_a_fair_choice_among_27(
    start: type[Start],
) -> None:
    first = start(step1)
    tokens = first.tokenizer.document("emma")
    assert step1.mean_loss(tokens, first.weights) == pytest.approx(
        math.log(27), abs=0.02
    )


def test_probabilities_add_up_to_1_even_for_huge_logits() -> None:
    assert sum(step1.softmax([1000.0, 999.0, -1000.0])) == pytest.approx(1)
    assert step1.softmax([0.0, 0.0]) == [0.5, 0.5]


def test_the_gradient_by_hand_agrees_with_nudging_every_weight(
    start: type[Start],
) -> None:
    first = start(step1)
    tokens = first.tokenizer.document("ada")
    assert step1.largest_gradient_error(tokens, first.weights) < 1e-8


def test_the_comparison_finds_a_line_of_the_gradient_that_is_wrong(
    start: type[Start], monkeypatch: pytest.MonkeyPatch
) -> None:
    correct = step1.linear_backward

    def forgets_to_add(
        d_output: Vector, x: Vector, weight: Matrix, d_weight: Matrix
    ) -> Vector:
        before = [row[:] for row in d_weight]
        d_x = correct(d_output, x, weight, d_weight)
        for row, old in zip(d_weight, before, strict=True):
            row[:] = [new - o for new, o in zip(row, old, strict=True)]
        return d_x

    monkeypatch.setattr(step1, "linear_backward", forgets_to_add)
    first = start(step1)
    tokens = first.tokenizer.document("ada")
    assert step1.largest_gradient_error(tokens, first.weights) > 1e-3


def test_nudging_leaves_the_weights_as_they_were(start: type[Start]) -> None:
    first = start(step1)
    before = json.dumps(first.weights)
    step1.numerical_gradient(first.tokenizer.document("a"), first.weights)
    assert json.dumps(first.weights) == before


def test_training_repeats_the_names_when_they_run_out() -> None:
    tokenizer = Tokenizer(["ab", "ba"])
    weights = step1.initial_weights(tokenizer.vocab_size, random.Random(1))
    losses = list(step1.train(["ab", "ba"], tokenizer, weights, 60))
    assert len(losses) == 60
    assert losses[-1] < losses[0]


def test_samples_are_made_of_known_letters(start: type[Start]) -> None:
    first = start(step1)
    first.losses(20)
    letters = set(first.tokenizer.characters)
    names = [first.sample() for _ in range(20)]
    assert any(names)
    assert all(set(name) <= letters and len(name) <= 16 for name in names)


def test_the_original_losses_are_reproduced(
    start: type[Start], original_names: Path
) -> None:
    losses = start(step1, original_names).losses(1000)
    assert f"{losses[0]:.4f}" == "3.2978"
    assert f"{losses[-1]:.4f}" == "2.6873"
    assert f"{sum(losses[-100:]) / 100:.4f}" == "2.4389"


def test_on_the_original_first_name_the_gradients_differ_by_2e_9(
    start: type[Start], original_names: Path
) -> None:
    first = start(step1, original_names)
    assert first.names[0] == "yuheng"
    tokens = first.tokenizer.document("yuheng")
    error = step1.largest_gradient_error(tokens, first.weights)
    assert 1e-10 < error < 2.5e-9


@pytest.mark.parametrize("how", [["-m", "snippets.step1"], ["snippets/step1.py"]])
def test_the_program_runs(
    how: list[str], tmp_path: Path, run_program: RunProgram
) -> None:
    docs, losses = tmp_path / "names.txt", tmp_path / "losses.jsonl"
    docs.write_text("ada\nbob\neve\n")
    options = ["--docs", docs, "--steps", "3", "--losses", losses, "--check"]
    lines = run_program(*how, *options)
    assert lines[0].startswith("largest error of the gradient: ")
    assert float(lines[0].split()[-1]) < 1e-8
    assert lines[1].startswith("step    1 /    3 | loss ")
    assert len(lines) == 1 + 3 + 20
    assert lines[4].startswith("sample  1: ")
    records = [json.loads(line) for line in losses.read_text().splitlines()]
    assert [record["step"] for record in records] == [1, 2, 3]
    assert lines[3].endswith(f"{records[2]['loss']:.4f}")
