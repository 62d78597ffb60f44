"""RMSNorm of a vector, and of the same vector made longer and shorter."""

from __future__ import annotations

from typing import TypedDict

from microgpt import Value
from microgpt.nn import Vector
from microgpt.nn import rmsnorm as package_rmsnorm
from widgets._numbers import significant
from widgets._tracing import Call, calls

LARGEST = 4.0
LENGTH = 4
POWERS = [quarter / 4 for quarter in range(-20, 13)]  # the scale is 10 to each


class NormedVector(TypedDict):
    """What `rmsnorm` makes of the vector at a scale: its variables and its result.

    `size` and `result_size` are the root mean squares before and after.
    """

    scale: float
    x: list[float]
    mean_square: float
    factor: float
    result: list[float]
    size: float
    result_size: float


class RMSNorm(TypedDict):
    """The vector at each scale; `at` is the scale of 1. `says` is about the vector.

    `epsilon` is what the function adds to the mean of the squares.
    """

    at: int
    epsilon: float
    scales: list[NormedVector]
    says: str


def rmsnorm(numbers: list[float]) -> RMSNorm:
    """Normalise four numbers, multiplied by each scale."""
    if len(numbers) != LENGTH:
        raise ValueError(f"give {LENGTH} numbers, not {len(numbers)}")
    if not all(-LARGEST <= n <= LARGEST for n in numbers):
        raise ValueError(f"give numbers from −{LARGEST:g} to {LARGEST:g}")
    return RMSNorm(
        at=POWERS.index(0),
        epsilon=significant(normed_call([Value(0.0)]).variables["scale"].data ** -2),
        scales=[normed(numbers, 10**power) for power in POWERS],
        says=says(numbers),
    )


def normed(numbers: list[float], scale: float) -> NormedVector:
    """Call the package's `rmsnorm`; return what its variables held."""
    x = [Value(scale * n) for n in numbers]
    call = normed_call(x)
    return NormedVector(
        scale=significant(scale),
        x=rounded(x),
        mean_square=significant(call.variables["mean_square"].data, 4),
        factor=significant(call.variables["scale"].data, 4),
        result=rounded(call.result),
        size=significant(root_mean_square(x), 4),
        result_size=significant(root_mean_square(call.result), 4),
    )


def normed_call(x: Vector) -> Call:
    """Call the package's `rmsnorm`, and watch it."""
    (call,) = calls(lambda: package_rmsnorm(x), (package_rmsnorm,))
    return call


def rounded(vector: Vector) -> list[float]:
    """Return a vector for readers to see."""
    return [significant(x.data, 4) for x in vector]


def root_mean_square(vector: Vector) -> float:
    """Return how large the numbers of a vector are, without regard to sign."""
    squares: float = sum(x.data**2 for x in vector)
    return float((squares / len(vector)) ** 0.5)


def says(numbers: list[float]) -> str:
    """Say what is special about a vector."""
    if not any(numbers):
        return (
            "All numbers are 0, and so is the root mean square. Only ε keeps the"
            " function from dividing by 0; at every scale the result is 0."
        )
    if len({abs(n) for n in numbers}) == 1:
        return "All numbers are of one size, and the root mean square is that size: each becomes 1 or −1."
    if sum(n != 0 for n in numbers) == 1:
        return (
            "One number carries it all, and the mean is taken over four: that number"
            " comes out near 2 or −2, whatever it was."
        )
    return (
        "Signs, zeros and the ratios of the numbers stay as they are: the vector keeps"
        " its direction."
    )
