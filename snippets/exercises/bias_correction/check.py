"""Checks the moves of one parameter under Adam, with both of its means corrected."""

import math

from microgpt import Adam, Value
from snippets.exercises import Hint, Program, close, function

RATE = 0.01
STEADY = [4.0] * 3
UNSTEADY = [0.5, -2.0, 0.01, 3.0, 0.0, -1.0]
# How far the first move goes, in rates.
MISTAKES = {
    "The first move is 1.5 times the rate. Both means are too small: what do "
    "the weights in them add up to, after one gradient?": 1.5,
    "The first move is 10 times the rate: the mean of the squares is still too "
    "small, and it stands below the line.": 10,
    "The first move is 0.15 of the rate: the mean of the gradients is still too "
    "small.": 0.15,
    "The first move is a tenth of the rate: divide the mean of the squares, and "
    "take the root of what comes out.": 0.1,
}


def check(program: Program) -> None:
    """Compare with the package's Adam, from the first move on."""
    moves = function(program, "moves")
    try:
        steady = moves(STEADY, RATE)
    except ZeroDivisionError:
        raise Hint(
            "There is a division by 0: when no gradient has come, no weights add up. "
            "The first step is step 1."
        ) from None
    if not isinstance(steady, list) or len(steady) != len(STEADY):
        raise Hint("Return a list with one move for each gradient.")
    first, second, _ = steady
    if first > 0:
        raise Hint(
            "A parameter moves against its gradient, and this one moves with it."
        )
    for hint, times in MISTAKES.items():
        if near(first, -times * RATE):
            raise Hint(hint)
    if not near(first, -RATE):
        raise Hint(
            f"At rate {RATE:g} the move for the first gradient should be {-RATE:g}, not "
            f"{first:.4g}."
        )
    if second < 1.001 * first:
        raise Hint(
            "The first move is right, and the second is too long: after two gradients "
            "the weights add up to more than 1 - beta."
        )
    if second > 0.999 * first:
        raise Hint(
            "The first move is right, and the second is too short: divide for the move "
            "alone, and let the running means run on as they are."
        )
    try:
        moves([0.0], RATE)
    except ZeroDivisionError:
        raise Hint(
            "A gradient of 0 makes a division by 0. That is what epsilon is for."
        ) from None
    if not near(moves([1e-8], RATE)[0], -RATE / 2):
        raise Hint(
            "A gradient as small as epsilon should move its parameter by half the rate: "
            "epsilon is added to the root, not below it."
        )
    for betas in ((0.85, 0.99), (0.5, 0.9)):
        found = moves(UNSTEADY, RATE, *betas)
        if not close(found, true_moves(*betas), abs_tol=1e-12):
            raise Hint(
                "With other betas the moves are wrong: use those that the function is "
                "given."
            )


def true_moves(beta1: float, beta2: float) -> list[float]:
    """Return the moves of a parameter in the hands of the package's Adam."""
    parameter = Value(0.0)
    optimizer = Adam([parameter], beta1, beta2)
    found = []
    for grad in UNSTEADY:
        before, parameter.grad = parameter.data, grad
        optimizer.step(RATE)
        found.append(parameter.data - before)
    return found


def near(a: float, b: float) -> bool:
    """Tell whether two moves are equal, up to what epsilon makes of them."""
    return math.isclose(a, b, rel_tol=1e-3)
