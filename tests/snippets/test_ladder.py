"""Programs of steps and their recorded losses and weights agree."""

import json
import random
from itertools import islice, permutations
from types import ModuleType
from typing import Any

import pytest

from microgpt import Tokenizer, Value, load_names
from microgpt.attention import Cache
from snippets import step0, step1, step2, step3, step4, step5
from snippets.records.runs import FastRun
from tests.marks import mark_all_but_first, nightly
from tests.models import load_record, set_up_program

PROGRAM_BY_STEP: dict[str, ModuleType] = {
    program.__name__.rpartition(".")[2]: program
    for program in (step0, step1, step2, step3, step4, step5)
}
WEIGHTS_RECORD_BY_STEP = {"step1": "step1-weights", "step3": "step3-weights"}


@pytest.mark.parametrize("step", PROGRAM_BY_STEP)
def test_program_reproduces_the_first_recorded_losses(step: str) -> None:
    assert len(load_record(step)) == 1000
    losses = list(islice(set_up_program(PROGRAM_BY_STEP[step])[1], 20))
    assert load_record(step)[:20] == pytest.approx(losses, rel=5e-6)
    if step in ("step3", "step4", "step5"):  # whose models FastRun trains, too
        assert losses == pytest.approx(list(FastRun(step).train(20)), rel=0, abs=1e-12)


@pytest.mark.parametrize("step", mark_all_but_first(PROGRAM_BY_STEP, mark=nightly))
def test_program_reproduces_the_whole_recorded_run(step: str) -> None:
    weights, losses = set_up_program(PROGRAM_BY_STEP[step])
    assert load_record(step) == pytest.approx(list(losses), rel=5e-6)
    if step in WEIGHTS_RECORD_BY_STEP:
        for name, rows in load_record(WEIGHTS_RECORD_BY_STEP[step]).items():
            for row, recorded in zip(weights[name], rows, strict=True):
                numbers = [w.data if isinstance(w, Value) else w for w in row]
                assert recorded == pytest.approx(numbers, rel=1e-4, abs=1e-12)


def test_matrix_left_out_of_a_fast_run_stays_zero() -> None:
    run = FastRun("step3", without=["wpe"])
    assert len(list(run.train(3))) == 3
    assert not any(p.data for row in run.model.weights["wpe"] for p in row)


def test_order_does_not_matter_without_position_embeddings() -> None:
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
    liana, naila = (logits(word, weights) for word in ("liana", "naila"))
    assert max(abs(a - b) for a, b in zip(liana, naila, strict=True)) > 1e-3


def test_gradient_check_detects_a_wrong_gradient(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng, sizes = random.Random(1), {"wte": (3, 4), "fc1": (5, 4), "fc2": (3, 5)}
    weights = {n: step1.gaussian_matrix(*s, 0.1, rng) for n, s in sizes.items()}
    before, tokens = json.dumps(weights), [2, 0, 1, 0, 2]
    assert step1.largest_gradient_error(tokens, weights) < 1e-8
    assert json.dumps(weights) == before
    correct = step1.linear_backward

    def overwrite_gradient(d_output: Any, x: Any, weight: Any, d_weight: Any) -> Any:
        d_weight[:] = [[0.0] * len(x) for _ in d_weight]
        return correct(d_output, x, weight, d_weight)

    monkeypatch.setattr(step1, "linear_backward", overwrite_gradient)
    assert step1.largest_gradient_error(tokens, weights) > 1e-3
