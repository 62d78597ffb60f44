"""Programs of steps and their recorded losses and weights agree."""

import random
from itertools import permutations

import pytest

from microgpt import Tokenizer, Value, load_names
from microgpt.attention import Cache
from snippets import step0, step1, step2, step3, step4, step5
from snippets.records import runs
from snippets.records.runs import FastRun
from tests.marks import nightly
from tests.models import InitializedProgram, load_record

PROGRAMS = {
    program.__name__.rpartition(".")[2]: program
    for program in (step0, step1, step2, step3, step4, step5)
}
WEIGHT_RECORDS = {"step1": "step1-weights", "step3": "step3-weights"}
GPT_STEPS = ("step3", "step4", "step5")


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_reproduces_the_first_recorded_losses(name: str) -> None:
    assert len(load_record(name)) == 1000
    losses = InitializedProgram(PROGRAMS[name]).losses(20)
    assert load_record(name)[:20] == pytest.approx(losses, rel=5e-6)
    if name in GPT_STEPS:  # other records were made by the engine over matrices
        quick = list(FastRun(name).train(20))
        assert losses == pytest.approx(quick, rel=0, abs=1e-12)


@pytest.mark.parametrize(
    "name", ["step0", *(pytest.param(name, marks=nightly) for name in [*PROGRAMS][1:])]
)
def test_program_reproduces_the_whole_recorded_run(name: str) -> None:
    program = InitializedProgram(PROGRAMS[name])
    assert load_record(name) == pytest.approx(program.losses(1000), rel=5e-6)
    if name in WEIGHT_RECORDS:
        for matrix, rows in load_record(WEIGHT_RECORDS[name]).items():
            for row, kept in zip(program.weights[matrix], rows, strict=True):
                learnt = [w.data if isinstance(w, Value) else w for w in row]
                assert kept == pytest.approx(learnt, rel=1e-4, abs=1e-12)


def test_matrix_left_out_of_a_quick_run_stays_zero() -> None:
    run = runs.FastRun("step3", without=["wpe"])
    assert len(list(run.train(3))) == 3
    assert not any(p.data for row in run.model.weights["wpe"] for p in row)


def test_without_positions_the_order_of_earlier_letters_does_not_matter() -> None:
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
