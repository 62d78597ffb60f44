"""The models of Steps 3 to 6 before and after training, and what they do with a name."""

import json
import random
from functools import cache
from typing import Literal

from microgpt import (
    GPT,
    Config,
    Value,
    attend,
    linear,
    load_model,
    load_names,
    rmsnorm,
    softmax,
)
from microgpt.attention import Cache
from microgpt.nn import Matrix, Vector
from snippets import step3
from widgets._names import SEED, token_names
from widgets._network import DATA, State
from widgets._tracing import Call, calls

Program = Literal["step3", "step6"]
PARTS = (attend, softmax, linear, rmsnorm)


def read(program: Program, state: State, tokens: list[int]) -> list[Call]:
    """Let a model read tokens, one after another; return what was called for each.

    Each `Call` is a `forward`, with the logits as its result; in its `calls` are those
    of `rmsnorm`, `attention`, `mlp` and `linear`, in theirs those of `attend`, and in
    these those of `softmax`.
    """
    if program == "step3":
        weights, one_cache = step3_weights(state), Cache()
        return calls(
            lambda: [step3.forward(token, weights, one_cache) for token in tokens],
            (step3.forward, step3.attention, step3.mlp, *PARTS),
        )
    return read_with(gpt(state), tokens)


def read_with(model: GPT, tokens: list[int]) -> list[Call]:
    """Let a whole model read tokens, one after another; return what was called."""
    caches = model.new_cache()
    return calls(
        lambda: [model.forward(token, caches) for token in tokens],
        (GPT.forward, GPT.attention, GPT.mlp, *PARTS),
    )


def numbers(vector: Vector) -> list[float]:
    """Return the numbers in a vector of `Value`s."""
    return [value.data for value in vector]


@cache
def step3_weights(state: State) -> step3.Weights:
    """Return the weights that the run of Step 3 begins with, or those of its end."""
    if state == "untrained":
        return step3.initial_weights(len(token_names()), _shuffled())
    if state != "trained":
        raise ValueError("weights: choose untrained or trained")
    recorded = json.loads((DATA / "step3-weights.json").read_text("utf-8"))
    return {name: _parameters(matrix) for name, matrix in recorded.items()}


@cache
def gpt(state: State) -> GPT:
    """Return the whole model as the run of Step 6 begins with it, or as it ends."""
    if state == "untrained":
        return GPT(Config(vocab_size=len(token_names())), _shuffled())
    if state != "trained":
        raise ValueError("weights: choose untrained or trained")
    return load_model()[0]


def _shuffled() -> random.Random:
    """Return the generator as the programs have it once the names are shuffled."""
    rng = random.Random(SEED)
    rng.shuffle(load_names())
    return rng


def _parameters(matrix: list[list[float]]) -> Matrix:
    return [[Value(w) for w in row] for row in matrix]
