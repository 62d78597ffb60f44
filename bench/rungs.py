"""Train each rung of the ladder to the end: `python -m bench.rungs`.

A seed decides which tenth of the distinct names is held out, the first weights, and the
order in which names are read; all rungs share it. Of 1,000 names, one is read per step,
as the original does; more of them, in batches. The rate falls linearly to zero. Where
the original has no rate for a model, the best of several is taken, found with seeds of
their own; if a training breaks down at it, the next lower one. Losses are in nats per
token, over all tokens of some names.

It took an hour on one core. A rung that is recorded is not trained again: take it out of
the record first.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from statistics import fmean as mean
from typing import Any

from bench.ends import RECORD, Interval, difference
from bench.machine import known, write
from bench.networks import (
    LEFT_OUT,
    SGD_RATES,
    SHORT,
    USUAL,
    Choices,
    Engine,
    Network,
    Split,
)
from bench.tables import FOUR, PAIRS, PLACES, THREE, Context, KneserNey, Table
from microgpt import Config, Tokenizer, load_names
from microgpt.engines.variant import Parts

SEEDS = range(1, 11)
TUNING = range(101, 103)
SEEN = (SHORT, 3000, 10_000, 30_000, 100_000)
LONGEST = 300_000  # on the original's names, of which there are more
BROKEN = 99.0
INVENTED = 1000


@dataclass(frozen=True)
class Counting:
    """A table, and how it is smoothed."""

    contexts: tuple[Context, ...]
    type: type[Table] = Table
    choices: Choices = (0.3, 1.0, 3.0, 5.0, 10.0, 20.0, 40.0, 80.0), 3.0
    invents: bool = False

    def given(self, seen: int) -> None:
        """Return no strength: the best one is sought."""

    def model(self, split: Split, seen: int, strength: float) -> Table:
        """Return the table of so many names, each counted once at most."""
        documents = split.reading(min(seen, len(split.training)))
        vocab_size = split.tokenizer.vocab_size
        return self.type(documents, vocab_size, self.contexts, strength)


Rung = Network | Counting

ONE = Config(n_head=1)
WIDE = Config(n_embd=64, n_layer=2)
DEEP = Config(n_layer=4)
NETWORK: Parts = {
    "positions": "none",
    "attention": "none",
    "residual": "no",
    "norm": "none",
    "head_input": "hidden",
}
step3 = partial(Network, ONE, taught=0.1, taught_sgd=True)

RUNGS: dict[str, Rung] = {
    "pairs": Counting(PAIRS, invents=True),
    "letter and position": Counting(PLACES),
    "three letters": Counting(THREE),
    "four letters": Counting(FOUR),
    "Kneser-Ney": Counting(FOUR, KneserNey, ((0.5, 0.6, 0.7, 0.8, 0.9, 0.95), 0.8)),
    "network": Network(ONE, NETWORK, taught=1.0, taught_sgd=True, invents=True),
    "positions": step3(LEFT_OUT["attention"], invents=True),
    "no positions": step3(LEFT_OUT["positions"]),
    "even": step3(LEFT_OUT["queries"]),
    "one head": step3(invents=True),
    "one head, Adam": Network(ONE),  # for 1,000 names, too
    "one head, SGD": step3(sgd=True, choices=SGD_RATES),
    "four heads": Network(taught=0.01, invents=True),
    "four heads, SGD": Network(taught=0.1, sgd=True, choices=SGD_RATES),
    **{f"without {name}": Network(parts=parts) for name, parts in LEFT_OUT.items()},
    "two layers": Network(Config(n_layer=2)),
    "four layers": Network(DEEP),
    "four layers, without residual": Network(DEEP, LEFT_OUT["residual"]),
    "four layers, without norm": Network(DEEP, LEFT_OUT["norm"]),
    "width 32": Network(Config(n_embd=32)),
    "wide": Network(WIDE, invents=True),
    "wide, fixed rate": Network(WIDE, rate=0.003),
}
# By how much the first loses more than the second
DIFFERENCES: dict[str, tuple[str, str]] = {
    "network, pairs": ("network", "pairs"),
    "positions": ("network", "positions"),
    "positions, letter and position": ("positions", "letter and position"),
    "even": ("positions", "even"),
    "looking": ("even", "one head"),
    "attention": ("positions", "one head"),
    "heads": ("one head, Adam", "four heads"),
    "heads, SGD": ("one head, SGD", "four heads, SGD"),
    "Adam": ("four heads, SGD", "four heads"),
    "two layers": ("four heads", "two layers"),
    "four layers": ("four heads", "four layers"),
    "width 32": ("four heads", "width 32"),
    "wide": ("four heads", "wide"),
    "four heads, three letters": ("four heads", "three letters"),
    "four heads, Kneser-Ney": ("four heads", "Kneser-Ney"),
    **{name: (name, "four heads") for name in RUNGS if name.startswith("without")},
    **{
        name: (name, "four layers") for name in RUNGS if name.startswith("four layers,")
    },
}

Model = Engine | Table  # what predicts the next token


def invented(
    model: Model, tokenizer: Tokenizer, rng: random.Random, temperature: float
) -> str:
    """Let a model invent a name of at most 16 letters."""
    tokens = [tokenizer.bos]
    while len(tokens) <= USUAL.block_size:
        weights = [p ** (1 / temperature) for p in model.probabilities(tokens)]
        token = rng.choices(range(tokenizer.vocab_size), weights)[0]
        if token == tokenizer.bos:
            break
        tokens.append(token)
    return tokenizer.decode(tokens[1:])


def inventions(models: Sequence[tuple[Split, Model]]) -> dict[str, Any]:
    """Return ten names that the first model invents, and how many of 1,000 are known.

    These are invented at a temperature of 1. Over all models, so many are training names
    and held-out names.
    """
    names, known = [], []
    for split, model in models:
        rng = random.Random(split.seed)
        some = partial(invented, model, split.tokenizer, rng)
        names.append([some(0.5) for _ in range(10)])
        drawn = [split.tokenizer.document(some(1.0)) for _ in range(INVENTED)]
        lists = [set(map(tuple, each)) for each in (split.training, split.held_out)]
        known.append([sum(tuple(one) in each for one in drawn) for each in lists])
    return {
        "names": names[0],
        "known": [round(mean(counts), 1) for counts in zip(*known)],
    }


def digits(loss: float) -> float:
    """Return a loss with four decimals; that of a model that broke down is `BROKEN`."""
    return round(loss, 4) if loss < BROKEN else BROKEN


def lowest(
    choices: Sequence[float], first: float, cost: Callable[[float], float]
) -> float:
    """Return the choice from which both neighbours go up, walking down from the first."""
    cost, place = cache(cost), choices.index(first)
    while True:
        near = choices[max(place - 1, 0) : place + 2]
        best = choices.index(min(near, key=cost))
        if best == place:
            return choices[place]
        place = best


@dataclass(frozen=True)
class Study:
    """Names, how many of them are seen, by which models, and with which seeds."""

    names: Sequence[str]
    seen: Sequence[int]
    seeds: Sequence[int] = SEEDS
    tuning: Sequence[int] = TUNING
    rungs: Mapping[str, Rung] = field(default_factory=lambda: RUNGS)
    pairs: Mapping[str, tuple[str, str]] = field(default_factory=lambda: DIFFERENCES)

    def run(self, known: Mapping[str, Any]) -> dict[str, Any]:
        """Return what each rung gives at each number of names, if it is not known."""
        splits = {seed: Split(self.names, seed) for seed in (*self.seeds, *self.tuning)}
        rungs = {
            name: known.get(name) or self.rung(name, splits) for name in self.rungs
        }
        differences = {
            name: {
                seen: interval_of(one["losses"], rungs[second][seen]["losses"])
                for seen, one in rungs[first].items()
                if seen in rungs[second]
            }
            for name, (first, second) in self.pairs.items()
        }
        split = splits[self.seeds[0]]
        return {
            "distinct_names": len(split.training) + len(split.held_out),
            "held_out_names": len(split.held_out),
            "rungs": rungs,
            "differences": differences,
        }

    def rung(self, name: str, splits: dict[int, Split]) -> dict[str, Any]:
        """Tune a rung and measure it, at each number of names."""
        rung, found = self.rungs[name], {}
        most = len(splits[self.seeds[0]].training)
        for seen in self.seen:
            if isinstance(rung, Counting) and seen != self.seen[-1] and seen > most:
                continue  # all are counted: said once, at the end
            said = found[str(seen)] = self.end(rung, splits, seen)
            told = f"{said['choice']} gives {said['mean']:.4f}"
            print(f"{name}, {seen} names: {told}", file=sys.stderr)
        return found

    def end(self, rung: Rung, splits: dict[int, Split], seen: int) -> dict[str, Any]:
        """Tune a rung and measure it, at one number of names.

        The training loss is that of as many training names as are held out.
        """

        def models(seeds: Sequence[int], choice: float) -> list[tuple[Split, Model]]:
            return [(splits[s], rung.model(splits[s], seen, choice)) for s in seeds]

        def losses(some: Sequence[tuple[Split, Model]]) -> list[float]:
            return [digits(model.loss(split.held_out)) for split, model in some]

        def cost(choice: float) -> float:
            return mean(losses(models(self.tuning, choice)))

        choice = rung.given(seen) or lowest(*rung.choices, cost)
        ends = models(self.seeds, choice)
        while BROKEN in (held_out := losses(ends)):
            choices, _ = rung.choices
            choice = choices[choices.index(choice) - 1]
            ends = models(self.seeds, choice)
        training = [
            digits(model.loss(split.training[: len(split.held_out)]))
            for split, model in ends
        ]
        said = {
            "choice": choice,
            "mean": round(mean(held_out), 4),
            "training": round(mean(training), 4),
            "losses": held_out,
        }
        if rung.invents and seen == self.seen[-1]:
            said |= inventions(ends)
        return said


def interval_of(first: Sequence[float], second: Sequence[float]) -> Interval:
    """Return by how much the first losses exceed the second, with four decimals."""
    return Interval(*(round(x, 4) for x in difference(first, second)))


def update(record: Path, studies: Mapping[str, Study]) -> None:
    """Run what a record lacks of some studies, and write all of them down."""
    found = known(record)
    for name, study in studies.items():
        found[name] = study.run(found.get(name, {}).get("rungs", {}))
        write(record, found)


def main(
    description: str | None = __doc__,
    record: Path = RECORD,
    seen: Sequence[int] = SEEN,
    most: Sequence[int] = (LONGEST,),
    study: Callable[..., Study] = Study,
) -> None:
    """Run a study of the guide's names, and one of the original's if they are there."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--original", type=Path, help="the names of the original")
    original: Path | None = parser.parse_args().original

    studies = {"guide": study(load_names(), seen)}
    if original:
        studies["original"] = study(load_names(original), (*seen, *most))
    update(record, studies)


if __name__ == "__main__":
    main()
