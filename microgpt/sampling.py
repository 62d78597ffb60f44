"""Sampling: one token at a time, each drawn from a prediction."""

import random

from microgpt.model import GPT
from microgpt.nn import softmax
from microgpt.tokenizer import Tokenizer


def sample(
    model: GPT,
    tokenizer: Tokenizer,
    rng: random.Random,
    temperature: float = 0.5,
    prompt: str = "",
) -> str:
    """Invent a document that begins with `prompt`.

    A temperature below 1 sharpens the distribution, one above 1
    flattens it.
    """
    if not temperature > 0:
        raise ValueError(
            f"the temperature must be above 0, not {temperature}"
        )
    cache = model.new_cache()
    tokens = [tokenizer.bos, *tokenizer.encode(prompt)]
    for token in tokens[:-1]:
        model.forward(token, cache)
    while len(tokens) <= model.config.block_size:
        logits = model.forward(tokens[-1], cache)
        p = softmax([logit / temperature for logit in logits])
        weights = [pi.data for pi in p]
        token = rng.choices(range(tokenizer.vocab_size), weights)[0]
        if token == tokenizer.bos:
            break
        tokens.append(token)
    return tokenizer.decode(tokens[1:])
