"""How well Step 1's network learns without its bend, and from other random starts."""

from collections import deque
from functools import partial
from itertools import pairwise
from statistics import fmean
from typing import Any
from unittest.mock import patch

from snippets import step1
from snippets.ready import SEED, load_shuffled_names
from snippets.records.runs import round_to_six_digits

SEEDS = (SEED, 1, 2, 3, 4, 5, 6, 7, 8, 9)
LAYER_STDS = (1 / 16) ** 0.5, (2 / 64) ** 0.5  # for 16 inputs, and 64 behind a ReLU
HELD_OUT_COUNT = 500  # names at the end of the list, which no run reads


def measure_start(
    seed: int,
    std: float = 0.08,
    bends: bool = True,
    width: int = 16,
    layer_stds: tuple[float, float] | None = None,
) -> float | None:
    """Train on 1,000 names; return the mean loss of held-out names, or None.

    Without `layer_stds`, both layers are drawn with `std`, like the embeddings. None means
    that a probability was rounded to 0, so that a loss had no value.
    """
    names, tokenizer, rng = load_shuffled_names(seed=seed)
    size = tokenizer.vocab_size
    fc1_std, fc2_std = layer_stds or (std, std)
    weights = {
        "wte": step1.gaussian_matrix(size, width, std, rng),
        "fc1": step1.gaussian_matrix(64, width, fc1_std, rng),
        "fc2": step1.gaussian_matrix(size, 64, fc2_std, rng),
    }
    forward = step1.forward if bends else forward_without_bend
    gradient = step1.analytic_gradient if bends else gradient_without_bend
    with (
        patch.object(step1, "forward", forward),
        patch.object(step1, "analytic_gradient", gradient),
    ):
        try:
            deque(step1.train(names, tokenizer, weights, 1000), maxlen=0)
        except ValueError:
            return None
        documents = map(tokenizer.document, names[-HELD_OUT_COUNT:])
        loss = fmean(map(partial(step1.mean_loss, weights=weights), documents))
    return round_to_six_digits(loss)


def forward_without_bend(token: int, weights: step1.Weights) -> step1.Vector:
    """Return a logit for each token, with nothing between the two layers."""
    return step1.linear(
        step1.linear(weights["wte"][token], weights["fc1"]), weights["fc2"]
    )


def gradient_without_bend(tokens: list[int], weights: step1.Weights) -> step1.Weights:
    """Return d(loss)/d(weight) of the network with nothing between its layers."""
    gradient = step1.zeros_like(weights)
    pairs = list(pairwise(tokens))
    for token, target in pairs:
        x = weights["wte"][token]
        hidden = step1.linear(x, weights["fc1"])
        probabilities = step1.softmax(step1.linear(hidden, weights["fc2"]))
        d_logits = [p / len(pairs) for p in probabilities]
        d_logits[target] -= 1 / len(pairs)
        d_hidden = step1.linear_backward(
            d_logits, hidden, weights["fc2"], gradient["fc2"]
        )
        d_x = step1.linear_backward(d_hidden, x, weights["fc1"], gradient["fc1"])
        for j, d in enumerate(d_x):
            gradient["wte"][token][j] += d
    return gradient


def measure_starts() -> dict[str, Any]:
    """Return losses with and without the bend, by seed, and from other starts."""
    return {
        "with": [measure_start(seed) for seed in SEEDS],
        "without": [measure_start(seed, bends=False) for seed in SEEDS],
        "wide-without": [measure_start(seed, bends=False, width=27) for seed in SEEDS],
        "by-width": [measure_start(seed, layer_stds=LAYER_STDS) for seed in SEEDS],
        "spreads": {
            str(std): measure_start(SEED, std) for std in (0.001, 0.01, 0.08, 1.0)
        },
    }
