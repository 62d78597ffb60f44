"""The residual stream of Step 3: what attention and the MLP add to a token's vector."""

from __future__ import annotations

import math
from typing import TypedDict

from microgpt import linear, softmax
from microgpt.nn import Vector
from widgets._gpt import numbers, read, step3_weights
from widgets._names import document, token_names
from widgets._network import State
from widgets._numbers import significant
from widgets._tracing import Call

LONGEST = 12  # letters


class StreamVector(TypedDict):
    """A vector, and how long it is."""

    numbers: list[float]
    length: float


class StreamPlace(TypedDict):
    """The stream at one place, and the probabilities that `lm_head` would give there.

    `loss` is that of the token that comes next.
    """

    numbers: list[float]
    length: float
    probabilities: list[float]
    loss: float


class StreamToken(TypedDict):
    """A token on its way: its two embeddings, the stream, and what was added.

    `stream` is taken as their sum, after RMSNorm, after attention and after the MLP;
    `added` is the part of attention and that of the MLP.
    """

    token: int
    next: int
    embeddings: list[StreamVector]
    stream: list[StreamPlace]
    added: list[StreamVector]


class ResidualStream(TypedDict):
    """Each token of a name on its way through the untrained and the trained model."""

    tokens: list[str]
    untrained: list[StreamToken]
    trained: list[StreamToken]


def residual_stream(name: str) -> ResidualStream:
    """Run `forward` of Step 3 over a name, and record the stream of each token."""
    tokens = document(name, LONGEST)
    return ResidualStream(
        tokens=token_names(),
        untrained=ways(tokens, "untrained"),
        trained=ways(tokens, "trained"),
    )


def ways(tokens: list[int], state: State) -> list[StreamToken]:
    """Return the way of each token that is read, to the token that comes next."""
    calls = read("step3", state, tokens[:-1])
    return [
        way(*each, state) for each in zip(tokens[:-1], tokens[1:], calls, strict=True)
    ]


def way(token: int, target: int, forward: Call, state: State) -> StreamToken:
    """Read the stream off the calls that `forward` has made."""
    (norm,), (attention,), (mlp,) = map(forward.all, ("rmsnorm", "attention", "mlp"))
    stream = [norm.variables["x"], norm.result, attention.result, mlp.result]
    return StreamToken(
        token=token,
        next=target,
        embeddings=[
            vector(forward.variables[of])
            for of in ("token_embedding", "position_embedding")
        ],
        stream=[place(x, target, state) for x in stream],
        added=[vector(call.variables["output"]) for call in (attention, mlp)],
    )


def place(x: Vector, target: int, state: State) -> StreamPlace:
    """Ask the last layer what it would say, if the stream ended here."""
    probabilities = numbers(softmax(linear(x, step3_weights(state)["lm_head"])))
    return StreamPlace(
        **vector(x),
        probabilities=[significant(p) for p in probabilities],
        loss=significant(-math.log(probabilities[target])),
    )


def vector(x: Vector) -> StreamVector:
    """Return a vector for readers to see."""
    return StreamVector(
        numbers=[significant(xi) for xi in numbers(x)],
        length=significant(math.hypot(*numbers(x))),
    )
