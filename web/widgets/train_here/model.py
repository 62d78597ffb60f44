"""The run of Step 1, for the reader to repeat, beside that of Step 0."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import TypedDict

from microgpt import Tokenizer, linear_decay, load_names
from snippets import step0, step1
from widgets._inputs import positive, whole

RECORDED = Path(__file__).with_name("train_here.json")
MOST_STEPS = 3000
REPORT_EVERY = 20  # steps
WINDOW = 50  # steps, over which a mean is taken
LOOKS = (1, 100, 500)  # steps after which we look at the network, and the last
SAMPLES = 6
TEMPERATURE = 0.5
FEWEST = 1000  # names that no run is tested on

Table = list[list[float]]


class TrainHereLook(TypedDict):
    """What both models can do after a step: loss on held-out names, and new names."""

    step: int
    counting: float
    network: float
    samples: list[str]


class TrainHere(TypedDict):
    """The losses of both models at each step, and their means over the last 50.

    A run that cannot go on has fewer steps, and says why.
    """

    counting: list[float]
    network: list[float]
    counting_mean: list[float]
    network_mean: list[float]
    held_out: int
    looks: list[TrainHereLook]
    end: str


def train_here(
    steps: float, rate: float, seed: float, recorded: bool = False
) -> Iterator[TrainHere]:
    """Train both models on the same names; yield what there is after every few steps.

    With `recorded`, give what the whole run of the program gave when it was recorded.
    """
    if recorded:
        yield recorded_run()
        return
    steps = whole(steps, "steps", 2, MOST_STEPS)
    rate = positive(rate, "learning rate")
    seed = whole(seed, "seed", 0, 2**31)
    rng = random.Random(seed)
    names = load_names()
    rng.shuffle(names)
    tokenizer = Tokenizer(names)
    weights = step1.initial_weights(tokenizer.vocab_size, rng)
    counts = step0.zero_counts(tokenizer.vocab_size)
    unseen = names[max(FEWEST, steps) :]
    pairs = count(unseen, tokenizer)
    run = TrainHere(
        counting=[],
        network=[],
        counting_mean=[],
        network_mean=[],
        held_out=len(unseen),
        looks=[],
        end="",
    )
    for step in range(steps):
        tokens = tokenizer.document(names[step])
        run["counting"].append(step0.train_step(tokens, counts))
        try:
            loss = step1.train_step(tokens, weights, linear_decay(rate, step, steps))
            if not math.isfinite(loss):
                raise OverflowError
            run["network"].append(loss)
            last = step + 1 == steps
            if step + 1 in LOOKS or last:
                rng = random.Random(seed)
                run["looks"].append(
                    look(step + 1, counts, weights, pairs, tokenizer, rng)
                )
        except (ValueError, OverflowError):
            run["end"] = (
                "the network has become so sure of a wrong letter that the probability"
                " of the right one is 0, which has no logarithm"
            )
        if (step + 1) % REPORT_EVERY == 0 or step + 1 == steps or run["end"]:
            yield with_means(run)
        if run["end"]:
            return


def recorded_run() -> TrainHere:
    """Return the run of 1,000 steps with rate 1 and seed 42."""
    run: TrainHere = json.loads(RECORDED.read_text())
    return run


def count(names: list[str], tokenizer: Tokenizer) -> step0.Counts:
    """Return how often each pair of tokens occurs in some names."""
    counts = step0.zero_counts(tokenizer.vocab_size)
    for name in names:
        step0.count_pairs(tokenizer.document(name), counts)
    return counts


def look(
    step: int,
    counts: step0.Counts,
    weights: step1.Weights,
    pairs: step0.Counts,
    tokenizer: Tokenizer,
    rng: random.Random,
) -> TrainHereLook:
    """Return how both models do on pairs, and names that the network invents."""
    tokens = range(tokenizer.vocab_size)
    counted = [step0.probabilities(token, counts) for token in tokens]
    guessed = [step1.softmax(step1.forward(token, weights)) for token in tokens]
    return TrainHereLook(
        step=step,
        counting=round(mean_loss(counted, pairs), 4),
        network=round(mean_loss(guessed, pairs), 4),
        samples=[
            step1.sample(weights, tokenizer, rng, TEMPERATURE) for _ in range(SAMPLES)
        ],
    )


def mean_loss(table: Table, pairs: step0.Counts) -> float:
    """Return the loss per token of a model that sees one token, in nats."""
    total = -sum(
        times * math.log(p)
        for row, chances in zip(pairs, table, strict=True)
        for times, p in zip(row, chances, strict=True)
        if times
    )
    return total / sum(map(sum, pairs))


def with_means(run: TrainHere) -> TrainHere:
    """Return what there is, rounded, with the mean over the last steps at each."""
    return TrainHere(
        counting=[round(loss, 3) for loss in run["counting"]],
        network=[round(loss, 3) for loss in run["network"]],
        counting_mean=means(run["counting"]),
        network_mean=means(run["network"]),
        held_out=run["held_out"],
        looks=run["looks"],
        end=run["end"],
    )


def means(losses: list[float]) -> list[float]:
    """Return at each step the mean over the last 50, or over those that there are."""
    ends = range(1, len(losses) + 1)
    parts = (losses[max(0, end - WINDOW) : end] for end in ends)
    return [round(sum(part) / len(part), 3) for part in parts]
