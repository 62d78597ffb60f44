"""A network whose letters have two numbers each, so that they can be drawn."""

import random
from collections import deque
from functools import cache

from snippets.ready import SEED, shuffled_names
from snippets.step1 import Matrix, Vector, gaussian_matrix, train

NUM_STEPS = 1000


@cache
def letters_in_the_plane(seed: int = SEED) -> tuple[Matrix, Matrix]:
    """Train on 1,000 names; return the table of letters before training and after it.

    The network is Step 1's, with 2 numbers for each letter and 16 hidden units.
    """
    names, tokenizer = shuffled_names()
    rng, size = random.Random(seed), tokenizer.vocab_size
    shapes = {"wte": (size, 2), "fc1": (16, 2), "fc2": (size, 16)}
    weights = {
        name: gaussian_matrix(*shape, 0.08, rng) for name, shape in shapes.items()
    }
    before = [list(row) for row in weights["wte"]]
    deque(train(names, tokenizer, weights, NUM_STEPS), maxlen=0)
    return before, weights["wte"]


def trained_numbers(letters: str, column: int, seed: int = SEED) -> Vector:
    """Return one number of each of these letters after training."""
    tokens = shuffled_names()[1].encode(letters)
    return [letters_in_the_plane(seed)[-1][token][column] for token in tokens]
