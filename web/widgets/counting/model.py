"""What `train_step` does to the count table with a name: recorded while it runs."""

import ast
from itertools import pairwise
from typing import TypedDict

from snippets.step0 import (
    Counts,
    count_pairs,
    mean_loss,
    probabilities,
    train_step,
)
from widgets._counting import LEARNT, counts_after
from widgets._names import document, token_names
from widgets._numbers import shown
from widgets._tracing import Source, SourceFunction, record

FUNCTIONS = (train_step, count_pairs)


class CountingStep(TypedDict):
    """A line of the program, and the pair that it counts, if it counts one."""

    line: int
    waiting: list[int]
    pair: int | None


class CountedRow(TypedDict):
    """The row of a token, as counts and as probabilities.

    `total` is what its counts add up to with smoothing; `others` are the probabilities
    of all tokens but the one that comes, added up.
    """

    counts: list[int]
    total: int
    p: list[float]
    others: float


class CountedPair(TypedDict):
    """A pair, and the row of its first token just before and just after it counts."""

    token: int
    target: int
    before: CountedRow
    after: CountedRow


class CountingStart(TypedDict):
    """The pairs of the name, counted by a model that has learnt so many names.

    `loss` is what `train_step` returns; `again` is the loss of the name afterwards.
    """

    learnt: int
    loss: float
    again: float
    pairs: list[CountedPair]


class Counting(TypedDict):
    """The steps of `train_step` with a name, which are the same at every start."""

    tokens: list[str]
    document: list[int]
    file: str
    functions: list[SourceFunction]
    steps: list[CountingStep]
    starts: list[CountingStart]


def counting(name: str) -> Counting:
    """Let models that have learnt more and more names learn this one, too."""
    tokens = document(name)
    sources = [Source(function.__code__) for function in FUNCTIONS]
    steps: list[CountingStep] = []
    starts = []
    for learnt in LEARNT:
        counts = counts_after(learnt)
        steps, pairs, loss = learn(tokens, counts)
        starts.append(
            CountingStart(
                learnt=learnt,
                loss=shown(loss),
                again=shown(mean_loss(tokens, counts)),
                pairs=pairs,
            )
        )
    return Counting(
        tokens=token_names(),
        document=tokens,
        file=sources[0].file,
        functions=[source.listing() for source in sources],
        steps=steps,
        starts=starts,
    )


def learn(
    tokens: list[int], counts: Counts
) -> tuple[list[CountingStep], list[CountedPair], float]:
    """Run `train_step`; return its lines that do something, the pairs, the loss."""
    losses: list[float] = []
    moments = record(
        lambda: losses.append(train_step(tokens, counts)),
        FUNCTIONS,
        # Not all of them exist at the first moments.
        lambda held: {**held, "counts": [row.copy() for row in held["counts"]]},
    )
    sources = {function.__code__: Source(function.__code__) for function in FUNCTIONS}
    steps: list[CountingStep] = []
    pairs: list[CountedPair] = []
    for now, then in pairwise(moments):
        statement = sources[now.code].statements.get(now.line)
        # The line that calls `count_pairs` does nothing but that.
        if not isinstance(statement, ast.Assign | ast.AugAssign | ast.Return):
            continue
        counted = isinstance(statement, ast.AugAssign)
        if counted:
            token, target = now.held["token"], now.held["target"]
            pairs.append(
                CountedPair(
                    token=token,
                    target=target,
                    before=row(token, target, now.held["counts"]),
                    after=row(token, target, then.held["counts"]),
                )
            )
        steps.append(
            CountingStep(
                line=now.line,
                waiting=now.waiting,
                pair=len(pairs) - 1 if counted else None,
            )
        )
    return steps, pairs, losses[0]


def row(token: int, target: int, counts: Counts) -> CountedRow:
    """Return the row of a token."""
    p = probabilities(token, counts)
    return CountedRow(
        counts=counts[token],
        total=sum(counts[token]) + len(p),
        p=[shown(share) for share in p],
        others=shown(sum(p) - p[target]),
    )
