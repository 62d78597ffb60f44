"""What comes next, according to the count table and to the network."""

from __future__ import annotations

from typing import TypedDict

from snippets import step0, step1
from snippets.step1 import Weights
from widgets._counting import counts_after
from widgets._names import document, token_names
from widgets._network import first_weights, trained_weights
from widgets._numbers import significant

LEARNT = 1000  # names


class TrainedNetwork(TypedDict):
    """The network at one time: its probabilities after each token.

    `apart` is for each row how much probability would have to move, of 1 in all, to
    make the table's row of it. `loss` is that of the name.
    """

    title: str
    rows: list[list[float]]
    apart: list[float]
    loss: float


class TwoModels(TypedDict):
    """Both models after the same names; `pairs` are those counted in each row."""

    tokens: list[str]
    learnt: int
    pairs: list[int]
    table: list[list[float]]
    table_loss: float
    networks: list[TrainedNetwork]


def two_models(name: str) -> TwoModels:
    """Compare the models row by row, and by their loss of a name."""
    tokens = document(name)
    counts = counts_after(LEARNT)
    table = [step0.probabilities(token, counts) for token in range(len(counts))]
    return TwoModels(
        tokens=token_names(),
        learnt=LEARNT,
        pairs=[sum(row) for row in counts],
        table=[[round(p, 5) for p in row] for row in table],
        table_loss=significant(step0.mean_loss(tokens, counts), 5),
        networks=[
            network("untrained", first_weights(), table, tokens),
            network("trained", trained_weights(), table, tokens),
        ],
    )


def network(
    title: str, weights: Weights, table: list[list[float]], tokens: list[int]
) -> TrainedNetwork:
    """Ask the network the same questions as the table."""
    rows = [step1.softmax(step1.forward(token, weights)) for token in range(len(table))]
    return TrainedNetwork(
        title=title,
        rows=[[round(p, 5) for p in row] for row in rows],
        apart=[distance(*both) for both in zip(rows, table, strict=True)],
        loss=significant(step1.mean_loss(tokens, weights), 5),
    )


def distance(row: list[float], other: list[float]) -> float:
    """Return how much of one row has to move to make the other of it."""
    moved = sum(max(0.0, p - q) for p, q in zip(row, other, strict=True))
    return significant(moved, 5)
