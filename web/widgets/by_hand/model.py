"""What `analytic_gradient` does for one pair of a name, line by line: recorded."""

from __future__ import annotations

from itertools import pairwise, zip_longest
from typing import Any, TypedDict

from snippets import step1
from widgets._drawing import short
from widgets._inputs import whole
from widgets._names import document, token_names
from widgets._network import State, network_weights
from widgets._numbers import significant
from widgets._tracing import Moment, Source, SourceFunction, record

STEPS = 99  # from 0 to the size of the largest gradient of a matrix
VECTORS = ("x", "hidden", "activated", "probabilities")
SLOPES = ("d_x", "d_hidden", "d_activated", "d_logits")


class ByHandStep(TypedDict):
    """A line that has run, what it wrote, and that in words.

    `wrote` names a vector, whose numbers now are `values`, or is empty. `matrix` names
    the matrix whose gradient has grown, or is empty.
    """

    line: int
    wrote: str
    values: list[float]
    matrix: str
    says: str


class ByHandMatrix(TypedDict):
    """The gradient of a matrix before and after the pair.

    Each number stands as a whole one from −99 to 99, which is `limit`.
    """

    name: str
    limit: float
    before: list[list[int]]
    after: list[list[int]]


class ByHand(TypedDict):
    """A pair of a name, and the lines that run for it."""

    tokens: list[str]
    pairs: list[str]
    token: int
    target: int
    file: str
    functions: list[SourceFunction]
    steps: list[ByHandStep]
    matrices: list[ByHandMatrix]


Held = dict[str, Any]


def by_hand(name: str, pair: float, weights: State) -> ByHand:
    """Record `analytic_gradient` on a name, and return what happens for one pair.

    Pairs are counted from 1.
    """
    tokens, parameters = document(name), network_weights(weights)
    number = whole(pair, "pair", 1, len(tokens) - 1)
    moments = record(
        lambda: step1.analytic_gradient(tokens, parameters),
        (step1.analytic_gradient,),
        Copies(),
    )
    source = Source(step1.analytic_gradient.__code__)
    words = Words(tokens, number)
    of_pair = moments_of(moments, source, number)
    steps = [
        step(source, now.line, now.held, then.held, words)
        for now, then in pairwise(of_pair)
    ]
    shown = token_names()
    return ByHand(
        tokens=shown,
        pairs=[f"{shown[a]} → {shown[b]}" for a, b in pairwise(tokens)],
        token=tokens[number - 1],
        target=tokens[number],
        file=source.file,
        functions=[source.listing()],
        steps=steps,
        matrices=[
            matrix(key, of_pair[0].held["gradient"], of_pair[-1].held["gradient"])
            for key in parameters
        ],
    )


class Copies:
    """Copies the vectors and the gradient as they are at a moment.

    There are thousands of moments, and a moment changes few rows of the gradient: the
    others are those of the moment before.
    """

    def __init__(self) -> None:
        self.gradient: step1.Weights = {}

    def __call__(self, variables: dict[str, Any]) -> Held:
        """Return copies that do not change when the variables do."""
        copied: Held = {
            name: variables[name][:]
            for name in (*VECTORS, *SLOPES)
            if name in variables
        }
        self.gradient = {
            name: [
                before if before == row else row[:]
                for before, row in zip_longest(self.gradient.get(name, []), matrix)
            ]
            for name, matrix in variables.get("gradient", {}).items()
        }
        return copied | {"gradient": self.gradient}


def moments_of(
    moments: list[Moment[Held]], source: Source, number: int
) -> list[Moment[Held]]:
    """Return the moments of a pair, one for each statement, and that after its last.

    A line that calls something or runs in a loop has more moments than one; what
    counts is the first, and how things stand when another statement follows.
    """
    heads = [i for i, moment in enumerate(moments) if source.loops(moment.line)]
    outer = moments[heads[0]].line
    turns = [i for i in heads if moments[i].line == outer]
    begin, end = turns[number - 1], turns[number]
    kept: list[Moment[Held]] = []
    for moment in moments[begin:end]:
        moment.line = source.statement(moment.line)
        inner = source.loops(moment.line) and moment.line != outer
        if not inner and moment.line not in [other.line for other in kept]:
            kept.append(moment)
    return [*kept, moments[end]]


def step(
    source: Source, line: int, before: Held, after: Held, words: Words
) -> ByHandStep:
    """Return what a line has changed."""
    if source.loops(line):
        return ByHandStep(
            line=line, wrote="", values=[], matrix="", says=words.beginning()
        )
    written = source.assigns(line)
    values = after.get(written, [])
    changed = [
        name
        for name, rows in after["gradient"].items()
        if rows != before["gradient"][name]
    ]
    return ByHandStep(
        line=line,
        wrote=written if written in after and written != "gradient" else "",
        values=[significant(value, 4) for value in values]
        if written != "gradient"
        else [],
        matrix=changed[0] if changed else "",
        says=words.of(written, before, after),
    )


def matrix(
    name: str, before: dict[str, list[list[float]]], after: dict[str, list[list[float]]]
) -> ByHandMatrix:
    """Return both gradients of a matrix on one scale."""
    both = (before[name], after[name])
    limit = max(abs(d) for rows in both for row in rows for d in row)
    drawn = [
        [[round(STEPS * d / limit) if limit else 0 for d in row] for row in rows]
        for rows in both
    ]
    return ByHandMatrix(
        name=name, limit=significant(limit, 4), before=drawn[0], after=drawn[1]
    )


class Words:
    """Says what each line has done, with its numbers."""

    def __init__(self, tokens: list[int], number: int) -> None:
        shown = token_names()
        self.token, self.target = tokens[number - 1], tokens[number]
        self.count, self.number = len(tokens) - 1, number
        self.token_name = quoted(shown[self.token])
        self.target_name = quoted(shown[self.target])
        self.seen_before = self.token in tokens[: number - 1]

    def beginning(self) -> str:
        """Say which pair it is."""
        return (
            f"Pair {self.number} of {self.count}: after {self.token_name} comes"
            f" {self.target_name}."
        )

    def of(self, written: str, before: Held, after: Held) -> str:
        """Say what a line has written."""
        match written:
            case "x":
                return (
                    f"x is the embedding of {self.token_name}: the {len(after['x'])}"
                    " numbers of its row in wte."
                )
            case "hidden":
                return (
                    f"Each of the {len(after['hidden'])} hidden units is a dot product"
                    f" of x with a row of fc1. {above(after['hidden'])} are above 0."
                )
            case "activated":
                hidden = after["hidden"]
                return (
                    f"ReLU lets {above(hidden)} numbers through, and puts 0 for the"
                    f" other {len(hidden) - above(hidden)}."
                )
            case "probabilities":
                p = after["probabilities"][self.target]
                return (
                    f"fc2 makes {len(after['probabilities'])} logits, softmax makes"
                    f" probabilities. {self.target_name} gets {short(p)}."
                )
            case "d_logits":
                return self.of_logits(before, after)
            case "d_activated":
                return (
                    "linear_backward has added d × activated to the gradient of fc2."
                    f" Each of the {len(after['d_activated'])} gets what its weights"
                    " bring back: the sum of d × w."
                )
            case "d_hidden":
                shut = len(after["hidden"]) - above(after["hidden"])
                return (
                    f"The gate of ReLU: {shut} hidden units were not above 0, and their"
                    " slopes become 0. The others pass theirs on as they are."
                )
            case "d_x":
                return (
                    "linear_backward has added d × x to the gradient of fc1. Each of"
                    f" the {len(after['d_x'])} numbers of x gets the sum of d × w."
                )
        more = ", on top of what it brought before" if self.seen_before else ""
        return f"d_x is added to the gradient of {self.token_name} in wte{more}."

    def of_logits(self, before: Held, after: Held) -> str:
        """Say what has become of the probabilities."""
        d = short(after["d_logits"][self.target]).replace("-", "−")
        p = short(after["probabilities"][self.target])
        if above(after["d_logits"]) == len(after["d_logits"]):
            return (
                f"Each probability is divided by the number of pairs. For"
                f" {self.target_name}: {p} / {self.count} = {d}."
            )
        was = short(before["d_logits"][self.target])
        return (
            f"At the target {self.target_name} 1/{self.count} is taken off:"
            f" {was} − {short(1 / self.count)} = {d}. Now all of them add up to 0."
        )


def above(vector: list[float]) -> int:
    """Count the numbers above 0."""
    return sum(value > 0 for value in vector)


def quoted(token: str) -> str:
    """Return a letter in quotes; BOS is a name."""
    return token if token == "BOS" else f"“{token}”"
