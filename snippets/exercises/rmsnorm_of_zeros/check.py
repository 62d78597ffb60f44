"""Checks an RMSNorm that takes vectors of any size."""

import math

from microgpt import Value
from snippets.exercises import Hint, Program, function

ORDINARY = ([3.0, -1.0, 2.0, 0.0], [0.5, 0.5], [-40.0, 30.0, 0.0])
SHORT = ([0.0, 0.0, 0.0], [1e-200, -1e-200], [1e-9, 2e-9, 0.0])


def check(program: Program) -> None:
    """Ask for ordinary vectors, then for short ones, then for gradients."""
    rmsnorm = function(program, "rmsnorm")
    for numbers in ORDINARY:
        size = math.hypot(*numbers) / math.sqrt(len(numbers))
        found = result_of(rmsnorm, numbers)
        for n, f in zip(numbers, found, strict=True):
            if not math.isclose(f, n / size, rel_tol=1e-3):
                raise Hint(
                    f"Of {numbers}, an ordinary vector, {n:g} should become "
                    f"{n / size:.3f}, not {f:.3f}."
                )
    for numbers in SHORT:
        try:
            found = result_of(rmsnorm, numbers)
        except (ZeroDivisionError, OverflowError):
            raise Hint(
                f"{numbers} still ends in an error. A square can be 0 even where the "
                "number is not; see to it that what you take to the power of -0.5 "
                "is never 0."
            ) from None
        for n, f in zip(numbers, found, strict=True):
            if abs(f) > 1:
                raise Hint(
                    f"{numbers} is blown up: {n:g} becomes {f:.3g}. A vector as short "
                    "as this should stay short, and one of zeros 0."
                )
    for numbers in (ORDINARY[0], SHORT[0]):
        x = [Value(n) for n in numbers]
        rmsnorm(x)[0].backward()
        expected = slopes(rmsnorm, numbers)
        for i, (xi, slope) in enumerate(zip(x, expected, strict=True)):
            if not math.isclose(
                xi.grad, slope, rel_tol=1e-4, abs_tol=1e-4
            ):
                raise Hint(
                    f"At {numbers} the first number's slope along x[{i}] is "
                    f"{slope:.4f}, and backward says {xi.grad:.4f}. Is every step "
                    "computed with Values, down to the scale?"
                )


def result_of(rmsnorm: object, numbers: list[float]) -> list[float]:
    """Return the numbers of a result, or a hint if it has none."""
    assert callable(rmsnorm)
    found = rmsnorm([Value(n) for n in numbers])
    if not isinstance(found, list) or len(found) != len(numbers):
        raise Hint("Return a list with a Value for each number.")
    if not all(isinstance(f, Value) for f in found):
        raise Hint(
            "Return Values: a float has forgotten where it came from."
        )
    return [f.data for f in found]


def slopes(rmsnorm: object, numbers: list[float]) -> list[float]:
    """Return how fast the first number of the result follows each number."""
    h = 1e-6
    found = []
    for i, n in enumerate(numbers):
        down, up = (
            result_of(rmsnorm, [*numbers[:i], moved, *numbers[i + 1 :]])
            for moved in (n - h, n + h)
        )
        found.append((up[0] - down[0]) / (2 * h))
    return found
