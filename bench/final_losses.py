"""Train each model of the guide to the end: `python -m bench.final_losses`.

A seed, the same for all models, decides which tenth of the distinct names is held out,
the initial weights, and the order of the names. With 1,000 names, a step reads one, as
in the original; with more, a batch. The learning rate falls linearly to zero. Where the
original has no rate for a model, the best of several is found with separate seeds; if a
run diverges at that rate, the next lower one is taken. Losses are in nats per token.

This takes an hour on one core. A recorded model is not trained again: to do so, remove
it from the record first.
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

from bench.count_tables import (
    UP_TO_FOUR_TOKENS,
    Context,
    CountTable,
    KneserNey,
    last_tokens,
    token_and_position,
)
from bench.machine import load_record, write_record
from bench.recipes import (
    ABLATIONS,
    FINISHED_CONFIG,
    SGD_RATE_CANDIDATES,
    SHORT_RUN_NAME_COUNT,
    Candidates,
    Engine,
    NetworkRecipe,
    Split,
)
from bench.results import FINAL_LOSSES_FILE, paired_difference
from microgpt import Config, Tokenizer, load_names
from microgpt.engines.variant import VariantChoices

SEEDS = range(1, 11)
TUNING_SEEDS = range(101, 103)
NAME_COUNTS = (SHORT_RUN_NAME_COUNT, 3000, 10_000, 30_000, 100_000)
DIVERGED_LOSS = 99.0


@dataclass(frozen=True)
class TableRecipe:
    """A table of counts; `candidates` are smoothing strengths to try."""

    contexts: tuple[Context, ...]
    type: type[CountTable] = CountTable
    candidates: Candidates = (0.3, 1.0, 3.0, 5.0, 10.0, 20.0, 40.0, 80.0), 3.0
    record_samples: bool = False

    def fixed_setting(self, num_names: int) -> None:
        """Return None: the smoothing strength is always tuned."""

    def train(self, split: Split, num_names: int, strength: float) -> CountTable:
        """Count `num_names` training names, each at most once."""
        documents = split.training_order(min(num_names, len(split.training)))
        vocab_size = split.tokenizer.vocab_size
        return self.type(documents, vocab_size, self.contexts, strength)


Recipe = NetworkRecipe | TableRecipe

ONE_HEAD = Config(n_head=1)
WIDE = Config(n_embd=64, n_layer=2)
DEEP = Config(n_layer=4)
STEP_1_PARTS: VariantChoices = {
    "positions": "none",
    "attention": "none",
    "residual": "no",
    "norm": "none",
    "head_input": "hidden",
}
step_3_recipe = partial(NetworkRecipe, ONE_HEAD, lesson_rate=0.1, lesson_sgd=True)

RECIPES: dict[str, Recipe] = {
    "pairs": TableRecipe((last_tokens(1),), record_samples=True),
    "letter and position": TableRecipe((token_and_position,)),
    "three letters": TableRecipe((last_tokens(3),)),
    "four letters": TableRecipe(UP_TO_FOUR_TOKENS),
    "Kneser-Ney": TableRecipe(
        UP_TO_FOUR_TOKENS, KneserNey, ((0.5, 0.6, 0.7, 0.8, 0.9, 0.95), 0.8)
    ),
    "network": NetworkRecipe(
        ONE_HEAD, STEP_1_PARTS, lesson_rate=1.0, lesson_sgd=True, record_samples=True
    ),
    "positions": step_3_recipe(ABLATIONS["attention"], record_samples=True),
    "no positions": step_3_recipe(ABLATIONS["positions"]),
    "even": step_3_recipe(ABLATIONS["queries"]),
    "one head": step_3_recipe(record_samples=True),
    "one head, Adam": NetworkRecipe(ONE_HEAD),  # for 1,000 names, too
    "one head, SGD": step_3_recipe(sgd=True, candidates=SGD_RATE_CANDIDATES),
    "four heads": NetworkRecipe(lesson_rate=0.01, record_samples=True),
    "four heads, SGD": NetworkRecipe(
        lesson_rate=0.1, sgd=True, candidates=SGD_RATE_CANDIDATES
    ),
    **{f"without {n}": NetworkRecipe(parts=parts) for n, parts in ABLATIONS.items()},
    "two layers": NetworkRecipe(Config(n_layer=2)),
    "four layers": NetworkRecipe(DEEP),
    "four layers, without residual": NetworkRecipe(DEEP, ABLATIONS["residual"]),
    "four layers, without norm": NetworkRecipe(DEEP, ABLATIONS["norm"]),
    "width 32": NetworkRecipe(Config(n_embd=32)),
    "wide": NetworkRecipe(WIDE, record_samples=True),
    "wide, fixed rate": NetworkRecipe(WIDE, learning_rate=0.003),
}
# Two models each; what is recorded is the loss of the first less that of the second
COMPARISONS: dict[str, tuple[str, str]] = {
    "network, pairs": ("network", "pairs"),
    "positions": ("network", "positions"),
    "positions, letter and position": ("positions", "letter and position"),
    "even": ("positions", "even"),
    "queries": ("even", "one head"),
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
    **{name: (name, "four heads") for name in RECIPES if name.startswith("without")},
    **{n: (n, "four layers") for n in RECIPES if n.startswith("four layers,")},
}

TrainedModel = Engine | CountTable
TrainedModels = list[tuple[Split, TrainedModel]]  # each with the split it learned from


def sample_name(
    model: TrainedModel, tokenizer: Tokenizer, rng: random.Random, temperature: float
) -> str:
    """Let a model invent a name of at most 16 letters."""
    tokens = [tokenizer.bos]
    while len(tokens) <= FINISHED_CONFIG.block_size:
        weights = [p ** (1 / temperature) for p in model.probabilities(tokens)]
        token = rng.choices(range(tokenizer.vocab_size), weights)[0]
        if token == tokenizer.bos:
            break
        tokens.append(token)
    return tokenizer.decode(tokens[1:])


def sample_statistics(models: TrainedModels) -> dict[str, Any]:
    """Return ten names that the first model invents, and how many samples are known.

    The ten names are sampled at temperature 0.5. Of 1,000 samples at temperature 1, the
    training names and the held-out names are counted; the counts are means over models.
    """
    names, known_counts = [], []
    for split, model in models:
        rng = random.Random(split.seed)
        sample = partial(sample_name, model, split.tokenizer, rng)
        names.append([sample(0.5) for _ in range(10)])
        samples = [split.tokenizer.document(sample(1.0)) for _ in range(1000)]
        sets = [set(map(tuple, each)) for each in (split.training, split.held_out)]
        known_counts.append([sum(tuple(s) in each for s in samples) for each in sets])
    return {
        "names": names[0],
        "known": [round(mean(counts), 1) for counts in zip(*known_counts)],
    }


def round_loss(loss: float) -> float:
    """Round a loss to four decimals; return `DIVERGED_LOSS` for a diverged model."""
    return round(loss, 4) if loss < DIVERGED_LOSS else DIVERGED_LOSS


def held_out_losses(models: TrainedModels) -> list[float]:
    """Return the loss of each model on the held-out names of its split."""
    return [round_loss(model.loss_per_token(split.held_out)) for split, model in models]


def find_minimum(
    choices: Sequence[float], first: float, cost: Callable[[float], float]
) -> float:
    """Walk downhill from the first choice to one that no neighbour undercuts."""
    cost, index = cache(cost), choices.index(first)
    while True:
        neighbours = choices[max(index - 1, 0) : index + 2]
        best = choices.index(min(neighbours, key=cost))
        if best == index:
            return choices[index]
        index = best


@dataclass(frozen=True)
class Study:
    """Trains all recipes on several numbers of names, with several seeds."""

    names: Sequence[str]
    name_counts: Sequence[int]
    seeds: Sequence[int] = SEEDS
    tuning_seeds: Sequence[int] = TUNING_SEEDS
    recipes: Mapping[str, Recipe] = field(default_factory=lambda: RECIPES)
    comparisons: Mapping[str, tuple[str, str]] = field(
        default_factory=lambda: COMPARISONS
    )
    split_type: type[Split] = Split
    statistics: Callable[[TrainedModels], dict[str, Any]] = lambda models: {}

    def run(self, recorded_results: Mapping[str, Any]) -> dict[str, Any]:
        """Return the record of all recipes; train those that are not recorded."""
        seeds = (*self.seeds, *self.tuning_seeds)
        splits = {seed: self.split_type(self.names, seed) for seed in seeds}
        results = {
            name: recorded_results.get(name) or self.measure_recipe(name, splits)
            for name in self.recipes
        }
        differences = {
            name: {
                count: paired_difference(
                    result["losses"], results[second][count]["losses"]
                ).round(4)
                for count, result in results[first].items()
                if count in results[second]
            }
            for name, (first, second) in self.comparisons.items()
        }
        split = splits[self.seeds[0]]
        return {
            "distinct_names": len(split.training) + len(split.held_out),
            "held_out_names": len(split.held_out),
            "rungs": results,
            "differences": differences,
        }

    def measure_recipe(self, name: str, splits: dict[int, Split]) -> dict[str, Any]:
        """Tune and train a recipe at each number of names."""
        recipe, results = self.recipes[name], {}
        max_count = len(splits[self.seeds[0]].training)
        for count in self.name_counts:
            is_last = count == self.name_counts[-1]
            if isinstance(recipe, TableRecipe) and not is_last and count > max_count:
                continue  # it counts all names: recorded once, at the end
            result = results[str(count)] = self.measure_at_count(recipe, splits, count)
            text = f"{result['choice']} gives {result['mean']:.4f}"
            print(f"{name}, {count} names: {text}", file=sys.stderr)
        return results

    def measure_at_count(
        self, recipe: Recipe, splits: dict[int, Split], num_names: int
    ) -> dict[str, Any]:
        """Tune and train a recipe at one number of names.

        For the training loss, take as many training names as are held out.
        """

        def train(seeds: Sequence[int], setting: float) -> TrainedModels:
            return [
                (splits[seed], recipe.train(splits[seed], num_names, setting))
                for seed in seeds
            ]

        def cost(setting: float) -> float:
            return mean(held_out_losses(train(self.tuning_seeds, setting)))

        setting = recipe.fixed_setting(num_names)
        setting = setting or find_minimum(*recipe.candidates, cost)
        models = train(self.seeds, setting)
        while DIVERGED_LOSS in (losses := held_out_losses(models)):
            settings, _ = recipe.candidates
            setting = settings[settings.index(setting) - 1]
            models = train(self.seeds, setting)
        training_losses = [
            round_loss(model.loss_per_token(split.training[: len(split.held_out)]))
            for split, model in models
        ]
        result = {
            "choice": setting,
            "mean": round(mean(losses), 4),
            "training": round(mean(training_losses), 4),
            "losses": losses,
        } | self.statistics(models)
        if recipe.record_samples and num_names == self.name_counts[-1]:
            result |= sample_statistics(models)
        return result


def run_studies(record_path: Path, studies: Mapping[str, Study]) -> None:
    """Run studies, reusing recorded results, and write the record after each."""
    record = load_record(record_path)
    for name, study in studies.items():
        record[name] = study.run(record.get(name, {}).get("rungs", {}))
        write_record(record_path, record)


def main(
    description: str | None = __doc__,
    record_path: Path = FINAL_LOSSES_FILE,
    name_counts: Sequence[int] = NAME_COUNTS,
    original_name_counts: Sequence[int] = (*NAME_COUNTS, 300_000),
    study_type: Callable[..., Study] = Study,
) -> None:
    """Run a study of the guide's names, and with `--original` one of the original's."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--original", type=Path, help="file of the original's names, to study too"
    )
    original: Path | None = parser.parse_args().original

    studies = {"guide": study_type(load_names(), name_counts)}
    if original:
        studies["original"] = study_type(load_names(original), original_name_counts)
    run_studies(record_path, studies)


if __name__ == "__main__":
    main()
