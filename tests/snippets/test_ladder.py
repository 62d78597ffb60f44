"""The ladder holds together: programs that should agree do, and so do their records."""

import json
from pathlib import Path

import pytest

from microgpt import Cache, Config, Run, load_names, sample
from snippets import step0, step1, step2, step3, step4, step5
from tests.snippets.conftest import Start
from tests.snippets.quick import Quick, one_head, whole
from tests.thorough import nightly, thorough

DATA = Path(__file__).parents[2] / "docs/data"
PROGRAMS = {
    "step0": step0,
    "step1": step1,
    "step2": step2,
    "step3": step3,
    "step4": step4,
    "step5": step5,
}
FLOATS = ("step0", "step1")
GPTS = ("step3", "step4", "step5")


def recorded(name: str) -> list[float]:
    losses: list[float] = json.loads((DATA / f"{name}.json").read_text())
    return losses


def test_both_steps_begin_with_the_same_weights(start: type[Start]) -> None:
    hand, auto = start(step1).weights, start(step2).weights
    assert hand == {
        name: [[p.data for p in row] for row in matrix] for name, matrix in auto.items()
    }


def test_both_steps_find_the_same_gradient(start: type[Start]) -> None:
    hand, auto = start(step1), start(step2)
    tokens = hand.tokenizer.document("ada")
    gradient = step1.analytic_gradient(tokens, hand.weights)
    step2.mean_loss(tokens, auto.weights).backward()
    by_hand = [d for matrix in gradient.values() for row in matrix for d in row]
    by_graph = [p.grad for p in step2.parameters(auto.weights)]
    assert by_graph == pytest.approx(by_hand, rel=1e-12, abs=1e-15)


def test_both_steps_have_the_same_losses(start: type[Start]) -> None:
    hand, auto = start(step1).losses(30), start(step2).losses(30)
    assert auto == pytest.approx(hand, rel=0, abs=1e-12)


def test_both_steps_have_the_same_losses_on_the_original_names(
    start: type[Start], original_names: Path
) -> None:
    hand = start(step1, original_names).losses(10)
    auto = start(step2, original_names).losses(10)
    assert auto == pytest.approx(hand, rel=0, abs=1e-12)


@nightly
def test_both_steps_have_the_same_losses_and_samples_to_the_end(
    start: type[Start],
) -> None:
    hand, auto = start(step1), start(step2)
    assert auto.losses(1000) == pytest.approx(hand.losses(1000), rel=0, abs=1e-12)
    assert [auto.sample() for _ in range(20)] == [hand.sample() for _ in range(20)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_recorded_run_begins_as_the_program_does(
    start: type[Start], name: str
) -> None:
    assert len(recorded(name)) == 1000
    losses = start(PROGRAMS[name]).losses(20)
    assert recorded(name)[:20] == pytest.approx(losses, rel=5e-6)


@pytest.mark.parametrize(
    "name",
    [n if n in FLOATS else pytest.param(n, marks=nightly) for n in PROGRAMS],
)
def test_the_recorded_run_is_what_the_program_gives(
    start: type[Start], name: str
) -> None:
    losses = start(PROGRAMS[name]).losses(1000)
    assert recorded(name) == pytest.approx(losses, rel=5e-6)


# By the engine over matrices. What Step 5 has learnt, tests/package/engines compares.
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("step3", marks=thorough),
        pytest.param("step4", marks=nightly),
        pytest.param("step5", marks=thorough),
    ],
)
def test_the_recorded_run_of_a_gpt_is_what_the_model_gives(name: str) -> None:
    assert recorded(name) == pytest.approx(whole(name).losses, rel=5e-6)


@thorough
def test_what_step_3_has_learnt_is_recorded() -> None:
    model = whole("step3").model
    weights = json.loads((DATA / "step3-weights.json").read_text())
    kept = [weights[name.removeprefix("layer0.")] for name in model.weights]
    found = [p.data for p in model.parameters()]
    flat = [x for matrix in kept for row in matrix for x in row]
    assert flat == pytest.approx(found, rel=1e-4, abs=1e-12)


@pytest.mark.parametrize("name", GPTS)
def test_the_program_of_a_gpt_and_the_engine_over_matrices_agree(
    start: type[Start], name: str
) -> None:
    assert start(PROGRAMS[name]).losses(20) == pytest.approx(
        Quick(name, num_steps=20).losses, rel=0, abs=1e-12
    )


def test_the_model_of_step_3_is_the_packages_with_one_head(start: type[Start]) -> None:
    begun = start(step3)
    model = one_head(begun.weights)
    tokens = begun.tokenizer.document("emma")
    cache, caches = Cache(), model.new_cache()
    for token in tokens[:-1]:
        alone = step3.forward(token, begun.weights, cache)
        assert [x.data for x in alone] == [x.data for x in model.forward(token, caches)]


def test_step_6_is_step_5(start: type[Start]) -> None:
    begun = start(step5)
    run = Run(load_names(), Config(begun.tokenizer.vocab_size), 1000)
    assert list(run.train(20)) == pytest.approx(begun.losses(20), rel=0, abs=1e-12)
    names = [sample(run.model, run.tokenizer, run.rng) for _ in range(5)]
    assert names == [begun.sample() for _ in range(5)]


@thorough
def test_the_recorded_weights_are_those_after_the_last_step_of_step_1(
    start: type[Start],
) -> None:
    trained = start(step1)
    trained.losses(1000)
    weights = json.loads((DATA / "step1-weights.json").read_text())
    assert list(weights) == list(trained.weights)
    for name, matrix in trained.weights.items():
        for row, kept in zip(matrix, weights[name], strict=True):
            assert kept == pytest.approx(row, rel=1e-4, abs=1e-12)
