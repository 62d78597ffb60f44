"""Each change of gpt.c has the gradient of its own loss, alone and among the others."""

import ctypes
import math
import random

import pytest

pytest.importorskip("microgpt.engines.c")

from bench.networks import Engine, library
from microgpt.engines.protocol import State
from microgpt.engines.tape import softmax
from tests.changed_gpt import CONFIG, DOCUMENTS
from tests.processes import python
from tests.thorough import one_of_each
from widgets.what_if.changes import LOSSES, STATEMENTS, changed, otherwise


class Otherwise(Engine):
    """The model as a change has it, with large weights."""

    def __init__(self, change: str) -> None:
        super().__init__(
            CONFIG,
            random.Random(1),
            change=STATEMENTS[change],
            precision="float64",
        )
        rng, zeros = random.Random(2), [0.0] * self.count
        self.restore(State([rng.gauss(0, 0.5) for _ in zeros], zeros, zeros))


def loss_of(engine: Otherwise, change: str) -> float:
    """The mean loss of documents that a change has the model lower."""
    if change not in LOSSES:
        return engine.gradient(DOCUMENTS)
    total = 0.0
    for document in DOCUMENTS:
        for end in range(1, len(document)):
            p = softmax(engine.predict(document[:end]))
            target = document[end]
            if change == "squared error":
                loss = sum((x - (i == target)) ** 2 for i, x in enumerate(p))
            elif change == "softmax twice":
                loss = -math.log(softmax(p)[target])
            else:
                logs = [math.log(x) for x in p]
                loss = -0.9 * logs[target] - 0.1 * sum(logs) / len(logs)
            total += loss / (len(document) - 1) / len(DOCUMENTS)
    return total


LARGE = """
import random
from bench.networks import Engine
from widgets.what_if.changes import LOSSES, STATEMENTS
from microgpt import Config

for change in LOSSES:
    engine = Engine(
        Config(30_000, 1, 4, 1, 4), random.Random(1), change=STATEMENTS[change]
    )
    assert engine.gradient([[29_999, 0, 1]]) > 0
"""


def test_a_vocabulary_may_be_large() -> None:
    done = python("-c", LARGE)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("change", one_of_each(STATEMENTS))
def test_the_gradient_of_a_change_is_that_of_its_loss(change: str) -> None:
    engine, nudge = Otherwise(change), 1e-5
    engine.gradient(DOCUMENTS)
    weights, slopes = engine.arrays[0], engine.arrays[1].copy()
    usual, rng = Otherwise(change), random.Random(3)
    usual.library = library(changed({}), "float64")
    if change not in (*LOSSES, "biases"):
        assert engine.gradient(DOCUMENTS) != usual.gradient(DOCUMENTS)
    assert not (slopes == 0).all()
    for place in rng.sample(range(engine.count), 60):
        before, losses = weights[place], []
        for sign in (1, -1):
            weights[place] = before + sign * nudge
            losses.append(loss_of(engine, change))
        weights[place] = before
        slope = (losses[0] - losses[1]) / (2 * nudge)
        assert slopes[place] == pytest.approx(slope, abs=1e-7)


@pytest.mark.parametrize("number", one_of_each(range(len(STATEMENTS) + 1)))
def test_in_the_file_that_has_all_of_them_each_can_be_chosen(number: int) -> None:
    change = ["", *STATEMENTS][number]
    alone = (
        Otherwise(change)
        if change
        else Engine(CONFIG, random.Random(1), change={}, precision="float64")
    )
    before = alone.part(0)
    together = library(otherwise(), "float64")
    ctypes.CDLL(together._name).gpt_change(number)
    assert together.gpt_parameters(ctypes.byref(alone.sizes)) == alone.count
    loss = alone.gradient(DOCUMENTS)
    slopes = alone.part(1)
    alone.library = together
    alone.restore(State(before, [0.0] * alone.count, [0.0] * alone.count))
    assert alone.gradient(DOCUMENTS) == pytest.approx(loss, rel=1e-12)
    assert alone.part(1) == pytest.approx(slopes, abs=1e-12)
