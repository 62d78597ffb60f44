"""Train models on names that are said twice: `python -m bench.twice`.

All halves have five letters, so each letter of the second half stands five letters
further back, too. One head can look there; an even average loses the order. What is
recorded is not trained again.
"""

import random
from functools import partial
from typing import Any

from bench.count_tables import last_tokens
from bench.final_losses import Recipe, Study, TableRecipe, TrainedModels, run_studies
from bench.recipes import ABLATIONS, SGD_RATE_CANDIDATES, NetworkRecipe
from bench.results import FINAL_LOSSES_FILE
from microgpt import Config

TWICE_FILE = FINAL_LOSSES_FILE.with_name("twice.json")
NAME_COUNTS = (3000, 10_000, 30_000)
NAMES_TO_READ = 200
HALF_LENGTH = 5
RATES = (0.005, 0.01, 0.02, 0.03, 0.05), 0.03


def make_names_said_twice(count: int = 5000, seed: int = 42) -> list[str]:
    """Return different names, sorted, such as "cafebcafeb"; no letter twice in a half."""
    rng, names = random.Random(seed), set[str]()
    while len(names) < count:
        names.add("".join(rng.sample("abcdefgh", HALF_LENGTH)) * 2)
    return sorted(names)


def second_half_statistics(models: TrainedModels) -> dict[str, Any]:
    """Return for each model the share of letters of second halves it finds likeliest."""
    shares = []
    for split, model in models:
        hits = [
            max(range(len(p)), key=p.__getitem__) == document[position]
            for document in split.held_out[:NAMES_TO_READ]
            for position in range(HALF_LENGTH + 1, 2 * HALF_LENGTH + 1)
            for p in [model.probabilities(document[:position])]
        ]
        shares.append(round(sum(hits) / len(hits), 4))
    return {"right": shares}


ONE_HEAD = Config(n_head=1)
network = partial(NetworkRecipe, ONE_HEAD, candidates=RATES)
RECIPES: dict[str, Recipe] = {
    "one head": network(),
    "without queries": network(ABLATIONS["queries"]),
    "without attention": network(ABLATIONS["attention"]),
    "without positions": network(ABLATIONS["positions"]),
    "SGD": network(sgd=True, candidates=SGD_RATE_CANDIDATES),
    "four heads": NetworkRecipe(Config(), candidates=RATES),
    "five letters": TableRecipe((last_tokens(HALF_LENGTH),)),
}
STUDY = Study(
    make_names_said_twice(),
    NAME_COUNTS,
    recipes=RECIPES,
    comparisons={},
    statistics=second_half_statistics,
)

if __name__ == "__main__":
    run_studies(TWICE_FILE, {"guide": STUDY})
