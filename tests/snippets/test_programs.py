"""The programs of Steps 0 to 2: counting, the gradient by hand, the same on `Value`s."""

import gc
import json
import math
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from microgpt import SGD, Tokenizer
from snippets import step0, step1, step2
from tests.models import Start, slope
from tests.processes import python
from tests.thorough import nightly, thorough


@pytest.mark.parametrize("program", [step0, step1, step2], ids=lambda p: p.__name__)
@pytest.mark.parametrize("as_module", [True, False])
def test_the_program_runs(program: ModuleType, as_module: bool, tmp_path: Path) -> None:
    docs, losses = tmp_path / "names.txt", tmp_path / "losses.jsonl"
    docs.write_text("ada\nbob\neve\n")
    name = program.__name__
    how = ["-m", name] if as_module else [name.replace(".", "/") + ".py"]
    options: list[str | Path] = ["--docs", docs, "--steps", "3", "--losses", losses]
    checks = ["--check"] if program is step1 and as_module else []
    lines = python(*how, *options, *checks).stdout.splitlines()
    if checks:
        checked = lines.pop(0)
        assert checked.startswith("largest error of the gradient: ")
        assert float(checked.split()[-1]) < 1e-8
    assert len(lines) == 3 + 20
    assert lines[0].startswith("step    1 /    3 | loss ")
    assert lines[3].startswith("sample  1: ")
    records = [json.loads(line) for line in losses.read_text().splitlines()]
    assert [record["step"] for record in records] == [1, 2, 3]
    assert lines[2].endswith(f"{records[2]['loss']:.4f}")


@pytest.mark.parametrize("program", [step0, step1, step2])
def test_samples_are_made_of_known_letters(program: Any) -> None:
    start = Start(program)
    start.losses(5)
    names = [start.sample() for _ in range(10)]
    assert any(names)
    letters = set(start.tokenizer.characters)
    assert all(set(name) <= letters and len(name) <= 16 for name in names)


# Step 0


def test_the_table_holds_how_often_each_pair_occurs(counted: Start) -> None:
    documents = map(counted.tokenizer.document, counted.names[:1000])
    pairs = Counter(pair for tokens in documents for pair in pairwise(tokens))
    assert counted.weights == [[pairs[a, b] for b in range(27)] for a in range(27)]


def test_an_empty_table_gives_every_token_the_same_chance() -> None:
    first = Start(step0)
    assert step0.probabilities(3, first.weights) == [1 / 27] * 27
    assert first.losses(1) == pytest.approx([math.log(27)])


def test_smoothing_adds_to_every_count_before_the_row_is_shared_out() -> None:
    counts = [[3, 1, 0], [0, 0, 0], [0, 0, 0]]
    assert step0.probabilities(0, counts) == [4 / 7, 2 / 7, 1 / 7]
    assert step0.probabilities(0, counts, 0.0) == [3 / 4, 1 / 4, 0]
    assert step0.probabilities(0, counts, 2.0) == [5 / 10, 3 / 10, 2 / 10]


def test_a_name_is_scored_before_it_is_learnt() -> None:
    tokenizer = Tokenizer(["ab"])
    counts = step0.zero_counts(tokenizer.vocab_size)
    losses = list(step0.train(["ab"], tokenizer, counts, 2))
    # After one visit each pair has counts 2, 1, 1 with smoothing: p = 2/4.
    assert losses == pytest.approx([math.log(3), math.log(2)])


def test_samples_follow_pairs_that_the_table_knows(counted: Start) -> None:
    rng = random.Random(1)
    unseen = [
        counted.weights[a][b] == 0
        for _ in range(50)
        for a, b in pairwise(
            counted.tokenizer.document(
                step0.sample(counted.weights, counted.tokenizer, rng)
            )
        )
    ]
    assert sum(unseen) < 0.1 * len(unseen)  # smoothing lets them through, but seldom


# Step 1


def test_an_untrained_network_is_as_unsure_as_a_fair_choice_among_27() -> None:
    first = Start(step1)
    sizes = [sum(map(len, matrix)) for matrix in first.weights.values()]
    assert (sizes, sum(sizes)) == ([432, 1024, 1728], 3184)
    loss = step1.mean_loss(first.tokenizer.document("emma"), first.weights)
    assert loss == pytest.approx(math.log(27), abs=0.02)


def test_probabilities_add_up_to_1_even_for_huge_logits() -> None:
    assert sum(step1.softmax([1000.0, 999.0, -1000.0])) == pytest.approx(1)
    assert step1.softmax([0.0, 0.0]) == [0.5, 0.5]


def test_nudging_agrees_with_the_gradient_by_hand_finds_a_wrong_one_and_puts_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng, sizes = random.Random(1), {"wte": (3, 4), "fc1": (5, 4), "fc2": (3, 5)}
    weights = {n: step1.gaussian_matrix(*s, 0.1, rng) for n, s in sizes.items()}
    before, tokens = json.dumps(weights), [2, 0, 1, 0, 2]
    assert step1.largest_gradient_error(tokens, weights) < 1e-8
    assert json.dumps(weights) == before
    correct = step1.linear_backward

    def forgets_to_add(
        d_output: Any, x: Any, weight: Any, d_weight: list[list[float]]
    ) -> Any:
        held = [row[:] for row in d_weight]
        d_x = correct(d_output, x, weight, d_weight)
        for row, old in zip(d_weight, held, strict=True):
            row[:] = [new - o for new, o in zip(row, old, strict=True)]
        return d_x

    monkeypatch.setattr(step1, "linear_backward", forgets_to_add)
    assert step1.largest_gradient_error(tokens, weights) > 1e-3


def test_training_repeats_the_names_when_they_run_out() -> None:
    tokenizer = Tokenizer(["ab", "ba"])
    weights = step1.initial_weights(tokenizer.vocab_size, random.Random(1))
    losses = list(step1.train(["ab", "ba"], tokenizer, weights, 60))
    assert len(losses) == 60
    assert losses[-1] < losses[0]


@nightly
def test_on_the_original_first_name_the_gradients_differ_by_2e_9(
    original_names: Path,
) -> None:
    first = Start(step1, original_names)
    assert first.names[0] == "yuheng"
    tokens = first.tokenizer.document("yuheng")
    error = step1.largest_gradient_error(tokens, first.weights)
    assert 1e-10 < error < 2.5e-9


# Step 2


def test_backward_agrees_with_nudging_a_parameter() -> None:
    first = Start(step2)
    tokens = first.tokenizer.document("ada")
    parameters = step2.parameters(first.weights)
    assert len(set(parameters)) == 3184
    step2.mean_loss(tokens, first.weights).backward()
    for parameter in parameters[::97]:
        old = parameter.data

        def loss(data: float, parameter: Any = parameter) -> float:
            parameter.data = data
            return step2.mean_loss(tokens, first.weights).data

        assert parameter.grad == pytest.approx(slope(loss, old), abs=1e-9)
        parameter.data = old


def test_a_step_moves_each_parameter_against_its_gradient() -> None:
    first = Start(step2)
    tokens = first.tokenizer.document("ada")
    parameters = step2.parameters(first.weights)
    step2.mean_loss(tokens, first.weights).backward()
    expected = [p.data - 0.5 * p.grad for p in parameters]
    optimizer = SGD(parameters)
    optimizer.zero_grad()
    step2.train_step(tokens, first.weights, optimizer, 0.5)
    assert [p.data for p in parameters] == expected
    assert all(p.grad == 0 for p in parameters)


@thorough
def test_a_graph_leaves_nothing_to_the_collector_which_works_between_steps() -> None:
    first = Start(step2)
    first.losses(2)
    assert gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        step2.mean_loss(first.tokenizer.document("ada"), first.weights).backward()
        assert gc.collect() == 0
    finally:
        gc.enable()
