"""What flows through the network of Step 1, recorded while `forward` runs."""

from __future__ import annotations

from typing import TypedDict

from snippets import step1
from widgets._names import token_names
from widgets._network import State, network_weights
from widgets._numbers import significant
from widgets._tracing import copies, record

Vectors = list[list[float]]


class Network(TypedDict):
    """The weights, and for each token what `forward` and `softmax` make of it.

    Numbers have three significant digits. `passes` has a 1 for each hidden unit whose
    number ReLU lets through; `off` counts the others.
    """

    tokens: list[str]
    token: int
    wte: Vectors
    fc1: Vectors
    fc2: Vectors
    hidden: Vectors
    passes: list[str]
    off: list[int]
    logits: Vectors
    probabilities: Vectors


def network(letter: str, weights: State) -> Network:
    """Run `forward` for each token; `letter` is the one that is shown first."""
    names = token_names()
    if letter not in names:
        raise ValueError(f"letter: choose one of {', '.join(names)}")
    matrices = network_weights(weights)
    result = Network(
        tokens=names,
        token=names.index(letter),
        wte=rounded(matrices["wte"]),
        fc1=rounded(matrices["fc1"]),
        fc2=rounded(matrices["fc2"]),
        hidden=[],
        passes=[],
        off=[],
        logits=[],
        probabilities=[],
    )
    for token in range(len(names)):
        hidden, activated, logits = flow(token, matrices)
        passes = [a > 0 for a in activated]
        result["hidden"].append([significant(h) for h in hidden])
        result["passes"].append("".join("01"[p] for p in passes))
        result["off"].append(passes.count(False))
        result["logits"].append([significant(logit) for logit in logits])
        result["probabilities"].append([significant(p) for p in step1.softmax(logits)])
    return result


def flow(
    token: int, weights: step1.Weights
) -> tuple[step1.Vector, step1.Vector, step1.Vector]:
    """Return what the variables of `forward` held when it ran, and what it returned."""
    logits: list[step1.Vector] = []
    moments = record(
        lambda: logits.append(step1.forward(token, weights)),
        (step1.forward,),
        copies("hidden", "activated"),
    )
    held = moments[-1].held
    return held["hidden"], held["activated"], logits[0]


def rounded(matrix: step1.Matrix) -> Vectors:
    """Return a matrix for readers to see."""
    return [[significant(w) for w in row] for row in matrix]
