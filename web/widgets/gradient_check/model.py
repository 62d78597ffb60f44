"""The gradient check, on a gradient that the reader may break or write anew.

The reader's code runs here; the browser nudges the parameters, and compares.
"""

import inspect
import math
import traceback
from collections.abc import Callable
from typing import Any, TypedDict

from snippets import step1
from snippets.step1 import Matrix, Weights
from widgets._names import document, shuffled_names, token_names
from widgets._network import network_weights

DIGITS = 11  # after the point: slopes that agree differ in the ninth
FILE = "the code"
PROGRAM = "\n\n".join(
    inspect.getsource(function)
    for function in (step1.analytic_gradient, step1.linear_backward)
)


class Break(TypedDict):
    """A way to break the gradient: a part of the source, and what to put there."""

    name: str
    old: str
    new: str


BREAKS = [
    Break(
        name="forget to divide by the number of pairs",
        old="d_logits = [p / len(pairs) for p in probabilities]",
        new="d_logits = [p for p in probabilities]",
    ),
    Break(
        name="forget the target",
        old="d_logits[target] -= 1 / len(pairs)",
        new="pass",
    ),
    Break(
        name="forget the gate of ReLU",
        old="[d * (h > 0) for d, h in zip(d_activated, hidden)]",
        new="[d for d, h in zip(d_activated, hidden)]",
    ),
    Break(
        name="in the embedding, = for +=",
        old='gradient["wte"][token][j] += d',
        new='gradient["wte"][token][j] = d',
    ),
    Break(
        name="give the embedding of the wrong token",
        old='gradient["wte"][token][j]',
        new='gradient["wte"][target][j]',
    ),
    Break(
        name="of the weights, = for +=",
        old="d_row[j] += d * xj",
        new="d_row[j] = d * xj",
    ),
    Break(
        name="of the input, = for +=",
        old="d_x[j] += d * wj",
        new="d_x[j] = d * wj",
    ),
]


class GradientCheck(TypedDict):
    """The gradient that a code gives, and its text.

    The weights that the browser nudges are drawn after a shuffle of so many `names`.
    """

    source: str
    breaks: list[Break]
    tokens: list[str]
    names: int
    gradient: dict[str, list[list[float]]]


class Refused(ValueError):
    """Code that gives no gradient, why, and at which character it says so."""

    def __init__(self, reason: str, at: int | None = None) -> None:
        super().__init__(reason)
        self.at = at


def gradient_check(name: str, source: str) -> GradientCheck:
    """Return the gradient that the code gives for a name.

    `source` defines `analytic_gradient`, and may define `linear_backward`; without any
    it is the program's.
    """
    tokens, weights = document(name), network_weights("untrained")
    text = source or PROGRAM
    return GradientCheck(
        source=text,
        breaks=BREAKS,
        tokens=token_names(),
        names=len(shuffled_names()),
        gradient=gradient_of(text, tokens, weights),
    )


def gradient_of(source: str, tokens: list[int], weights: Weights) -> Weights:
    """Return what the code makes of a name; raise Refused if it is no gradient."""
    names: dict[str, Any] = {**vars(step1), "__name__": FILE}
    del names["analytic_gradient"]  # the code is to bring its own
    try:
        exec(compile(source, FILE, "exec"), names)  # noqa: S102  (the reader's own)
        function: Callable[..., Any] = names["analytic_gradient"]
        copy = {key: [[*row] for row in matrix] for key, matrix in weights.items()}
        gradient = function(tokens, copy)
    except (Exception, SystemExit) as error:  # noqa: BLE001  (code may raise anything)
        raise refusal(source, error) from None
    if not isinstance(gradient, dict):
        raise Refused(
            "analytic_gradient returns no gradient: end it with 'return gradient'"
        )
    return {
        name: checked(name, gradient.get(name), matrix)
        for name, matrix in weights.items()
    }


def checked(name: str, found: Any, weights: Matrix) -> Matrix:
    """Return a gradient that has a finite number for each weight of a matrix."""
    try:
        rows = [list(row) for row in found]
    except TypeError:
        raise Refused(f"the gradient has no matrix {name!r}") from None
    if [len(row) for row in rows] != [len(row) for row in weights]:
        raise Refused(f"the gradient of {name} has not the shape of {name}")
    for i, row in enumerate(rows):
        for j, slope in enumerate(row):
            if not is_finite(slope):
                at, text = f"{name}[{i}][{j}]", f"{slope!r:.40}"
                raise Refused(f"the slope in {at} is {text}, not a finite number")
    return [[round(float(slope), DIGITS) for slope in row] for row in rows]


def is_finite(slope: Any) -> bool:
    """Tell whether a slope is a finite number."""
    try:
        return math.isfinite(slope)
    except (TypeError, OverflowError):  # a whole number may be too large for a float
        return False


def refusal(source: str, error: BaseException) -> Refused:
    """Say in a sentence what the code raises, and in which of its lines."""
    line: int | None = None
    if isinstance(error, SyntaxError):
        line, what = error.lineno, error.msg
    else:
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame.lineno for frame in frames if frame.filename == FILE]
        line = ours[-1] if ours else None
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        if (
            isinstance(error, KeyError)
            and error.args == ("analytic_gradient",)
            and not ours
        ):
            what = "the code defines no analytic_gradient"
    lines = source.splitlines(keepends=True)
    at = None if line is None else sum(len(text) for text in lines[: line - 1])
    where = "" if line is None else f"line {line}: "
    return Refused(where + what, at)
