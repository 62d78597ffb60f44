"""Sampling: one token at a time, each drawn from the model's own prediction."""

from __future__ import annotations

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
    """Invent a document that begins with `prompt`, as long as the context allows.

    A temperature below 1 sharpens the distribution, one above 1 flattens it. Raise
    ValueError for one outside 0.001 to 1000, or a prompt that fills the context.
    """
    if not 0.001 <= temperature <= 1000:
        raise ValueError(
            f"temperature must be from 0.001 to 1000, not {temperature}"
        )
    if len(prompt) >= model.config.block_size:
        raise ValueError(
            f"the prompt has {len(prompt)} characters; a context of "
            f"{model.config.block_size} has room for {model.config.block_size - 1}"
        )
    cache = model.new_cache()
    token, text = tokenizer.bos, prompt
    unread = tokenizer.encode(prompt)
    for _ in range(model.config.block_size):
        logits = model.forward(token, cache)
        if unread:
            token = unread.pop(0)
            continue
        probabilities = softmax([logit / temperature for logit in logits])
        weights = [probability.data for probability in probabilities]
        token = rng.choices(range(tokenizer.vocab_size), weights)[0]
        if token == tokenizer.bos:
            break
        text += tokenizer.decode([token])
    return text
