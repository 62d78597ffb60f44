"""On names that neither has seen, counting beats the network of Step 1."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from microgpt import load_model
from snippets import step0, step1
from tests.snippets import quick
from tests.snippets.conftest import Start
from tests.thorough import nightly, thorough

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/gradient-descent/training.md"
RECORDED = ROOT / "docs/data/held-out.json"
WEIGHTS = ROOT / "docs/data/step1-weights.json"


def recorded() -> dict[str, float]:
    losses: dict[str, float] = json.loads(RECORDED.read_text())
    return losses


def held_out_losses(
    start: type[Start], names: Path | None = None, count: int | None = None
) -> list[float]:
    """Train both on 1,000 names; return the loss per token of both on others."""
    losses = []
    for program in (step0, step1):
        model = start(program, names)
        model.losses(1000)
        total = tokens_predicted = 0
        for name in model.names[1000:][:count]:
            tokens = model.tokenizer.document(name)
            predicted = len(tokens) - 1
            total += program.mean_loss(tokens, model.weights) * predicted
            tokens_predicted += predicted
        losses.append(total / tokens_predicted)
    return losses


def stated() -> dict[str, list[float]]:
    """What the page's table says of each model: on its own names, on others."""
    table = re.compile(r"^\| (counting|network) \|(.+)$", re.MULTILINE)
    rows = table.findall(PAGE.read_text(encoding="utf-8"))
    return {
        model: [float(n) for n in re.findall(r">([\d.]+)</data>", row)]
        for model, row in rows
    }


def test_the_recorded_loss_of_the_table_is_its_loss(start: type[Start]) -> None:
    model = start(step0)
    model.losses(1000)
    documents = [model.tokenizer.document(name) for name in model.names[1000:]]
    loss = quick.per_token(lambda t: step0.mean_loss(t, model.weights), documents)
    assert recorded()["step0"] == pytest.approx(loss, rel=5e-6)


@thorough
def test_the_recorded_weights_of_step_1_have_the_recorded_loss(
    start: type[Start],
) -> None:
    model, weights = start(step1), json.loads(WEIGHTS.read_text())
    documents = [model.tokenizer.document(name) for name in model.names[1000:]]
    loss = quick.per_token(lambda t: step1.mean_loss(t, weights), documents)
    # The weights are written with five digits.
    assert recorded()["step1"] == pytest.approx(loss, abs=2e-5)


@thorough
def test_the_model_of_the_package_has_the_loss_recorded_of_step_5() -> None:
    run = quick.Quick("step5", num_steps=0)
    run.model, _ = load_model()
    assert recorded()["step5"] == pytest.approx(run.held_out(), rel=5e-6)


@nightly
def test_the_recorded_losses_are_those_of_the_models_trained_anew() -> None:
    ladder = quick.ladder()
    held_out = recorded()
    assert list(held_out) == ["step0", "step1", "step3", "step4", "step5"]
    for step, loss in held_out.items():
        assert loss == pytest.approx(ladder[step]["held_out"], rel=5e-6)


def test_the_page_states_what_is_recorded() -> None:
    held_out, page = recorded(), stated()
    assert page["counting"][1] == pytest.approx(held_out["step0"], abs=5.1e-4)
    assert page["network"][1] == pytest.approx(held_out["step1"], abs=5.1e-4)


def test_seeing_more_letters_lowers_the_loss_on_names_never_seen() -> None:
    held_out = recorded()
    assert held_out["step0"] < held_out["step1"] - 0.02
    assert held_out["step3"] < held_out["step0"] - 0.08
    assert held_out["step5"] < held_out["step3"] - 0.01


@nightly
def test_three_passes_over_the_names_bring_the_network_past_the_smoothed_table(
    start: type[Start],
) -> None:
    counting = recorded()["step0"]
    model = start(step1)
    held_out = [model.tokenizer.document(name) for name in model.names[1000:]]
    run = step1.train(model.names[:1000], model.tokenizer, model.weights, 3000)
    assert len(list(run)) == 3000
    total = sum(step1.mean_loss(t, model.weights) * (len(t) - 1) for t in held_out)
    network = total / sum(len(t) - 1 for t in held_out)
    assert 0 < counting - network < 0.01


def test_counting_wins_on_the_names_that_both_learnt_from_as_well(
    start: type[Start],
) -> None:
    model = start(step0)
    model.losses(1000)
    weights = json.loads(WEIGHTS.read_text())
    page = stated()
    for name, program, learnt in (
        ("counting", step0, model.weights),
        ("network", step1, weights),
    ):
        total = count = 0
        for one in model.names[:1000]:
            tokens = model.tokenizer.document(one)
            total += program.mean_loss(tokens, learnt) * (len(tokens) - 1)
            count += len(tokens) - 1
        assert total / count == pytest.approx(page[name][0], abs=5.1e-4)


def test_no_table_has_a_lower_loss_than_the_shares_of_the_pairs(
    start: type[Start],
) -> None:
    """What the page derives from the gradient: counting finds the minimum."""
    model = start(step0)
    counts = step0.zero_counts(model.tokenizer.vocab_size)
    names = [model.tokenizer.document(name) for name in model.names[:1000]]
    for tokens in names:
        step0.count_pairs(tokens, counts)
    pairs = [(a, b) for tokens in names for a, b in pairwise(tokens)]
    first = [b for a, b in pairs if a == model.tokenizer.bos]
    p = step0.probabilities(model.tokenizer.bos, counts, smoothing=0.0)
    for token in range(model.tokenizer.vocab_size):
        slopes = [p[token] - (target == token) for target in first]
        assert sum(slopes) == pytest.approx(0, abs=1e-9)


@thorough
def test_on_the_originals_names_the_losses_are_those_measured_before(
    start: type[Start], original_names: Path
) -> None:
    """2.507 and 2.538, of the 5,000 names after the first 1,000."""
    counting, network = held_out_losses(start, original_names, 5000)
    assert f"{counting:.3f} {network:.3f}" == "2.507 2.538"
