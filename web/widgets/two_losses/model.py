"""The losses of Steps 1 and 2, to the last bit."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Literal, TypedDict

from microgpt import Tokenizer, Value, load_names
from snippets import step1, step2
from widgets._inputs import whole

FULL_RUN = 1000  # steps
REPORT_EVERY = 10  # steps


class TwoLosses(TypedDict):
    """What the programs gave at each step.

    `apart` counts the floats from the loss of Step 1 to that of Step 2, the first of
    which are `ulp` apart; `weights` is the largest distance between a weight
    of one program and the same weight of the other, after the step. `equal` counts
    the steps whose losses are one float, `furthest` is the largest distance.
    """

    hand: list[float]
    graph: list[float]
    apart: list[float]
    ulp: list[float]
    weights: list[float]
    equal: int
    furthest: float
    end: str


class Training:
    """One of the programs, from the start that its `main` makes."""

    def __init__(self, program: ModuleType, seed: int) -> None:
        rng = random.Random(seed)
        names = load_names()
        rng.shuffle(names)
        tokenizer = Tokenizer(names)
        self.weights: dict[str, Any] = program.initial_weights(
            tokenizer.vocab_size, rng
        )
        self.losses: Iterator[float] = program.train(
            names, tokenizer, self.weights, FULL_RUN
        )


def two_losses(
    steps: int, seed: int, relu: Literal["right", "wrong"]
) -> Iterator[TwoLosses]:
    """Run both programs side by side; yield what there is after every few steps.

    `relu` is "right", or "wrong" for a Step 2 whose ReLU has slope 1 everywhere. The
    steps are the first of a run of 1,000.
    """
    steps = whole(steps, "steps", 2, FULL_RUN)
    seed = whole(seed, "seed", 0, 2**31)
    if relu not in ("right", "wrong"):
        raise ValueError("the ReLU is either right or wrong")
    by_hand, by_graph = Training(step1, seed), Training(step2, seed)
    result = TwoLosses(
        hand=[], graph=[], apart=[], ulp=[], weights=[], equal=0, furthest=0.0, end=""
    )
    while len(result["hand"]) < steps and not result["end"]:
        try:
            hand = next(by_hand.losses)
            with wrong_relu() if relu == "wrong" else nothing_changed():
                graph = next(by_graph.losses)
        except (ValueError, ArithmeticError):
            result["end"] = "a loss is too large for a float"
        else:
            add(result, hand, graph)
            result["weights"].append(furthest_weights(by_hand, by_graph))
        taken = len(result["hand"])
        if taken % REPORT_EVERY == 0 or taken == steps or result["end"]:
            yield result


def add(result: TwoLosses, hand: float, graph: float) -> None:
    """Note the losses of a step, and how many floats lie from one to the other."""
    apart = float(place(graph) - place(hand))
    result["hand"].append(hand)
    result["graph"].append(graph)
    result["apart"].append(apart)
    result["ulp"].append(math.ulp(min(hand, graph)))
    result["equal"] += hand == graph
    result["furthest"] = max(result["furthest"], abs(apart))


def place(x: float) -> int:
    """Number the floats from 0 up; their bits, read as a whole number, do so."""
    (number,) = struct.unpack("<q", struct.pack("<d", x + 0.0))
    return int(number)


def furthest_weights(by_hand: Training, by_graph: Training) -> float:
    """Return the largest difference between a weight and its twin, to two digits."""
    furthest = max(
        abs(twin.data - weight)
        for matrix, twins in zip(
            by_hand.weights.values(), by_graph.weights.values(), strict=True
        )
        for row, twin_row in zip(matrix, twins, strict=True)
        for weight, twin in zip(row, twin_row, strict=True)
    )
    return float(f"{furthest:.2g}")


@contextmanager
def wrong_relu() -> Iterator[None]:
    """Let ReLU claim a slope of 1, below zero too, for as long as this lasts."""

    def relu(self: Value) -> Value:
        return Value(max(0.0, self.data), (self,), (1.0,))

    right = Value.relu
    Value.relu = relu  # type: ignore[method-assign]
    try:
        yield
    finally:
        Value.relu = right  # type: ignore[method-assign]


@contextmanager
def nothing_changed() -> Iterator[None]:
    """Leave ReLU as the package has it."""
    yield
