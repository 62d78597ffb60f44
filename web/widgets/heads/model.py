"""How a layer cuts its vectors into heads: recorded while `GPT.attention` runs."""

from __future__ import annotations

import ast
from copy import copy
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypedDict

from microgpt import GPT, attend
from microgpt.nn import Vector
from widgets._gpt import gpt, numbers
from widgets._inputs import whole
from widgets._names import document, token_names
from widgets._numbers import shown, significant
from widgets._tracing import Call, Moment, Source, SourceFunction, calls, record

LONGEST = 8  # letters: each has three rows in the picture

Vectors = list[list[float]]


class HeadsPosition(TypedDict):
    """What attention computes when it reads one token.

    `weights` has a list for each head, with the attention weight of each token so far.
    These have four decimals, other numbers three significant digits.
    `says` has a sentence for each step.
    """

    x: list[float]
    query: list[float]
    weights: Vectors
    gathered: list[float]
    output: list[float]
    returned: list[float]
    says: list[str]


class HeadsStep(TypedDict):
    """How things stand just before a line runs; line 0 is the end.

    `head` is the head whose turn it is, or -1. `takes` names what the line reads, `holds`
    what is there already; `gathered` is how many numbers of it there are.
    """

    line: int
    head: int
    takes: list[str]
    holds: list[str]
    gathered: int


class Heads(TypedDict):
    """A name read by the trained model, its vectors cut into some number of heads."""

    tokens: list[str]
    choices: list[int]
    trained: int
    n_head: int
    head_dim: int
    keys: Vectors
    values: Vectors
    positions: list[HeadsPosition]
    steps: list[HeadsStep]
    file: str
    functions: list[SourceFunction]


def heads(name: str, n_head: int) -> Heads:
    """Let the trained model read a name, its weights cut into so many heads."""
    trained = gpt("trained")
    width = trained.config.n_embd
    choices = [n for n in range(1, width + 1) if width % n == 0]
    if whole(n_head, "heads", 1, width) not in choices:
        raise ValueError(f"heads: choose one of {', '.join(map(str, choices))}")
    model = copy(trained)
    model.config = replace(trained.config, n_head=int(n_head))
    tokens = document(name, LONGEST)[:-1]
    found = read(model, tokens)
    names = [token_names()[token] for token in tokens]
    walks = [
        Walk(names[: position + 1], model, call, moments)
        for position, (call, moments) in enumerate(zip(found, recorded(model, tokens)))
    ]
    cache = found[-1].variables["cache"]
    return Heads(
        tokens=names,
        choices=choices,
        trained=trained.config.n_head,
        n_head=model.config.n_head,
        head_dim=model.config.head_dim,
        keys=[rounded(key) for key in cache.keys],
        values=[rounded(value) for value in cache.values],
        positions=[walk.result() for walk in walks],
        steps=[walks[-1].step(moment) for moment in walks[-1].moments],
        file=walks[-1].source.file,
        functions=[walks[-1].source.listing()],
    )


def read(model: GPT, tokens: list[int]) -> list[Call]:
    """Return the calls of `attention`, one for each token, with those of `attend`."""
    cache = model.new_cache()
    return calls(
        lambda: [model.forward(token, cache) for token in tokens],
        (GPT.attention, attend),
    )


@dataclass
class Held:
    """What of the variables tells how far `attention` has come."""

    names: set[str]
    start: int
    gathered: int
    keys: int
    values: int


def held(variables: dict[str, Any]) -> Held:
    """Note how far `attention` has come."""
    return Held(
        names=set(variables),
        start=variables.get("start", 0),
        gathered=len(variables.get("gathered", [])),
        keys=len(variables["cache"].keys),
        values=len(variables["cache"].values),
    )


def recorded(model: GPT, tokens: list[int]) -> list[list[Moment[Held]]]:
    """Return the moments of `attention` for each token, from its first line to its end."""
    cache = model.new_cache()
    runs: list[list[Moment[Held]]] = [[]]
    for moment in record(
        lambda: [model.forward(token, cache) for token in tokens],
        (GPT.attention,),
        held,
    ):
        runs[-1].append(moment)
        if moment.line == 0:
            runs.append([])
    return runs[:-1]


class Walk:
    """One call of `attention`, statement by statement, with words for each."""

    def __init__(
        self, names: list[str], model: GPT, call: Call, moments: list[Moment[Held]]
    ) -> None:
        self.names = names
        self.config = model.config
        self.call = call
        self.source = Source(moments[0].code)
        self.moments = self.merged(moments)

    def merged(self, moments: list[Moment[Held]]) -> list[Moment[Held]]:
        """Let each statement have one moment, however many lines it stands on."""
        kept: list[Moment[Held]] = []
        for moment in moments:
            line = moment.line and self.source.statement(moment.line)
            if not kept or line != kept[-1].line:
                kept.append(replace(moment, line=line))
        return kept

    def result(self) -> HeadsPosition:
        """Return what the call has computed, and what is said of each step."""
        variables = self.call.variables
        return HeadsPosition(
            x=rounded(variables["x"]),
            query=rounded(variables["query"]),
            weights=[[shown(w) for w in numbers(head)] for head in self.weights()],
            gathered=rounded(variables["gathered"]),
            output=rounded(variables["output"]),
            returned=rounded(self.call.result),
            says=[
                *(self.says(now, then) for now, then in pairwise(self.moments)),
                self.says_at_the_end(),
            ],
        )

    def weights(self) -> list[Vector]:
        """Return the attention weights of each head."""
        return [head.variables["weights"] for head in self.call.all("attend")]

    def step(self, now: Moment[Held]) -> HeadsStep:
        """Return how things stand."""
        there = {
            "x": True,
            "query": "query" in now.held.names,
            "key": now.held.keys == len(self.names),
            "value": now.held.values == len(self.names),
            "output": "output" in now.held.names,
            "returned": now.line == 0,
        }
        return HeadsStep(
            line=now.line,
            head=self.head(now) if self.within_loop(now) else -1,
            takes=self.takes(now),
            holds=[name for name, is_there in there.items() if is_there],
            gathered=now.held.gathered,
        )

    def head(self, now: Moment[Held]) -> int:
        """Return the head whose turn it is."""
        return now.held.start // self.config.head_dim

    def within_loop(self, now: Moment[Held]) -> bool:
        """Say whether a line is in the body of the `for`."""
        return any(
            loop.body[0].lineno <= now.line - self.source.first + 1
            and now.line - self.source.first + 1 <= loop.body[-1].lineno
            for loop in ast.walk(self.source.function)
            if isinstance(loop, ast.For)
        )

    def takes(self, now: Moment[Held]) -> list[str]:
        """Name those of the vectors in the picture that a line reads."""
        statement = self.source.statements.get(now.line)
        if statement is None or isinstance(statement, ast.Expr | ast.For):
            return []
        read = {
            node.id
            for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        } | {
            node.attr
            for node in ast.walk(statement)
            if isinstance(node, ast.Attribute) and node.attr in ("keys", "values")
        }
        shown = ("x", "query", "keys", "values", "gathered", "output")
        return [name for name in shown if name in read]

    def says(self, now: Moment[Held], then: Moment[Held]) -> str:
        """Say what a line is about to do."""
        width, place = self.config.n_embd, len(self.names) - 1
        source = self.source
        token = self.names[-1]
        if source.loops(now.line):
            if not source.takes(now.line, then.line):
                return "No head is left: all have had their turn."
            return f"It is the turn of head {self.head(then)}."
        if self.within_loop(now):
            return self.says_of_head(now)
        match source.assigns(now.line):
            case "normed":
                return (
                    f"attention reads {token} at position {place}. x is scaled to a root"
                    " mean square of 1."
                )
            case "query":
                return (
                    f"A dot product with each row of attn_wq gives a query of {width}"
                    " numbers, for all heads at once."
                )
            case "output":
                return (
                    f"gathered has {len(self.call.variables['gathered'])} numbers. Each"
                    " row of attn_wo takes something from every head."
                )
        statement = source.statements[now.line]
        if isinstance(statement, ast.Return):
            return "The output is added to x, number by number."
        if isinstance(statement, ast.AnnAssign):
            return "No head has gathered anything yet."
        what = "key" if then.held.keys > now.held.keys else "value"
        others = f"joins {place} in the cache" if place else "is the first in the cache"
        return f"The {what} of {token}, {width} numbers, {others}."

    def says_of_head(self, now: Moment[Held]) -> str:
        """Say what a line does for one head."""
        head, count = self.head(now), self.config.head_dim
        first, last = now.held.start, now.held.start + count - 1
        numbers_of = f"{count} numbers" if count > 1 else "1 number"
        match self.source.assigns(now.line):
            case "head":
                which = f"places {first} to {last}" if count > 1 else f"place {first}"
                return f"Head {head} has {which} of every vector."
            case "gathered":
                weights = numbers(self.weights()[head])
                most = max(range(len(weights)), key=weights.__getitem__)
                return (
                    f"attend gives head {head} an average of {numbers_of}. Most weight,"
                    f" {weights[most]:.2f}, has {self.names[most]} at position {most}."
                )
            case what:
                vectors = f"all {len(self.names)} {what}"
                some = vectors if len(self.names) > 1 else f"the only {what[:-1]}"
                return f"Head {head} takes its {numbers_of} of {some} in the cache."

    def says_at_the_end(self) -> str:
        """Say what came of it."""
        heads = f"{self.config.n_head} heads have"
        who = heads if self.config.n_head > 1 else "one head has"
        return (
            f"attention has returned x with what {who} gathered for"
            f" {self.names[-1]} at position {len(self.names) - 1}."
        )


def rounded(vector: Vector) -> list[float]:
    """Return a vector for readers to see."""
    return [significant(number) for number in numbers(vector)]
