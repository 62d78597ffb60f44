"""What the trained model would draw after some letters, at one temperature and the next."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import TypedDict

from microgpt import sample
from widgets._gpt import gpt
from widgets._inference import LONGEST, cooled, entropy, logits_along
from widgets._names import SEED, document, token_names, tokenizer_of_the_names
from widgets._numbers import significant

TEMPERATURES = (
    0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9,
    1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 100.0, 1000.0,
)  # fmt: skip
SAMPLES = 5


class TemperatureLook(TypedDict):
    """The probabilities at a temperature, their entropy, and what `sample` makes of them.

    `choice` is the number of letters of a fair choice that is as unsure. There are no
    `samples` until they are drawn.
    """

    temperature: float
    probabilities: list[float]
    entropy: float
    choice: float
    samples: list[str]


class Temperature(TypedDict):
    """The model's logits after the letters, and a look at each temperature."""

    tokens: list[str]
    logits: list[float]
    looks: list[TemperatureLook]
    start: int


def temperature(prefix: str, temperature: float) -> Iterator[Temperature]:
    """Read the letters; yield what there is each time that more names are drawn."""
    if temperature not in TEMPERATURES:
        choices = ", ".join(f"{t:g}" for t in TEMPERATURES)
        raise ValueError(f"temperature: choose one of {choices}")
    document(prefix, longest=LONGEST - 1, shortest=0)
    prefix = prefix.strip()
    logits = logits_along(prefix)[-1]
    start = TEMPERATURES.index(temperature)
    result = Temperature(
        tokens=token_names(),
        logits=[significant(logit, 4) for logit in logits],
        looks=[look(logits, each) for each in TEMPERATURES],
        start=start,
    )
    yield result
    # First where the reader looks
    for at in sorted(range(len(TEMPERATURES)), key=lambda i: abs(i - start)):
        result["looks"][at]["samples"] = samples(prefix, TEMPERATURES[at])
        yield result


def look(logits: list[float], temperature: float) -> TemperatureLook:
    """Divide the logits by a temperature."""
    probabilities = cooled(logits, temperature)
    unsure = entropy(probabilities)
    return TemperatureLook(
        temperature=temperature,
        probabilities=[significant(p) for p in probabilities],
        entropy=round(unsure, 3) + 0.0,
        choice=round(math.exp(unsure), 2),
        samples=[],
    )


def samples(prefix: str, temperature: float) -> list[str]:
    """Let the model go on from the letters, as often as there is room to show."""
    model, tokenizer = gpt("trained"), tokenizer_of_the_names()
    rng = random.Random(SEED)
    return [sample(model, tokenizer, rng, temperature, prefix) for _ in range(SAMPLES)]
