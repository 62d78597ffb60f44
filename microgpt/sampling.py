"""Sampling: one token at a time, each drawn from a prediction."""

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
    """Invent a document that begins with `prompt`.

    A temperature below 1 sharpens the distribution, one above 1
    flattens it. Raise ValueError for one outside 0.001 to 1000, or
    for a prompt that fills the context.
    """
    if not 0.001 <= temperature <= 1000:
        raise ValueError(
            f"temperature must be from 0.001 to 1000, not {temperature}"
        )
    room = model.config.block_size
    if len(prompt) >= room:
        raise ValueError(
            f"the prompt has {len(prompt)} characters; "
            f"a context of {room} has room for {room - 1}"
        )
    cache = model.new_cache()
    token, text = tokenizer.bos, prompt
    unread = tokenizer.encode(prompt)
    for _ in range(room):
        logits = model.forward(token, cache)
        if unread:
            token = unread.pop(0)
            continue
        cooled = [logit / temperature for logit in logits]
        weights = [p.data for p in softmax(cooled)]
        token = rng.choices(range(tokenizer.vocab_size), weights)[0]
        if token == tokenizer.bos:
            break
        text += tokenizer.decode([token])
    return text
