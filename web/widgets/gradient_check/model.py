"""The gradient check, on a gradient that the reader may break or write anew."""

import contextlib
import copy
import inspect
import math
import traceback
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypedDict

from snippets import step1
from snippets.step1 import Weights
from widgets._inputs import whole
from widgets._names import document, token_names
from widgets._network import network_weights
from widgets._numbers import significant

LONGEST = 8  # letters: more take too long to nudge
PASSES = 7  # each of them nudges every seventh parameter
EPSILON = 1e-5
TOLERANCE = 1e-6  # far above what nudges differ by, far below what mistakes make
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


class MatrixCheck(TypedDict):
    """The parameters of a matrix that have been nudged, and both slopes of each.

    `places` counts them row by row. `gaps` are the differences without their sign, of
    which those above the tolerance are `wrong`.
    """

    name: str
    rows: int
    columns: int
    places: list[int]
    numerical: list[float]
    analytic: list[float]
    gaps: list[float]
    wrong: int
    largest: float


class GradientCheck(TypedDict):
    """Both gradients as far as parameters have been nudged, and the code's text."""

    source: str
    breaks: list[Break]
    tokens: list[str]
    nudged: int
    total: int
    tolerance: float
    matrices: list[MatrixCheck]


class Refused(ValueError):
    """Code that gives no gradient, why, and at which character it says so."""

    def __init__(self, reason: str, at: int | None = None) -> None:
        super().__init__(reason)
        self.at = at


class Place(NamedTuple):
    """Where a parameter stands."""

    matrix: str
    row: int
    column: int


def passes_over(weights: Weights) -> list[list[Place]]:
    """Return the parameters in parts, each of them spread over all matrices."""
    places = [
        Place(name, i, j)
        for name, matrix in weights.items()
        for i, row in enumerate(matrix)
        for j in range(len(row))
    ]
    return [places[first::PASSES] for first in range(PASSES)]


def nudge(
    tokens: list[int], weights: Weights, places: list[Place]
) -> dict[Place, float]:
    """Return the numerical slope of the loss in some of the parameters."""
    loss = step1.mean_loss(tokens, weights)
    slopes = {}
    for place in places:
        row = weights[place.matrix][place.row]
        weight = row[place.column]
        row[place.column] = weight + EPSILON
        slopes[place] = (step1.mean_loss(tokens, weights) - loss) / EPSILON
        row[place.column] = weight
    return slopes


# What has been nudged does not depend on the reader's code, so it is kept.
NUDGED: dict[tuple[int, ...], list[dict[Place, float]]] = {}


def gradient_check(name: str, source: str, passes: float) -> Iterator[GradientCheck]:
    """Compare the gradient that the code gives with nudges; yield after each pass.

    `source` defines `analytic_gradient`, and may define `linear_backward`; without any
    it is the program's. Each pass nudges a seventh of the parameters.
    """
    tokens = document(name)
    if len(name.strip()) > LONGEST:
        raise ValueError(f"more than {LONGEST} letters would take too long to nudge")
    passes = whole(passes, "passes", 1, PASSES)
    weights = network_weights("untrained")
    text = source or PROGRAM
    analytic = gradient_of(text, tokens, weights)
    parts = passes_over(weights)
    kept = NUDGED.setdefault(tuple(tokens), [])
    for number in range(passes):
        if number == len(kept):
            kept.append(nudge(tokens, weights, parts[number]))
        elif number + 1 < min(len(kept), passes):
            continue  # nothing to wait for
        numerical = {
            at: slope for part in kept[: number + 1] for at, slope in part.items()
        }
        yield GradientCheck(
            source=text,
            breaks=BREAKS,
            tokens=token_names(),
            nudged=len(numerical),
            total=sum(map(len, parts)),
            tolerance=TOLERANCE,
            matrices=[compare(key, weights, numerical, analytic) for key in weights],
        )


def compare(
    name: str, weights: Weights, numerical: dict[Place, float], analytic: Weights
) -> MatrixCheck:
    """Return both slopes of those parameters of a matrix that have been nudged."""
    columns = len(weights[name][0])
    slopes = sorted((at, slope) for at, slope in numerical.items() if at.matrix == name)
    derived = [analytic[name][at.row][at.column] for at, _ in slopes]
    gaps = [abs(a - n) for a, (_, n) in zip(derived, slopes, strict=True)]
    return MatrixCheck(
        name=name,
        rows=len(weights[name]),
        columns=columns,
        places=[at.row * columns + at.column for at, _ in slopes],
        numerical=[significant(slope, 4) for _, slope in slopes],
        analytic=[significant(slope, 4) for slope in derived],
        gaps=[significant(gap, 2) for gap in gaps],
        wrong=sum(gap > TOLERANCE for gap in gaps),
        largest=significant(max(gaps), 2),
    )


def gradient_of(source: str, tokens: list[int], weights: Weights) -> Weights:
    """Return what the code makes of a name; raise Refused if it is no gradient."""
    names: dict[str, Any] = {**vars(step1), "__name__": FILE}
    del names["analytic_gradient"]  # the code is to bring its own
    try:
        exec(compile(source, FILE, "exec"), names)  # noqa: S102  (the reader's own)
        function: Callable[..., Any] = names["analytic_gradient"]
        given = (list(tokens), copy.deepcopy(weights))
        gradient = function(*given)
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


def checked(name: str, found: Any, weights: step1.Matrix) -> step1.Matrix:
    """Return a gradient that has a finite number for each weight of a matrix."""
    try:
        rows = [list(row) for row in found]
    except TypeError:
        raise Refused(f"the gradient has no matrix {name!r}") from None
    if [len(row) for row in rows] != [len(row) for row in weights]:
        raise Refused(f"the gradient of {name} has not the shape of {name}")
    return [
        [finite(slope, f"{name}[{i}][{j}]") for j, slope in enumerate(row)]
        for i, row in enumerate(rows)
    ]


def finite(slope: Any, place: str) -> float:
    """Return a slope as a float; raise Refused if it is no finite number."""
    # A whole number that is too large for a float is an error to `isfinite`.
    with contextlib.suppress(TypeError, OverflowError):
        if math.isfinite(slope):
            return float(slope)
    text = f"{slope!r:.40}"
    raise Refused(f"the slope in {place} is {text}, not a finite number")


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
