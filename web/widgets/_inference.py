"""What the trained model says after a text, and what readers may ask of it."""

from __future__ import annotations

import math
from itertools import accumulate
from operator import mul
from typing import Literal

from microgpt import Value, softmax
from widgets._gpt import gpt, numbers
from widgets._names import document, shuffled_names, tokenizer_of_the_names

TRAINED = 1000  # names, one for each step of the run
LONGEST = gpt("trained").config.block_size  # letters

Kind = Literal["trained", "held out", "new"]


def logits_along(letters: str) -> list[list[float]]:
    """Return the model's logits before each of the letters, and after the last.

    After as many letters as the context has tokens, it says nothing more.
    """
    model, tokenizer = gpt("trained"), tokenizer_of_the_names()
    cache = model.new_cache()
    read = tokenizer.document(letters)[:-1][:LONGEST]
    return [numbers(model.forward(token, cache)) for token in read]


def cooled(logits: list[float], temperature: float) -> list[float]:
    """Return the probabilities that `sample` would draw from."""
    return numbers(softmax([Value(logit / temperature) for logit in logits]))


def entropy(probabilities: list[float]) -> float:
    """Return how surprised a prediction expects to be, in nats."""
    return -sum(p * math.log(p) for p in probabilities if p > 0)


def chances_along(letters: str, probabilities: list[list[float]]) -> list[float]:
    """Return for each beginning of the letters how likely a name begins so."""
    tokens = tokenizer_of_the_names().encode(letters)
    steps = [row[token] for row, token in zip(probabilities, tokens, strict=False)]
    return list(accumulate(steps, mul, initial=1.0))


def kind_of(name: str) -> Kind:
    """Tell whether a name was trained on, or is in the dataset at all."""
    order = shuffled_names()
    if name in order[:TRAINED]:
        return "trained"
    return "held out" if name in order else "new"


def beginning(text: str) -> str:
    """Return letters that a reader typed or chose; ValueError if they are none."""
    document(text, longest=LONGEST, shortest=0)
    return text.strip()


def temperature_of(number: float) -> float:
    """Return a temperature that a reader chose; ValueError for one that `sample` refuses."""
    if not 0.001 <= number <= 1000:
        raise ValueError("temperature: choose from 0.001 to 1,000")
    return float(number)
