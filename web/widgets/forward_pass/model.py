"""From a name to its loss, line by line: recorded while `mean_loss` runs."""

from __future__ import annotations

import ast
import math
from itertools import pairwise
from types import CodeType
from typing import Any, TypedDict

from snippets import step1
from widgets import _tracing
from widgets._names import document, token_names
from widgets._network import State, network_weights
from widgets._numbers import significant
from widgets._tracing import Source, SourceFunction, copies, record

FUNCTIONS = (step1.mean_loss, step1.forward, step1.softmax)
VECTORS = ("x", "hidden", "activated", "logits", "exps", "probabilities")
SHOWN = ("token", "target", "losses", "largest", "total", *VECTORS)

Moment = _tracing.Moment[dict[str, Any]]


class ForwardPair(TypedDict):
    """A pair of the name: what the network made of the first token, and the loss.

    `vectors` has what each variable that is a vector came to hold.
    """

    token: int
    target: int
    vectors: dict[str, list[float]]
    largest: float
    total: float
    p: float
    loss: float


class ForwardStep(TypedDict):
    """How things stand just before a line runs; line 0 is the end.

    `waiting` are the lines that have called the function of this one. `pair` is the
    place of the pair that it is about; `holds` names, function by function, the
    variables that have their value for this pair; `losses` is the number of losses so far.
    """

    line: int
    waiting: list[int]
    pair: int
    holds: dict[str, list[str]]
    losses: int
    says: str


class ForwardPass(TypedDict):
    """The whole walk, and the functions that take it; `blind` is the loss of a blind guess."""

    tokens: list[str]
    pairs: list[ForwardPair]
    mean: float
    blind: float
    file: str
    functions: list[SourceFunction]
    steps: list[ForwardStep]


def forward_pass(name: str, weights: State) -> ForwardPass:
    """Compute the loss of a name, and record every line of it."""
    walk = Walk(document(name), network_weights(weights))
    return ForwardPass(
        tokens=walk.names,
        pairs=walk.pairs,
        mean=significant(walk.mean, 5),
        blind=significant(math.log(len(walk.names)), 5),
        file=walk.sources[walk.moments[0].code].file,
        functions=[source.listing() for source in walk.sources.values()],
        steps=walk.steps,
    )


class Walk:
    """The moments of one run, each with the words for what its line does."""

    def __init__(self, tokens: list[int], weights: step1.Weights) -> None:
        self.names = token_names()
        self.targets = list(pairwise(tokens))
        means: list[float] = []
        recorded = record(
            lambda: means.append(step1.mean_loss(tokens, weights)),
            FUNCTIONS,
            copies(*SHOWN),
        )
        (self.mean,) = means
        self.moments = merged(recorded)
        self.mean_loss = self.moments[0].code
        codes: dict[CodeType, None] = dict.fromkeys(m.code for m in self.moments)
        self.sources = {code: Source(code) for code in codes}
        self.steps: list[ForwardStep] = []
        self.found: list[dict[str, Any]] = [{} for _ in self.targets]
        self.pair = -1
        self.holds: dict[str, list[str]] = {}
        self.guessed = False  # whether `probabilities` are of this pair
        for now, then in pairwise(self.moments):
            self.notice(now)
            taken = self.takes(now, then)
            if taken:
                self.pair, self.guessed = self.pair + 1, False
                self.holds = {"mean_loss": ["losses"]}
            self.steps.append(self.step(now, self.says(now, then, taken)))
            left = now.code is self.mean_loss and now.line != then.line
            self.guessed |= left and self.assigns(now) == "probabilities"
        says = f"mean_loss has returned {written(self.mean)}, and no parameter has changed."
        self.steps.append(self.step(self.moments[-1], says))
        self.pairs = [
            result(token, target, found)
            for (token, target), found in zip(self.targets, self.found, strict=True)
        ]

    def notice(self, now: Moment) -> None:
        """Note which variables have a value for this pair, and what it is."""
        names = [name for name in SHOWN if name in now.held]
        if now.code is self.mean_loss:
            if not self.guessed and "probabilities" in names:
                names.remove("probabilities")
            self.holds = {"mean_loss": names}
        else:
            within = self.sources[now.code].function.name
            self.holds = {"mean_loss": self.holds["mean_loss"], within: names}
        if self.pair >= 0:
            self.found[self.pair] |= {name: now.held[name] for name in names}

    def takes(self, now: Moment, then: Moment) -> bool:
        """Say whether the line is the `for`, and takes another pair."""
        return now.code is then.code and bool(
            self.sources[now.code].takes(now.line, then.line)
        )

    def assigns(self, now: Moment) -> str:
        """Return the variable that the line gives a value, or "" if it is none."""
        match self.sources[now.code].statements.get(now.line):
            case ast.Assign(targets=[ast.Name(id=name)]):
                return name
        return ""

    def step(self, now: Moment, says: str) -> ForwardStep:
        """Return how things stand."""
        return ForwardStep(
            line=now.line,
            waiting=now.waiting if now.line else [],
            pair=max(self.pair, 0),
            holds=self.holds,
            losses=len(now.held["losses"]) if "losses" in now.held else self.losses(),
            says=says,
        )

    def losses(self) -> int:
        """Return how many losses there were at the step before."""
        return self.steps[-1]["losses"] if self.steps else 0

    def says(self, now: Moment, then: Moment, taken: bool) -> str:
        """Say what the line is about to do."""
        source = self.sources[now.code]
        if source.loops(now.line):
            return self.says_of_pair(taken)
        if now.code is not self.mean_loss:
            return self.says_inside(now, then)
        if self.assigns(now) == "losses":
            return "There is no loss yet."
        if self.assigns(now) == "probabilities":
            return self.says_of_call(then)
        token, target = self.targets[self.pair]
        if isinstance(source.statements[now.line], ast.Return):
            return (
                f"The {len(self.targets)} losses are added up and divided by"
                f" {len(self.targets)}: {written(self.mean)}."
            )
        p = now.held["probabilities"][target]
        return (
            f"{self.names[target]} came after {self.names[token]}, and had a probability"
            f" of {written(p)}. Its loss, −ln {written(p)} = {written(-math.log(p))},"
            " joins the others."
        )

    def says_of_pair(self, taken: bool) -> str:
        """Say which pair the `for` takes."""
        if not taken:
            return "No pair is left."
        token, target = self.targets[self.pair]
        which = "first" if self.pair == 0 else "next"
        return (
            f"The {which} pair: after {self.names[token]} comes {self.names[target]}."
            " What did the network expect?"
        )

    def says_of_call(self, then: Moment) -> str:
        """Say whom the line calls, or what it does with what it was returned."""
        token, target = self.targets[self.pair]
        if then.code is self.mean_loss:
            p = then.held["probabilities"]
            return (
                f"softmax has returned {len(p)} probabilities. {self.names[target]} has"
                f" {written(p[target])}."
            )
        if self.sources[then.code].function.name == "forward":
            return f"forward is called with {token}, the token {self.names[token]}."
        return f"forward has returned {len(then.held['logits'])} logits, and softmax is called with them."

    def says_inside(self, now: Moment, then: Moment) -> str:
        """Say what a line of `forward` or `softmax` does."""
        token, _ = self.targets[self.pair]
        held = then.held
        match self.assigns(now):
            case "x":
                return (
                    f"Row {token} of wte is looked up: the embedding of"
                    f" {self.names[token]}, {len(held['x'])} numbers."
                )
            case "hidden":
                count = len(held["hidden"])
                return f"A dot product of x with each of the {count} rows of fc1."
            case "activated":
                off = sum(h < 0 for h in held["hidden"])
                return f"{off} of the {len(held['hidden'])} are below 0, and become 0."
            case "largest":
                at = now.held["logits"].index(held["largest"])
                return (
                    f"The largest logit is {written(held['largest'])}, that of"
                    f" {self.names[at]}."
                )
            case "exps":
                return (
                    "The largest is taken from each logit; exp of what is left goes from"
                    f" {written(min(held['exps']))} to {written(max(held['exps']))}."
                )
            case "total":
                return f"They add up to {written(held['total'])}."
        if "exps" in now.held:
            return f"Each is divided by {written(now.held['total'])}, so that all add up to 1."
        return f"A dot product of activated with each row of fc2: {len(self.names)} logits."


def merged(moments: list[Moment]) -> list[Moment]:
    """Leave out that a line goes round within itself, as comprehensions do."""
    kept = moments[:1]
    for moment in moments[1:]:
        last = kept[-1]
        if moment.code is not last.code or moment.line != last.line:
            kept.append(moment)
    return kept


def result(token: int, target: int, found: dict[str, Any]) -> ForwardPair:
    """Return what was found for a pair."""
    p = found["probabilities"][target]
    return ForwardPair(
        token=token,
        target=target,
        vectors={name: [significant(x) for x in found[name]] for name in VECTORS},
        largest=significant(found["largest"]),
        total=significant(found["total"]),
        p=significant(p, 4),
        loss=significant(-math.log(p), 5),
    )


def written(x: float) -> str:
    """Write a number as readers see it."""
    size = abs(x)
    decimals = 4 if size < 100 else 2
    text = f"{x:.{decimals}f}" if size >= 5e-4 or x == 0 else f"{x:.2g}"
    return text.replace("-", "−")
