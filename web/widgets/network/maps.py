"""Every parameter of the network of Step 1, before and after training."""

from __future__ import annotations

import math
from typing import TypedDict

from widgets._inputs import whole
from widgets._names import token_names
from widgets._network import first_weights, trained_weights

BIN = 0.05  # the width of a bar of the histogram


class WeightMatrix(TypedDict):
    """A matrix before and after training, and the difference, in hundredths."""

    name: str
    shape: str
    rows_are: str
    rows: list[str]
    columns: list[str]
    before: list[list[int]]
    after: list[list[int]]
    change: list[list[int]]


class Histogram(TypedDict):
    """How many parameters lie in each interval: `edges` has one more than those."""

    width: float
    most: int
    edges: list[float]
    before: list[int]
    after: list[int]


class Spread(TypedDict):
    """How far the parameters lie from 0: the standard deviation, and the farthest."""

    deviation: float
    farthest: float


class WeightMatrices(TypedDict):
    """The whole model; `row` and `column` of `matrix` are picked at first."""

    matrices: list[WeightMatrix]
    matrix: int
    row: int
    column: int
    count: int
    histogram: Histogram
    before: Spread
    after: Spread


def maps(matrix: str, row: int, column: int) -> WeightMatrices:
    """Return every parameter as drawn, and as it is after the recorded run."""
    first, trained = first_weights(), trained_weights()
    if matrix not in first:
        raise ValueError(f"matrix: choose from {', '.join(first)}")
    whole(row, "row", 0, len(first[matrix]) - 1)
    whole(column, "column", 0, len(first[matrix][0]) - 1)
    before = [w for each in first.values() for line in each for w in line]
    after = [w for each in trained.values() for line in each for w in line]
    return WeightMatrices(
        matrices=[described(name) for name in first],
        matrix=[*first].index(matrix),
        row=row,
        column=column,
        count=len(before),
        histogram=histogram(before, after),
        before=spread(before),
        after=spread(after),
    )


def described(name: str) -> WeightMatrix:
    """Return a matrix with what its rows and columns are."""
    before, after = first_weights()[name], trained_weights()[name]
    height, width = len(before), len(before[0])
    numbers = [[str(i) for i in range(count)] for count in (height, width)]
    of_tokens = name in ("wte", "fc2")
    return WeightMatrix(
        name=name,
        shape=f"{height} × {width}",
        rows_are={
            "wte": "a row for each token",
            "fc1": f"{height} rows",
            "fc2": "a row for each token that may come next",
        }[name],
        rows=token_names() if of_tokens else numbers[0],
        columns=numbers[1],
        before=[[hundredths(w) for w in row] for row in before],
        after=[[hundredths(w) for w in row] for row in after],
        change=[
            # The difference of what is shown, so that readers who subtract agree.
            [hundredths(w) - hundredths(v) for v, w in zip(*rows, strict=True)]
            for rows in zip(before, after, strict=True)
        ],
    )


def hundredths(number: float) -> int:
    """Return a number as so many hundredths, which take less room on a page."""
    return round(100 * number)


def histogram(before: list[float], after: list[float]) -> Histogram:
    """Count the parameters in intervals that lie alike on both sides of 0."""
    half = math.ceil(max(abs(w) for w in before + after) / BIN)
    counts = [[0] * (2 * half) for _ in range(2)]
    for count, numbers in zip(counts, (before, after), strict=True):
        for number in numbers:
            count[math.floor(number / BIN) + half] += 1
    return Histogram(
        width=BIN,
        most=max(counts[0] + counts[1]),
        edges=[round(BIN * i, 3) for i in range(-half, half + 1)],
        before=counts[0],
        after=counts[1],
    )


def spread(numbers: list[float]) -> Spread:
    """Return how far numbers with a mean near 0 lie from it."""
    mean = sum(numbers) / len(numbers)
    variance = sum((x - mean) ** 2 for x in numbers) / len(numbers)
    return Spread(
        deviation=round(math.sqrt(variance), 3),
        farthest=round(max(abs(x) for x in numbers), 3),
    )
