"""SGD and Adam on their way down the same valley, step by step."""

from __future__ import annotations

import math
from typing import TypedDict

from microgpt import SGD, Adam, Value
from widgets._inputs import positive
from widgets._numbers import significant

STEPS = 60
START = (-4.0, 1.5)  # along the valley, and across it
STEEPEST = 100.0
LARGEST_RATE = 1.0
FAR = 1e6  # from the bottom: it will not come back
DIAGONAL = 0.5**0.5  # a turn by an eighth takes this share of both directions
CONTOURS = [
    1,
    2,
    3,
    4,
    5,
    6,
    8,
    11,
    15,
    20,
    30,
    45,
]  # where they cut the valley's floor
CORNERS = 40  # of a contour line


class Contour(TypedDict):
    """Points of equal loss, once around the bottom."""

    loss: float
    points: list[tuple[float, float]]


class RacePath(TypedDict):
    """Where an optimizer was before its first step and after each, and the loss there.

    `end` says what has come of it; `exploded` that it left, and will not come back.
    """

    points: list[tuple[float, float]]
    losses: list[float]
    exploded: bool
    end: str


class Race(TypedDict):
    """The valley and both paths."""

    contours: list[Contour]
    sgd: RacePath
    adam: RacePath


def race(sgd_rate: float, adam_rate: float, steepness: float, turned: bool) -> Race:
    """Let both take the same number of steps from the same place, each at its rate.

    Across the valley the slope is `steepness` times that along it. A turned valley lies
    askew to both parameters.
    """
    for rate, name in ((sgd_rate, "rate of SGD"), (adam_rate, "rate of Adam")):
        if positive(rate, name) > LARGEST_RATE:
            raise ValueError(f"{name}: choose a rate of at most {LARGEST_RATE:g}")
    if not 1 <= steepness <= STEEPEST:
        raise ValueError(f"steepness: choose from 1 to {STEEPEST:g}")
    return Race(
        contours=[contour(across, steepness, turned=turned) for across in CONTOURS],
        sgd=path(SGD, "SGD", sgd_rate, steepness, turned=turned),
        adam=path(Adam, "Adam", adam_rate, steepness, turned=turned),
    )


def valley(x: Value, y: Value, steepness: float, *, turned: bool) -> Value:
    """Return the loss: the squares of the distances along and across, one of them steep."""
    along, across = x, y
    if turned:
        along, across = (x + y) * DIAGONAL, (y - x) * DIAGONAL
    return (along**2 + steepness * across**2) / 2


def place(along: float, across: float, *, turned: bool) -> tuple[float, float]:
    """Return x and y of a place that is given in the directions of the valley."""
    if turned:
        return (along - across) * DIAGONAL, (along + across) * DIAGONAL
    return along, across


def path(
    kind: type[SGD | Adam],
    name: str,
    rate: float,
    steepness: float,
    *,
    turned: bool,
) -> RacePath:
    """Follow an optimizer until it has taken its steps, or has exploded."""
    x, y = map(Value, place(*START, turned=turned))
    optimizer = kind([x, y])
    points, losses = [], []
    exploded = False
    for step in range(STEPS + 1):
        loss = valley(x, y, steepness, turned=turned)
        points.append((significant(x.data, 4), significant(y.data, 4)))
        losses.append(significant(loss.data, 4))
        exploded = math.hypot(x.data, y.data) > FAR
        if exploded or step == STEPS:
            break
        loss.backward()
        optimizer.step(rate)
        optimizer.zero_grad()
    return RacePath(
        points=points,
        losses=losses,
        exploded=exploded,
        end=outcome(name, len(points) - 1, losses, exploded=exploded),
    )


def outcome(name: str, steps: int, losses: list[float], *, exploded: bool) -> str:
    """Say what has come of a path, in a sentence."""
    if exploded:
        return (
            f"{name} explodes: every step overshoots the bottom and lands higher. "
            f"After {steps} steps it is more than a million away."
        )
    if losses[-1] > losses[0]:
        return f"{name} climbs: its steps overshoot, and the loss rises to {losses[-1]:.3g}."
    low = losses[0] / 1000
    arrived = next((i for i, _ in enumerate(losses) if max(losses[i:]) < low), None)
    if arrived is None:
        return f"{name} is at a loss of {losses[-1]:.3g} after {steps} steps."
    return (
        f"{name} is at a loss of {losses[-1]:.3g} after {steps} steps; "
        f"from step {arrived} on, it stays below a thousandth of the first."
    )


def contour(along: float, steepness: float, *, turned: bool) -> Contour:
    """Return the line of equal loss that cuts the floor of the valley at a place."""
    across = along / math.sqrt(steepness)
    points = []
    for corner in range(CORNERS):
        angle = 2 * math.pi * corner / CORNERS
        x, y = place(along * math.cos(angle), across * math.sin(angle), turned=turned)
        points.append((significant(x), significant(y)))
    return Contour(loss=along**2 / 2, points=points)
