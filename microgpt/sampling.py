"""Sampling: one token at a time, each drawn from a prediction."""

import random
from bisect import bisect_left
from itertools import accumulate

from microgpt.model import GPT
from microgpt.nn import softmax
from microgpt.tokenizer import Tokenizer


def sample(
    model: GPT,
    tokenizer: Tokenizer,
    rng: random.Random,
    temperature: float = 0.5,
    prompt: str = "",
    *,
    top_k: int | None = None,
    top_p: float | None = None,
) -> str:
    """Invent a document that begins with `prompt`.

    A temperature below 1 makes likely tokens likelier. `top_k` and
    `top_p` leave out unlikely ones: see `zero_unlikely_probabilities`.
    The document ends where the model draws BOS, or when the context is
    full.

    Raises:
        ValueError: A setting is out of range, or the tokenizer does not
            know a character of the prompt.
        IndexError: The prompt is longer than the context.
    """
    check_settings(temperature, top_k, top_p)
    cache = model.new_cache()
    tokens = [tokenizer.bos, *tokenizer.encode(prompt)]
    for token in tokens[:-1]:
        model.forward(token, cache)
    while len(tokens) <= model.config.block_size:
        logits = model.forward(tokens[-1], cache)
        p = softmax([logit / temperature for logit in logits])
        weights = zero_unlikely_probabilities(
            [pi.data for pi in p], top_k, top_p
        )
        token = rng.choices(range(tokenizer.vocab_size), weights)[0]
        if token == tokenizer.bos:
            break
        tokens.append(token)
    return tokenizer.decode(tokens[1:])


def zero_unlikely_probabilities(
    probabilities: list[float],
    top_k: int | None = None,
    top_p: float | None = None,
) -> list[float]:
    """Set the probabilities of unlikely tokens to 0.

    Keep the `top_k` likeliest tokens, and of these the likeliest that
    have at least the share `top_p` of their sum; None keeps all. Those
    kept are as before, so the result may add up to less than 1.
    """
    tokens = range(len(probabilities))
    kept = sorted(tokens, key=lambda i: -probabilities[i])[:top_k]
    if top_p is not None and top_p < 1:
        totals = list(accumulate(probabilities[i] for i in kept))
        enough = bisect_left(totals, top_p * totals[-1])
        kept = kept[: enough + 1]
    return [probabilities[i] if i in kept else 0.0 for i in tokens]


def check_settings(
    temperature: float, top_k: int | None, top_p: float | None
) -> None:
    """Raise ValueError for a setting that `sample` cannot use."""
    if not temperature > 0:
        raise ValueError(
            f"expected a temperature above 0, got {temperature}"
        )
    if top_k is not None and top_k < 1:
        raise ValueError(f"expected a top_k of at least 1, got {top_k}")
    if top_p is not None and not 0 < top_p <= 1:
        raise ValueError(
            f"expected a top_p above 0 and at most 1, got {top_p}"
        )
