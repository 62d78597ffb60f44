"""A model with two layers reads doubled names, with some entries of attention hidden."""

from collections.abc import Collection

from microgpt import Config
from snippets import step1

LETTERS = "abcdefgh"
HEADS = Config().n_head
HIDDEN_SCORE = -1e9
# A layer, the position that looks, and the one that it may not look at; BOS is at 0
Hidden = tuple[int, int, int]


def read_doubled(
    weights: step1.Weights, text: str, *hidden: Hidden
) -> tuple[list[list[list[float]]], list[float]]:
    """Read the beginning of a doubled name with a model of two layers.

    Args:
        weights: The matrices of the model, by name.
        text: The letters read after BOS.
        hidden: Entries of attention to leave out, in all heads of their layer.

    Returns:
        The attention weights of the last letter, by layer and head; and the
        probability of each letter, and at last of the end, to come next.
    """
    tokens = [len(LETTERS), *map(LETTERS.index, text)]
    keys: list[list[list[float]]] = [[], []]  # by layer
    values: list[list[list[float]]] = [[], []]
    looks: list[list[list[float]]] = []
    x: list[float] = []
    for place, (token, position) in enumerate(zip(tokens, weights["wpe"])):
        x = _rmsnorm(_add(weights["wte"][token], position))
        looks = [[], []]
        for layer in range(2):
            normed, name = _rmsnorm(x), f"layer{layer}.attn_w"
            query = step1.linear(normed, weights[f"{name}q"])
            keys[layer].append(step1.linear(normed, weights[f"{name}k"]))
            values[layer].append(step1.linear(normed, weights[f"{name}v"]))
            hidden_here = [j for i, at, j in hidden if (i, at) == (layer, place)]
            gathered: list[float] = []
            width = len(query) // HEADS
            for start in range(0, len(query), width):
                head = slice(start, start + width)
                scores = step1.linear(query[head], [k[head] for k in keys[layer]])
                for other in hidden_here:
                    scores[other] = HIDDEN_SCORE
                shares = step1.softmax([s * width**-0.5 for s in scores])
                looks[layer].append(shares)
                columns = [list(c) for c in zip(*(v[head] for v in values[layer]))]
                gathered += step1.linear(shares, columns)
            x = _add(x, step1.linear(gathered, weights[f"{name}o"]))
            bent = step1.linear(_rmsnorm(x), weights[f"layer{layer}.mlp_fc1"])
            rectified = [max(0.0, h) for h in bent]
            x = _add(x, step1.linear(rectified, weights[f"layer{layer}.mlp_fc2"]))
    return looks, step1.softmax(step1.linear(x, weights["lm_head"]))


def likeliest_letter(probabilities: list[float]) -> str:
    """Return the likeliest letter, or "." for the end."""
    return f"{LETTERS}."[max(range(len(LETTERS) + 1), key=probabilities.__getitem__)]


def knockout_shares(weights: step1.Weights, names: Collection[str]) -> dict[str, float]:
    """Return how often the next letter is right with each entry hidden.

    Each name is read up to every letter but the first of its second half. The last
    letter read has a *twin* in the first half; *next* is the letter after the twin.
    """
    right: dict[str, list[bool]] = {}
    for name in names:
        half = name[: len(name) // 2]
        for twin in range(1, len(half)):
            last = len(half) + twin
            hidden = {
                "nothing": [],
                "layer 0, last to twin": [(0, last, twin)],
                "layer 1, last to next": [(1, last, twin + 1)],
                "layer 0, next to twin": [(0, twin + 1, twin)],
            }
            for entry, entries in hidden.items():
                _, probabilities = read_doubled(weights, name[:last], *entries)
                expected = half[twin]
                right.setdefault(entry, []).append(
                    likeliest_letter(probabilities) == expected
                )
    return {entry: round(sum(each) / len(each), 3) for entry, each in right.items()}


def _add(x: list[float], y: list[float]) -> list[float]:
    return [a + b for a, b in zip(x, y)]


def _rmsnorm(x: list[float]) -> list[float]:
    scale = (sum(xi * xi for xi in x) / len(x) + 1e-5) ** -0.5
    return [scale * xi for xi in x]
