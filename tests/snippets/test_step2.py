"""Step 2: the same network on `Value`s."""

import gc
import json
from pathlib import Path

import pytest

from microgpt.optim import SGD
from snippets import step2
from tests.snippets.conftest import RunProgram, Start
from tests.thorough import nightly


def test_the_network_has_3184_parameters_and_each_is_a_leaf(start: type[Start]) -> None:
    parameters = step2.parameters(start(step2).weights)
    assert len(parameters) == len(set(parameters)) == 3184
    assert all(parameter._children == () for parameter in parameters)


def test_backward_agrees_with_nudging_a_parameter(start: type[Start]) -> None:
    first = start(step2)
    tokens = first.tokenizer.document("ada")
    step2.mean_loss(tokens, first.weights).backward()
    epsilon = 1e-5
    for parameter in step2.parameters(first.weights)[::97]:
        old = parameter.data
        parameter.data = old + epsilon
        up = step2.mean_loss(tokens, first.weights).data
        parameter.data = old - epsilon
        down = step2.mean_loss(tokens, first.weights).data
        parameter.data = old
        slope = (up - down) / (2 * epsilon)
        assert parameter.grad == pytest.approx(slope, abs=1e-9)


def test_a_step_moves_each_parameter_against_its_gradient(start: type[Start]) -> None:
    first = start(step2)
    tokens = first.tokenizer.document("ada")
    parameters = step2.parameters(first.weights)
    step2.mean_loss(tokens, first.weights).backward()
    expected = [p.data - 0.5 * p.grad for p in parameters]
    optimizer = SGD(parameters)
    optimizer.zero_grad()
    step2.train_step(tokens, first.weights, optimizer, 0.5)
    assert [p.data for p in parameters] == expected
    assert all(p.grad == 0 for p in parameters)


def test_a_graph_leaves_nothing_to_the_collector(start: type[Start]) -> None:
    first = start(step2)
    tokens = first.tokenizer.document("ada")
    gc.collect()
    gc.disable()
    try:
        step2.mean_loss(tokens, first.weights).backward()
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_the_collector_works_between_steps(start: type[Start]) -> None:
    first = start(step2)
    first.losses(2)
    assert gc.isenabled()


def test_samples_are_made_of_known_letters(start: type[Start]) -> None:
    first = start(step2)
    first.losses(5)
    letters = set(first.tokenizer.characters)
    names = [first.sample() for _ in range(5)]
    assert any(names)
    assert all(set(name) <= letters and len(name) <= 16 for name in names)


@nightly
def test_the_original_losses_are_reproduced(
    start: type[Start], original_names: Path
) -> None:
    losses = start(step2, original_names).losses(1000)
    assert f"{losses[0]:.4f}" == "3.2978"
    assert f"{losses[-1]:.4f}" == "2.6873"
    assert f"{sum(losses[-100:]) / 100:.4f}" == "2.4389"


@pytest.mark.parametrize("how", [["-m", "snippets.step2"], ["snippets/step2.py"]])
def test_the_program_runs(
    how: list[str], tmp_path: Path, run_program: RunProgram
) -> None:
    docs, losses = tmp_path / "names.txt", tmp_path / "losses.jsonl"
    docs.write_text("ada\nbob\neve\n")
    options = ["--docs", docs, "--steps", "3", "--losses", losses]
    lines = run_program(*how, *options)
    assert lines[0].startswith("step    1 /    3 | loss ")
    assert len(lines) == 3 + 20
    assert lines[3].startswith("sample  1: ")
    records = [json.loads(line) for line in losses.read_text().splitlines()]
    assert [record["step"] for record in records] == [1, 2, 3]
    assert lines[2].endswith(f"{records[2]['loss']:.4f}")
