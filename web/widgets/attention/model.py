"""Attention while it runs: every score, weight and output of every head."""

from __future__ import annotations

from typing import TypedDict, get_args

from microgpt import Config, Value, attend
from widgets._gpt import Program, numbers, read
from widgets._names import document, token_names
from widgets._network import State
from widgets._numbers import shown
from widgets._tracing import Call, Source, SourceFunction

LONGEST = Config().block_size - 1  # letters, after BOS
DECIMALS = 3

Rows = list[list[float]]


class AttentionHead(TypedDict):
    """What one call of `attend` per token was given, and what it made of it.

    Each list has an entry for each token that asks. In `dots`, `scores`, `exps` and
    `weights` this is a row, with a number for each token that is asked: those that
    have been read by then. A score is its dot product times `scale`. An exp is e to the
    power of the score minus the `largest` of the row; its share of their `total` is
    the weight.
    """

    layer: int
    head: int
    scale: float
    queries: Rows
    keys: Rows
    values: Rows
    dots: Rows
    scores: Rows
    largest: list[float]
    exps: Rows
    total: list[float]
    weights: Rows
    weights_sum: list[float]
    outputs: Rows


class AttentionModel(TypedDict):
    """A model before or after training, and its heads, layer by layer."""

    program: Program
    weights: State
    heads: list[AttentionHead]


class AttentionLines(TypedDict):
    """The lines of `attend` in which scores become weights, and weights outputs."""

    weights: int
    outputs: int


class Attention(TypedDict):
    """What the models do with the tokens of a name, and the lines that do it."""

    tokens: list[str]
    models: list[AttentionModel]
    file: str
    functions: list[SourceFunction]
    lines: AttentionLines


def attention(name: str, program: Program, weights: State, head: int = 0) -> Attention:
    """Let the models read a name; the other parameters say what is shown first."""
    if program not in get_args(Program):
        raise ValueError(f"program: choose {' or '.join(get_args(Program))}")
    if weights not in get_args(State):
        raise ValueError(f"weights: choose {' or '.join(get_args(State))}")
    tokens = document(name, LONGEST)[:-1]
    models = [
        AttentionModel(
            program=each, weights=state, heads=heads(read(each, state, tokens))
        )
        for each in get_args(Program)
        for state in get_args(State)
    ]
    count = next(len(m["heads"]) for m in models if m["program"] == program)
    if head not in range(count):
        raise ValueError(f"head: choose from 0 to {count - 1}")
    source = Source(attend.__code__)
    listing = source.listing()
    return Attention(
        tokens=[token_names()[token] for token in tokens],
        models=models,
        file=source.file,
        functions=[listing],
        lines=AttentionLines(
            weights=line_with("softmax(", listing),
            outputs=line_with("dot(weights", listing),
        ),
    )


def heads(passes: list[Call]) -> list[AttentionHead]:
    """Return what each head did while the tokens were read, one after another."""
    by_token = [
        {
            (layer, head): call
            for layer, whole in enumerate(forward.all("attention"))
            for head, call in enumerate(whole.all("attend"))
        }
        for forward in passes
    ]
    return [
        head_of(layer, head, [calls[layer, head] for calls in by_token])
        for layer, head in by_token[0]
    ]


def head_of(layer: int, head: int, calls: list[Call]) -> AttentionHead:
    """Return what a head did in its calls of `attend`, one for each token."""
    last = calls[-1].variables
    softmaxes = [call.all("softmax")[0] for call in calls]
    scores: list[list[Value]] = [each.variables["logits"] for each in softmaxes]
    exps: list[list[Value]] = [each.variables["exps"] for each in softmaxes]
    # A score remembers the dot product that it was made of, and 1/total the total.
    dots = [[score._children[0] for score in row] for row in scores]
    totals = [each.variables["scale"]._children[0].data for each in softmaxes]
    return AttentionHead(
        layer=layer,
        head=head,
        scale=last["scale"],
        queries=rows([call.variables["query"] for call in calls]),
        keys=rows(last["keys"]),
        values=rows(last["values"]),
        dots=rows(dots),
        scores=rows(scores),
        largest=short([each.variables["largest"] for each in softmaxes]),
        exps=rows(exps),
        total=short(totals),
        weights=rows([each.result for each in softmaxes]),
        weights_sum=short([sum(numbers(each.result)) for each in softmaxes]),
        outputs=rows([call.result for call in calls]),
    )


def rows(vectors: list[list[Value]]) -> Rows:
    """Return vectors for readers to see."""
    return [short(numbers(vector)) for vector in vectors]


def short(vector: list[float]) -> list[float]:
    """Return numbers for readers to see; no zero has a sign."""
    return [shown(x, DECIMALS) + 0.0 for x in vector]


def line_with(text: str, listing: SourceFunction) -> int:
    """Return the number of the one line that has a text."""
    (number,) = (line["number"] for line in listing["lines"] if text in line["text"])
    return number
