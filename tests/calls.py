"""Watches functions of the package and the programs, to compare pages with what they compute."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any

from microgpt import GPT, Value, attend, linear, rmsnorm, softmax

MODEL = (GPT.forward, GPT.attention, GPT.mlp, attend, softmax, linear, rmsnorm)


@dataclass
class Call:
    """A call that was watched: its variables at its end, and its result, not copied."""

    name: str
    variables: dict[str, Any]
    result: Any
    calls: list[Call]

    def all(self, name: str) -> list[Call]:
        """Return the calls of a function that this one made itself, in order."""
        return [call for call in self.calls if call.name == name]


def calls(
    act: Callable[[], object], functions: Sequence[Callable[..., object]]
) -> list[Call]:
    """Run `act`; return the outermost calls of the functions, with those inside them."""
    codes = {inspect.unwrap(function).__code__ for function in functions}
    open_calls: list[list[Call]] = [[]]

    def trace(frame: FrameType, event: str, result: object) -> Any:
        if frame.f_code not in codes:
            return None
        if event == "call":
            frame.f_trace_lines = False
            open_calls.append([])
        elif event == "return":
            inner = open_calls.pop()
            name = frame.f_code.co_name
            open_calls[-1].append(Call(name, dict(frame.f_locals), result, inner))
        return trace

    earlier = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    finally:
        sys.settrace(earlier)
    (outermost,) = open_calls
    return outermost


def read_with(model: GPT, tokens: list[int]) -> list[Call]:
    """Let a model read tokens, one after another; return its calls of `forward`."""
    caches = model.new_cache()
    return calls(lambda: [model.forward(token, caches) for token in tokens], MODEL)


def numbers(vector: Sequence[Value]) -> list[float]:
    """Return the numbers in a vector."""
    return [value.data for value in vector]
