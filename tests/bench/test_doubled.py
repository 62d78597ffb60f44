"""Models that read doubled names: what hiding an entry of attention costs."""

import random

import pytest

from bench.doubled import (
    SEED_COUNT,
    make_doubled_names,
    measure_knockouts,
    measure_knockouts_in_trainer_run,
)
from microgpt import GPT, Config, Value
from microgpt.nn import softmax
from snippets.ready.knockouts import read_doubled
from tests.marks import nightly, thorough
from tests.models import load_record

WEIGHTS = load_record("doubled-two-30k-weights")


def test_reading_doubled_names_gives_the_probabilities_of_the_package() -> None:
    model = GPT(Config(9, n_layer=2), random.Random(0))
    for name in model.weights:
        model.weights[name] = [[Value(x) for x in row] for row in WEIGHTS[name]]
    cache = model.new_cache()
    for token in (8, 2, 0, 5, 4, 2, 0):
        logits = model.forward(token, cache)
    _, probabilities = read_doubled(WEIGHTS, "cafeca")
    assert probabilities == pytest.approx([p.data for p in softmax(logits)])


def test_hidden_entries_get_no_weight() -> None:
    looks, _ = read_doubled(WEIGHTS, "cafeca", (1, 6, 3))
    assert [weights[3] for weights in looks[1]] == [0] * 4
    assert all(weights[3] > 0 for weights in looks[0])
    assert [sum(weights) for weights in looks[1]] == pytest.approx([1] * 4)


def test_only_the_last_letter_is_told_another_value_in_layer_0() -> None:
    told = read_doubled(WEIGHTS, "cafeca", told=(2, "a", 2))
    assert told == read_doubled(WEIGHTS, "cafeca")
    looks, _ = read_doubled(WEIGHTS, "cafeca", told=(2, "a", 1))
    before, _ = told
    assert looks[0] == before[0]
    assert max(head[3] for head in looks[1]) < max(head[3] for head in before[1])


@thorough
def test_measuring_again_gives_the_recorded_shares_of_the_trainer_run() -> None:
    assert measure_knockouts_in_trainer_run() == load_record("knockouts")["trainer"]


def test_runs_find_different_circuits_as_the_chapter_says() -> None:
    runs = load_record("knockouts")["seeds"]
    assert len(runs) == SEED_COUNT
    losses = {entry: [run["nothing"] - run[entry] for run in runs] for entry in runs[0]}
    assert sum(loss > 0.5 for loss in losses["layer 0, last to twin"]) == 2
    assert sum(loss < 0.02 for loss in losses["layer 0, last to twin"]) == 8
    assert min(losses["layer 1, last to next"]) > 0.1
    without_twin = [run for run in runs if run["layer 0, last to twin"] > 0.5]
    checklists = [x["first missing"] > x["what followed"] for x in without_twin]
    assert (len(checklists), sum(checklists)) == (8, 7)


def test_gradient_descent_moves_only_the_loudest_matrices_further() -> None:
    moves = load_record("knockouts")["moves"]
    for name, distance in moves["SGD"].items():
        loud = name in {"wte", "lm_head"}
        assert (distance > moves["Adam"][name]) == loud


def test_doubled_names_are_those_that_the_page_counts() -> None:
    assert len(make_doubled_names()) == 7092


@nightly
def test_training_again_gives_the_recorded_shares_of_a_seed() -> None:
    expected = load_record("knockouts")["seeds"][3]
    assert measure_knockouts(4) == pytest.approx(expected, abs=0.1)
