"""Checks the way back of an operation that subtracts the mean of a row."""

from microgpt import Value
from snippets.exercises import Hint, Program, close, function

THREE = [0.5, -2.0, 3.0]
OTHERS = ([1.0], [2.0, 0.25], [1.0, -1.0, 4.0, 0.0, -0.5])
MEAN = sum(THREE) / 3
MISTAKES = {
    "Each number acts twice: directly on its own result, and through the mean on "
    "all results. The second way is missing.": THREE,
    "The way through the mean is right. But each number also acts directly on its "
    "own result.": [-MEAN] * 3,
    "A number moves the mean by one part in the length of the row, and so it moves "
    "all results, not its own alone. Add up what comes back from each.": [
        s - s / 3 for s in THREE
    ],
    "A number moves the mean by less than itself: by one part in the length of the "
    "row.": [s - 3 * MEAN for s in THREE],
    "The mean was subtracted, so what comes back through it has the other sign.": [
        s + MEAN for s in THREE
    ],
}


def check(program: Program) -> None:
    """Compare with the gradients of a graph, first for a row of three numbers."""
    backward = function(program, "backward")
    given = list(THREE)
    found = backward(given)
    if given != THREE:
        raise Hint(
            "The list of derivatives that the function was given has changed: make a new "
            "one."
        )
    if not isinstance(found, list) or len(found) != len(THREE):
        raise Hint(
            "Return a list with a derivative for each number of the row."
        )
    for hint, mistake in MISTAKES.items():
        if close(found, mistake):
            raise Hint(hint)
    true = by_graph(THREE)
    if not close(found, true):
        raise Hint(
            f"For the derivatives {THREE} the graph gives {shown(true)}, and this "
            f"function {shown(found)}."
        )
    if not all(close(backward(list(o)), by_graph(o)) for o in OTHERS):
        raise Hint(
            "For rows of three numbers it is right, and for others not."
        )


def by_graph(slopes: list[float]) -> list[float]:
    """Return what `Value` finds, for results that have these derivatives."""
    row = [Value(float(i * i)) for i in range(len(slopes))]
    mean = Value.sum(row) / len(row)
    Value.sum(
        (x - mean) * slope for x, slope in zip(row, slopes)
    ).backward()
    return [x.grad for x in row]


def shown(numbers: list[float]) -> str:
    """Return numbers with a few digits."""
    return ", ".join(f"{number:.4g}" for number in numbers)
