"""The gradient check, on the program's gradient or with one of its lines broken.

The browser nudges the parameters, and compares.
"""

import inspect
import re
from typing import Any, TypedDict

from snippets import step1
from snippets.step1 import Weights
from widgets._names import document, shuffled_names
from widgets._network import network_weights

DIGITS = 11  # after the point: slopes that agree differ in the ninth
PROGRAM = "\n\n".join(
    inspect.getsource(function)
    for function in (step1.analytic_gradient, step1.linear_backward)
)


class Break(TypedDict):
    """A way to break the gradient: a line of the program, and what to put there."""

    name: str
    gone: str
    come: str


BREAKS = [
    Break(name=name, gone=gone, come=come)
    for name, gone, come in re.findall(
        r"(.+)\n- (.+)\n\+ (.+)",
        """
forget to divide by the number of pairs
- d_logits = [p / len(pairs) for p in probabilities]
+ d_logits = [p for p in probabilities]
forget the target
- d_logits[target] -= 1 / len(pairs)
+ pass
forget the gate of ReLU
- d_hidden = [d * (h > 0) for d, h in zip(d_activated, hidden)]
+ d_hidden = [d for d, h in zip(d_activated, hidden)]
in the embedding, = for +=
- gradient["wte"][token][j] += d
+ gradient["wte"][token][j] = d
give the embedding of the wrong token
- gradient["wte"][token][j] += d
+ gradient["wte"][target][j] += d
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
    """The gradient of a name.

    The weights that the browser nudges are drawn after a shuffle of so many `names`.
    """

    breaks: list[Break]
    names: int
    gradient: dict[str, list[list[float]]]


def gradient_check(name: str, broken: str = "") -> GradientCheck:
    """Return the program's gradient for a name, or what a break makes of it."""
    ways = [way["name"] for way in BREAKS]
    if broken not in ["", *ways]:
        raise ValueError(f"broken: choose {', '.join(ways)}, or leave it out")
    gradient = gradient_of(document(name), broken)
    return GradientCheck(
        breaks=BREAKS,
        names=len(shuffled_names()),
        gradient={
            key: [[round(slope, DIGITS) for slope in row] for row in matrix]
            for key, matrix in gradient.items()
        },
    )


def gradient_of(tokens: list[int], broken: str) -> Weights:
    """Run the program's lines for the gradient; in those of a break, one is another."""
    source = PROGRAM
    if broken:
        [way] = [way for way in BREAKS if way["name"] == broken]
        source = source.replace(way["gone"], way["come"])
    names: dict[str, Any] = {**vars(step1)}
    exec(source, names)  # noqa: S102  (the program's own)
    gradient: Weights = names["analytic_gradient"](tokens, network_weights("untrained"))
    return gradient
