"""Checks a softmax with logits of any size."""

import math

from snippets.exercises import Hint, Program, close, function
from snippets.step1 import softmax

SMALL = [
    [1.0, 2.0, 3.0],
    [0.5, -0.5],
    [0.0, 0.0, 0.0, 0.0],
    [-3.0, -1.0],
]
LARGE = [
    [1000.0, 999.0, 998.0],
    [-1000.0, -1001.0],
    [1000.0, -1000.0, 0.0],
]


def check(program: Program) -> None:
    """Compare with the softmax of Step 1, first for small logits."""
    own = function(program, "softmax")
    for logits in SMALL:
        given = list(logits)
        try:
            found = list(own(given))
        except TypeError:
            raise Hint(
                "Return a list with a probability for each logit."
            ) from None
        if given != logits:
            raise Hint(
                "The caller's list of logits has changed: make a new one."
            )
        if len(found) != len(logits) or not math.isclose(
            sum(found), 1.0
        ):
            raise Hint(
                f"The probabilities of {logits} must add up to 1."
            )
        if not close(found, softmax(logits), abs_tol=1e-12):
            raise Hint(
                f"For {logits} the probabilities are not those of softmax. Whatever you "
                "subtract must be the same for all logits."
            )
    for logits in LARGE:
        try:
            found = list(own(list(logits)))
        except OverflowError:
            raise Hint(
                f"math.exp overflows for {logits}. Subtract something from each logit "
                "first, so that the largest exponent is small."
            ) from None
        except ZeroDivisionError:
            raise Hint(
                f"For {logits} every exponential is 0 to the last digit of a float. "
                "Subtract something that leaves at least one of them at 1."
            ) from None
        if not close(found, softmax(logits), abs_tol=1e-12):
            raise Hint(
                f"For {logits} the probabilities are not those of softmax."
            )
