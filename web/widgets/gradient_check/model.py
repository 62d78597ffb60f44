"""The gradient check, on a gradient that the reader may break or write anew.

The reader's code runs here; the browser nudges the parameters, and compares.
"""

import inspect
import math
import re
from typing import Any, TypedDict

from runtime.runner import explain
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
    Break(name=name, old=old, new=new)
    for name, old, new in re.findall(
        r"(.+)\n- (.+)\n\+ (.+)",
        """
forget to divide by the number of pairs
- d_logits = [p / len(pairs) for p in probabilities]
+ d_logits = [p for p in probabilities]
forget the target
- d_logits[target] -= 1 / len(pairs)
+ pass
forget the gate of ReLU
- [d * (h > 0) for d, h in zip(d_activated, hidden)]
+ [d for d, h in zip(d_activated, hidden)]
in the embedding, = for +=
- gradient["wte"][token][j] += d
+ gradient["wte"][token][j] = d
give the embedding of the wrong token
- gradient["wte"][token][j]
+ gradient["wte"][target][j]
of the weights, = for +=
- d_row[j] += d * xj
+ d_row[j] = d * xj
of the input, = for +=
- d_x[j] += d * wj
+ d_x[j] = d * wj
""",
    )
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
    copy = {key: [[*row] for row in matrix] for key, matrix in weights.items()}
    try:
        exec(compile(source, FILE, "exec"), names)  # noqa: S102  (the reader's own)
        function = names.get("analytic_gradient")
        gradient = function and function(tokens, copy)
    except (Exception, SystemExit) as error:  # noqa: BLE001  (code may raise anything)
        raise refusal(source, error) from None
    if function is None:
        raise Refused("the code defines no analytic_gradient")
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
    report, line = explain(error, FILE)
    what = report.strip().splitlines()[-1].removeprefix("SyntaxError: ")
    if line is None:
        return Refused(what)
    before = source.splitlines(keepends=True)[: line - 1]
    return Refused(f"line {line}: {what}", sum(map(len, before)))
