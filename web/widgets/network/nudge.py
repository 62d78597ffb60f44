"""The slope of the loss along one parameter, measured with smaller and smaller nudges."""

from __future__ import annotations

import math
from typing import TypedDict

from snippets import step1
from widgets._inputs import whole
from widgets._names import document, token_names
from widgets._network import State, held, network_weights
from widgets._numbers import significant

EPSILONS = [float(f"1e{-n}") for n in range(16)]  # 1, 0.1, … 1e-15
FAR = 0.02  # of the true slope
FEW = 1000  # floats
MOST = 16.0  # digits of a float
PARTS = 6  # of a nudge, between the points of its curve
WINDOW = range(-PARTS // 2, PARTS * 3 // 2 + 1)


class Nudge(TypedDict):
    """A nudge and what it measures, and the curve in a window twice as wide.

    `digits` is how many digits of the measured slope are right, from 0 up.
    `curve` holds how far the loss is from the loss without a nudge: from half a nudge
    on the left to one and a half on the right, at equal distances.
    """

    epsilon: float
    loss: float
    rise: float
    slope: float
    digits: float
    says: str
    curve: list[float]


class Nudges(TypedDict):
    """One parameter, the true slope of the loss there, and all nudges.

    `spacing` is the distance from the loss to the next larger float.
    """

    name: str
    weights: State
    matrix: str
    row: int
    column: int
    tokens: list[str]
    shapes: dict[str, tuple[int, int]]
    called: str
    belongs: str
    value: float
    loss: float
    slope: float
    spacing: float
    nudges: list[Nudge]


def nudge(name: str, weights: State, matrix: str, row: int, column: int) -> Nudges:
    """Nudge a parameter by 1, by less and by less, and measure the slope each time."""
    tokens = document(name)
    all_weights = network_weights(weights)
    if matrix not in all_weights:
        raise ValueError(f"matrix: choose one of {', '.join(all_weights)}")
    rows = all_weights[matrix]
    row = whole(row, f"row of {matrix}", 0, len(rows) - 1)
    column = whole(column, f"column of {matrix}", 0, len(rows[0]) - 1)
    line = Line(tokens, all_weights, rows[row], column)
    slope = step1.analytic_gradient(tokens, all_weights)[matrix][row][column]
    return Nudges(
        name=name.strip(),
        weights=weights,
        matrix=matrix,
        row=row,
        column=column,
        tokens=token_names(),
        shapes={name: (len(rows), len(rows[0])) for name, rows in all_weights.items()},
        called=f"{matrix}[{row}][{column}]",
        belongs=belongs(matrix, row, column),
        value=significant(line.start, 6),
        loss=significant(line.loss, 6),
        slope=significant(slope, 6),
        spacing=significant(math.ulp(line.loss)),
        nudges=[measured(line, epsilon, slope) for epsilon in EPSILONS],
    )


class Line:
    """The loss of a name as a function of one parameter, all others held still."""

    def __init__(
        self,
        tokens: list[int],
        weights: step1.Weights,
        row: step1.Vector,
        column: int,
    ) -> None:
        self.tokens, self.weights, self.row, self.column = tokens, weights, row, column
        self.start = row[column]
        self.loss = self.at(self.start)

    def at(self, value: float) -> float:
        """Return the loss with the parameter at a value."""
        with held(self.row, self.column, value):
            return step1.mean_loss(self.tokens, self.weights)


def measured(line: Line, epsilon: float, true: float) -> Nudge:
    """Nudge by epsilon, divide by epsilon, and look at the curve around."""
    nudged = line.at(line.start + epsilon)
    rise = nudged - line.loss
    slope = rise / epsilon
    floats = round(rise / math.ulp(line.loss))
    return Nudge(
        epsilon=epsilon,
        loss=significant(nudged, 6),
        rise=significant(rise, 4),
        slope=significant(slope, 6),
        digits=significant(digits(slope, true), 2),
        says=says(slope, true, floats),
        curve=[
            significant(line.at(line.start + epsilon * i / PARTS) - line.loss, 4)
            for i in WINDOW
        ],
    )


def digits(slope: float, true: float) -> float:
    """Return how many digits of a slope agree with the true one."""
    gap = abs(slope - true)
    if gap == 0 or true == 0:
        return MOST if gap == 0 else 0.0
    return min(MOST, max(0.0, -math.log10(gap / abs(true))))


def says(slope: float, true: float, floats: int) -> str:
    """Say how good a measured slope is, and what spoils it."""
    if true == 0:
        return (
            "The loss does not depend on this parameter: its slope is 0."
            if floats == 0
            else "The slope here is 0, but the nudge is so long that the loss moves."
        )
    if abs(slope - true) < FAR * abs(true):
        count = max(1, math.floor(digits(slope, true)))
        word = "digit" if count == 1 else "digits"
        return f"The measured slope agrees with the true one in about {count} {word}."
    if floats == 0:
        return "The loss has not moved at all: the nudge is lost in its last digit."
    if abs(floats) < FEW:
        steps = "step" if abs(floats) == 1 else "steps"
        return (
            f"The loss has moved by {abs(floats)} {steps} from float to float: too few"
            " to tell a slope."
        )
    return "Between the two points the curve bends, and the straight line does not."


def belongs(matrix: str, row: int, column: int) -> str:
    """Say what a parameter does in the network."""
    if matrix == "wte":
        return f"number {column} in the embedding of {token_names()[row]}"
    if matrix == "fc1":
        return f"from number {column} of the embedding to hidden unit {row}"
    return f"from hidden unit {column} to the logit of {token_names()[row]}"
