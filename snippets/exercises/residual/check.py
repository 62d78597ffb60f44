"""Checks a forward pass with both residual connections, and how much they bring back."""

import math
from collections.abc import Callable

from microgpt import linear, rmsnorm
from microgpt.attention import Cache
from microgpt.nn import Vector
from snippets import step3
from snippets.exercises import Hint, Program, close, function
from snippets.ready import slopes_of_embeddings, untrained_attention

Forward = Callable[[int, step3.Weights, Cache], Vector]
NAMES = ("emma", "toby")


def check(program: Program) -> None:
    """Compare with the forward pass of Step 3, then the gradients' lengths."""
    forward = function(program, "forward")
    if agrees(forward, model(False, False)):
        raise Hint(
            "In two places x is still replaced by what was computed. Add the old x to it, "
            "number by number."
        )
    if agrees(forward, model(True, False)):
        raise Hint(
            "Attention adds to x now. The MLP still replaces x by what it computed."
        )
    if agrees(forward, model(False, True)):
        raise Hint(
            "The MLP adds to x now. Attention still replaces x by what it gathered."
        )
    if not agrees(forward, step3.forward):
        raise Hint(
            "These are not the logits of Step 3. What is added back is x itself, as it "
            "was before rmsnorm made a copy for the layer."
        )
    times = program.get("times")
    true = slopes_of_embeddings(model(True, True))
    true /= slopes_of_embeddings(model(False, False))
    if not isinstance(times, int | float):
        raise Hint(
            "The stream is mended. Now set times to the factor by which the printed "
            "number has grown."
        )
    if math.isclose(times, 1 / true, rel_tol=0.02):
        raise Hint(
            "The gradient has become longer, so the factor is above 1: the number now, "
            "divided by the number before."
        )
    if not math.isclose(times, true, rel_tol=0.02):
        raise Hint(
            f"{times:g} is not the factor. Divide the number that is printed now by the "
            "one that the program printed at first."
        )


def model(attention: bool, mlp: bool) -> Forward:
    """Return the forward pass of Step 3 with those of its residuals."""

    def forward(
        token: int, weights: step3.Weights, cache: Cache
    ) -> Vector:
        rows = weights["wte"][token], weights["wpe"][len(cache.keys)]
        x = rmsnorm([t + p for t, p in zip(*rows)])
        y = step3.attention(x, weights, cache)
        x = y if attention else difference(y, x)
        y = step3.mlp(x, weights)
        x = y if mlp else difference(y, x)
        return linear(x, weights["lm_head"])

    return forward


def difference(y: Vector, x: Vector) -> Vector:
    """Return what a layer computed before it added x."""
    return [yi - xi for yi, xi in zip(y, x)]


def agrees(forward: Forward, other: Forward) -> bool:
    """Tell whether two forward passes give the same logits."""
    _, tokenizer, weights = untrained_attention()
    for name in NAMES:
        caches = Cache(), Cache()
        for token in tokenizer.document(name)[:-1]:
            found, expected = (
                each(token, weights, cache)
                for each, cache in zip((forward, other), caches)
            )
            if not close(found, expected):
                return False
    return True
