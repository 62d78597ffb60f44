"""See which looks ten models of doubled names need: `python -m bench.doubled`.

A seed decides what is held out, the first weights and the order of the names. Each model
has two layers, and reads as many names as the Trainer's.
"""

import json
import math
import random
from statistics import fmean

from bench.recipes import NetworkRecipe, Split
from bench.results import FINAL_LOSSES_FILE
from microgpt import Config
from snippets.ready.knockouts import knockout_shares, load_doubled, slip_shares

KNOCKOUTS_FILE = FINAL_LOSSES_FILE.with_name("knockouts.json")
SEED_COUNT, NAMES_TO_SEE, NAMES_TO_READ = 10, 30_000, 40
Shares = dict[str, float]  # of right letters, by what is hidden
LEARNING_RATE = 0.02  # the best of the record "doubled"
SGD_LEARNING_RATE = 3.0  # likewise


def make_doubled_names(count: int = 10_000) -> list[str]:
    """Return the doubled names of Step 4, sorted; fewer than `count` are different."""
    rng, letters, names = random.Random(42), list("abcdefgh"), set[str]()
    for i in range(count):
        rng.shuffle(letters)
        names.add("".join(letters[: 3 + i % 5]) * 2)
    return sorted(names)


def measure_knockouts(seed: int) -> Shares:
    """Train a model with a seed; return the shares right with each entry hidden."""
    split = Split(make_doubled_names(), seed)
    recipe = NetworkRecipe(Config(n_layer=2))
    model = recipe.train(split, NAMES_TO_SEE, LEARNING_RATE).model
    weights = {
        name: [[number.data for number in row] for row in matrix]
        for name, matrix in model.weights.items()
    }
    documents = split.held_out[:NAMES_TO_READ]
    names = [split.tokenizer.decode(tokens[1:-1]) for tokens in documents]
    return knockout_shares(weights, names) | slip_shares(weights, names)


def measure_knockouts_in_trainer_run() -> Shares:
    """Return the shares right of the Trainer's recorded model, on any doubled names."""
    names = random.Random(1).sample(make_doubled_names(), NAMES_TO_READ)
    weights = load_doubled()
    return knockout_shares(weights, names) | slip_shares(weights, names)


def measure_moves(recipe: NetworkRecipe, learning_rate: float) -> dict[str, float]:
    """Return how far training moves each matrix: root mean squares, a mean of runs."""
    moves: dict[str, list[float]] = {}
    for seed in range(1, SEED_COUNT + 1):
        split = Split(make_doubled_names(), seed)
        start = recipe.train(split, 1, 0.0).model.weights  # a rate of 0 moves nothing
        for name, matrix in recipe.train(
            split, NAMES_TO_SEE, learning_rate
        ).model.weights.items():
            pairs = [
                (now.data, before.data)
                for row, first in zip(matrix, start[name])
                for now, before in zip(row, first)
            ]
            distance = math.dist(*zip(*pairs)) / math.sqrt(len(pairs))
            moves.setdefault(name, []).append(distance)
    return {name: round(fmean(distances), 3) for name, distances in moves.items()}


def main() -> None:
    """Write the record: of the Trainer's run, and of a run for each seed."""
    two_layers = Config(n_layer=2)
    shares = {
        "trainer": measure_knockouts_in_trainer_run(),
        "seeds": [measure_knockouts(seed) for seed in range(1, SEED_COUNT + 1)],
        "moves": {
            "SGD": measure_moves(
                NetworkRecipe(two_layers, sgd=True), SGD_LEARNING_RATE
            ),
            "Adam": measure_moves(NetworkRecipe(two_layers), LEARNING_RATE),
        },
    }
    KNOCKOUTS_FILE.write_text(json.dumps(shares, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
