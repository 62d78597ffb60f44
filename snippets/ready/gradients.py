"""Slopes and sizes of gradients, distances that weights move, and checks of gradients."""

import inspect
import math
from collections.abc import Callable
from itertools import combinations
from operator import mul

from microgpt import GPT, SGD, Tokenizer, Value, document_loss, load_names
from microgpt.autograd import topological_order
from snippets import step1, step2
from snippets.ready import step2_setup, untrained_gpt

Gradient = Callable[[list[int], step1.Weights], step1.Weights]
ParameterIndex = tuple[str, int, int]  # its matrix, its row, its column


def slope(f: Callable[[float], float], x: float, epsilon: float = 1e-6) -> float:
    """Return a forward difference: about how steep `f` is at `x`."""
    return (f(x + epsilon) - f(x)) / epsilon


def forward_multiplications(name: str) -> int:
    """Count what forward mode multiplies for a name's loss, if it skips what it can.

    The walk that begins at a parameter multiplies once for each edge that it reaches.
    """
    _, tokenizer, weights = step2_setup()
    bits = {p: 1 << i for i, p in enumerate(step2.parameters(weights))}
    reached_from: dict[Value, int] = {}
    count = 0
    loss = step2.mean_loss(tokenizer.document(name), weights)
    for node in topological_order(loss):
        reached_from[node] = bits.get(node, 0)
        for child in node._children:
            reached_from[node] |= reached_from[child]
            count += reached_from[child].bit_count()
    return count


def gradient_sizes(model: GPT, documents: list[list[int]]) -> dict[str, float]:
    """Return the root mean square of each matrix's gradients for some documents."""
    grads: dict[str, list[float]] = {name: [] for name in model.weights}
    for tokens in documents:
        document_loss(model, tokens).backward()
        for name, matrix in model.weights.items():
            grads[name] += [p.grad for row in matrix for p in row]
        SGD(model.parameters()).zero_grad()
    return {name: _root_mean_square(numbers) for name, numbers in grads.items()}


def weight_distances(model: GPT) -> dict[str, float]:
    """Return the root mean square change of each matrix since `untrained_gpt`."""
    _, _, start = untrained_gpt()
    return {
        name: _root_mean_square(
            [
                now.data - before.data
                for row, first in zip(matrix, start.weights[name])
                for now, before in zip(row, first)
            ]
        )
        for name, matrix in model.weights.items()
    }


def _root_mean_square(numbers: list[float]) -> float:
    return math.hypot(*numbers) / math.sqrt(len(numbers))


def numerical_slopes(
    tokens: list[int], weights: step1.Weights, every: int = 1, epsilon: float = 1e-5
) -> dict[ParameterIndex, float]:
    """Measure the slope of every `every`-th parameter by a forward difference."""
    loss, slopes = step1.mean_loss(tokens, weights), {}
    indices = [
        (name, i, j)
        for name, matrix in weights.items()
        for i, row in enumerate(matrix)
        for j in range(len(row))
    ]
    for name, i, j in indices[::every]:
        row = weights[name][i]
        old, row[j] = row[j], row[j] + epsilon
        slopes[name, i, j] = (step1.mean_loss(tokens, weights) - loss) / epsilon
        row[j] = old
    return slopes


def central_slopes(
    tokens: list[int], weights: step1.Weights, every: int = 1, epsilon: float = 1e-5
) -> dict[ParameterIndex, float]:
    """Measure the slope of every `every`-th parameter by a central difference."""
    up = numerical_slopes(tokens, weights, every, epsilon)
    down = numerical_slopes(tokens, weights, every, -epsilon)
    return {index: (slope + down[index]) / 2 for index, slope in up.items()}


def wrong_slopes(
    gradient: step1.Weights, slopes: dict[ParameterIndex, float], limit: float = 1e-6
) -> str:
    """Format how many slopes per matrix a gradient misses by more than a limit."""
    errors: dict[str, list[float]] = {name: [] for name in gradient}
    for (name, i, j), slope in slopes.items():
        errors[name].append(abs(slope - gradient[name][i][j]))
    counts = [
        f"{name} {sum(x > limit for x in matrix_errors)} of {len(matrix_errors)}"
        for name, matrix_errors in errors.items()
    ]
    return f"{', '.join(counts)} wrong, by up to {largest_error(gradient, slopes):.0e}"


def largest_error(
    gradient: step1.Weights, slopes: dict[ParameterIndex, float]
) -> float:
    """Return how far the worst slope of a gradient is from the measured one."""
    return max(abs(slope - gradient[n][i][j]) for (n, i, j), slope in slopes.items())


def relative_error(
    gradient: step1.Weights, slopes: dict[ParameterIndex, float]
) -> float:
    """Return the largest relative error, leaving out slopes that are 0 in both."""
    pairs = [(slope, gradient[n][i][j]) for (n, i, j), slope in slopes.items()]
    sizes = [(abs(a - b), max(abs(a), abs(b))) for a, b in pairs]
    return max(gap / size for gap, size in sizes if size)


def broken_gradients() -> dict[str, Gradient]:
    """Return copies of Step 1's analytic gradient, each with a mistake in one line."""
    mistakes = {
        "A": ("d * (h > 0)", "d"),
        "B": ("-= 1 / len(pairs)", "-= 0"),
        "C": ("[token][j] += d", "[token][j] = d"),
    }
    return {letter: _broken_copy(*mistake) for letter, mistake in mistakes.items()}


def check_broken_gradient(tokens: list[int], weights: step1.Weights) -> str:
    """Check the copy of Step 1's analytic gradient that the recap asks about."""
    broken = _broken_copy("/ len(pairs)", "/ 1")(tokens, weights)
    slopes = numerical_slopes(tokens, weights, every=20)
    ratios = [
        broken[name][i][j] / slope for (name, i, j), slope in slopes.items() if slope
    ]
    ends = f"{min(ratios):.3f} to {max(ratios):.3f}"
    return f"{wrong_slopes(broken, slopes)}\nderived / measured: {ends}"


def _broken_copy(right: str, wrong: str) -> Gradient:
    functions = step1.linear_backward, step1.analytic_gradient
    source = "\n".join(inspect.getsource(function) for function in functions)
    assert right in source, f"Step 1 no longer says {right!r}"
    namespace = dict(vars(step1))
    exec(source.replace(right, wrong), namespace)  # noqa: S102
    broken: Gradient = namespace["analytic_gradient"]
    return broken


def count_agreeing_pairs(names: list[str], weights: step1.Weights) -> int:
    """Return how many pairs of names have gradients with a positive dot product."""
    tokenizer = Tokenizer(load_names())
    gradients = [
        [
            number
            for matrix in step1.analytic_gradient(
                tokenizer.document(name), weights
            ).values()
            for row in matrix
            for number in row
        ]
        for name in names
    ]
    return sum(sum(map(mul, a, b)) > 0 for a, b in combinations(gradients, 2))
