"""Each pair of a name through the network of Step 1, forward and back, as the program computes it."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, TypedDict, get_args

from snippets import step1
from widgets._inputs import whole
from widgets._names import document, token_names
from widgets._network import State, network_weights
from widgets._numbers import significant
from widgets._tracing import Source, SourceFunction, calls

Stage = Literal[
    "start",
    "x",
    "hidden",
    "activated",
    "logits",
    "probabilities",
    "loss",
    "d_logits",
    "d_activated",
    "d_hidden",
    "d_x",
    "end",
]
STAGES: tuple[Stage, ...] = get_args(Stage)
FUNCTIONS = (
    step1.mean_loss,
    step1.forward,
    step1.softmax,
    step1.analytic_gradient,
)
Vectors = dict[str, list[float]]


class FeltSlopes(TypedDict):
    """How many parameters of a matrix have a slope other than 0, and the steepest."""

    matrix: str
    felt: int
    of: int
    row: int
    column: int
    slope: float


class FlowPair(TypedDict):
    """All that happens between one token and the next: every vector and every slope.

    `off` counts the units that ReLU puts to 0. `says` has a sentence for each stage.
    Slopes are those of this pair's own loss.
    """

    token: int
    target: int
    vectors: Vectors
    off: int
    p: float
    loss: float
    felt: list[FeltSlopes]
    says: list[str]


class LitLine(TypedDict):
    """The line that computes a stage, and the one that has called its function."""

    line: int
    waiting: list[int]


class Flow(TypedDict):
    """A name's pairs, the weights, and the program's lines, one for each stage.

    `pair` counts from 1. `blind` is the loss of a blind guess.
    """

    name: str
    pair: int
    weights: State
    at: Stage
    stages: list[str]
    tokens: list[str]
    pairs: list[FlowPair]
    mean: float
    blind: float
    matrices: dict[str, list[list[float]]]
    file: str
    functions: list[SourceFunction]
    lit: list[LitLine]


def flow(name: str, pair: int, weights: State, at: Stage) -> Flow:
    """Run each pair of a name forward and back; `pair` and `at` are where to begin."""
    tokens, parameters = document(name), network_weights(weights)
    if at not in STAGES:
        raise ValueError(f"at: choose one of {', '.join(STAGES)}")
    sources = [Source(function.__code__) for function in FUNCTIONS]
    return Flow(
        name=name.strip(),
        pair=whole(pair, "pair", 1, len(tokens) - 1),
        weights=weights,
        at=at,
        stages=list(STAGES),
        tokens=token_names(),
        pairs=[one_pair(*both, parameters) for both in pairwise(tokens)],
        mean=significant(step1.mean_loss(tokens, parameters), 5),
        blind=significant(math.log(len(token_names())), 5),
        matrices={
            key: [[significant(w) for w in row] for row in matrix]
            for key, matrix in parameters.items()
        },
        file=sources[0].file,
        functions=[source.listing() for source in sources],
        lit=list(lit_lines(*sources)),
    )


def one_pair(token: int, target: int, weights: step1.Weights) -> FlowPair:
    """Run `mean_loss` and `analytic_gradient` on two tokens, and note their variables."""
    both = [token, target]

    def run() -> None:
        step1.mean_loss(both, weights)
        step1.analytic_gradient(both, weights)

    loss, back = calls(run, FUNCTIONS)
    exact: Vectors = {
        key: back.variables[key]
        for key in ("x", "hidden", "activated", "probabilities")
    }
    exact["logits"] = loss.all("forward")[0].result
    exact |= {key: back.variables[key] for key in STAGES if key.startswith("d_")}
    felt = [steepest(name, matrix) for name, matrix in back.result.items()]
    return FlowPair(
        token=token,
        target=target,
        vectors={key: [significant(x) for x in row] for key, row in exact.items()},
        off=exact["activated"].count(0),
        p=significant(exact["probabilities"][target], 4),
        loss=significant(loss.result, 5),
        felt=felt,
        says=sentences(token, target, exact, loss.result, felt),
    )


def steepest(name: str, gradient: step1.Matrix) -> FeltSlopes:
    """Return what a matrix feels of a pair."""
    slopes = {(i, j): d for i, row in enumerate(gradient) for j, d in enumerate(row)}
    (row, column), slope = max(slopes.items(), key=lambda each: abs(each[1]))
    return FeltSlopes(
        matrix=name,
        felt=sum(d != 0 for d in slopes.values()),
        of=len(slopes),
        row=row,
        column=column,
        slope=significant(slope),
    )


def sentences(
    token: int, target: int, at: Vectors, loss: float, felt: list[FeltSlopes]
) -> list[str]:
    """Say what happens at each stage, with the numbers of this pair."""
    after, comes = called(token), called(target)
    p = at["probabilities"]
    top = p.index(max(p))
    units, through = len(at["hidden"]), sum(h > 0 for h in at["hidden"])
    shares = f"{called(top)} gets {written(p[top])}"
    if top != target:
        shares += f", {comes} {written(p[target])}"
    most = max(felt, key=lambda each: abs(each["slope"]))
    place = f"{most['matrix']}[{most['row']}][{most['column']}]"
    return [
        f"{following(token, target)} The network sees {after}, and has to guess what comes next.",
        f"Row {token} of wte is looked up: the {len(at['x'])} numbers that stand for {after}.",
        f"Each of {units} hidden units asks its own question of x: a dot product with its row of fc1.",
        f"ReLU lets the {through} numbers above 0 pass. The other {units - through} become 0.",
        f"One more dot product for each token that could come next. The highest is {written(max(at['logits']))}, for {called(top)}.",
        f"Softmax turns the logits into probabilities, which add up to 1. {shares}.",
        f"{following(token, target)} The network gave that {written(p[target])}, so the loss, or surprise, is −ln {written(p[target])} = {written(loss)}.",
        f"Now back: if a logit rose a little, how would the loss change? By its probability, less 1 for {comes}: {written(p[target])} − 1 = {written(at['d_logits'][target])}.",
        "Each activated number gets the sum of what it did to the logits: slope × weight, over its column of fc2.",
        f"ReLU is a gate on the way back, too: the {units - through} units that became 0 pass nothing on.",
        f"Through fc1 in the same way: each number of x gets a sum of {units} products, slope × weight.",
        f"Each parameter now knows its slope. {place} feels the most: {written(most['slope'])}. A small step against all slopes makes this loss smaller.",
    ]


def following(token: int, target: int) -> str:
    """Say what comes after what."""
    end = len(token_names()) - 1
    if token == target == end:
        return "The name has no letter."
    if token == end:
        return f"The name begins with {called(target)}."
    if target == end:
        return f"After {called(token)} the name ends."
    return f"After {called(token)} comes {called(target)}."


def called(token: int) -> str:
    """Return a letter in quotes, or what BOS stands for."""
    name = token_names()[token]
    return name if name == "BOS" else f"“{name}”"


def lit_lines(
    mean_loss: Source, forward: Source, softmax: Source, back: Source
) -> Iterator[LitLine]:
    """Yield the line that computes each stage, found by what it assigns or returns."""

    def assigning(source: Source, name: str) -> int:
        return max(n for n in source.statements if source.assigns(n) == name)

    def returning(source: Source) -> int:
        lines = source.statements.items()
        return next(n for n, node in lines if isinstance(node, ast.Return))

    asks = assigning(mean_loss, "probabilities")
    yield LitLine(line=min(filter(mean_loss.loops, mean_loss.statements)), waiting=[])
    for name in ("x", "hidden", "activated"):
        yield LitLine(line=assigning(forward, name), waiting=[asks])
    for source in (forward, softmax):
        yield LitLine(line=returning(source), waiting=[asks])
    yield LitLine(line=min(n for n in mean_loss.statements if n > asks), waiting=[])
    for name in (*STAGES[STAGES.index("d_logits") : -1], "gradient"):
        yield LitLine(line=assigning(back, name), waiting=[])


def written(x: float) -> str:
    """Write a number with three digits, as readers see it."""
    return f"{x:#.3g}".rstrip(".").replace("-", "−")
