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

    Args:
        model: Predicts the next token from those before it.
        tokenizer: The tokenizer that the model was trained with.
        rng: Draws each token; the same seed gives the same document.
        temperature: A number above 0 that divides the logits. Below 1,
            likely tokens become likelier; above 1, unlikely ones do.
        prompt: The first characters of the document.
        top_k: Draw from this many of the likeliest tokens; None for
            all.
        top_p: Draw from the likeliest tokens that together have this
            probability, above 0 and at most 1; None for all.

    Returns:
        The document with its prompt. It ends where the model draws its
        end, or has as many characters as the context has tokens.

    Raises:
        ValueError: A setting is outside its range, or the tokenizer
            does not know a character of the prompt.
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

    Args:
        probabilities: The probability of each token.
        top_k: Keep this many tokens, the likeliest ones; None keeps
            all.
        top_p: Of these, keep the likeliest until they have this share
            of what `top_k` has left, above 0 and at most 1; None keeps
            all.

    Returns:
        The probabilities in the same order. Those kept are as before,
        so they add up to less than 1 if any token was cut off.
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
    """Raise ValueError for what `sample` cannot work with."""
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
