"""A model with two layers reads doubled names, with some entries of attention hidden."""

import json
from collections.abc import Collection
from pathlib import Path

from microgpt import Config
from snippets import step1
from snippets.ready.attention import add_vectors, rmsnorm_of_floats

LETTERS = "abcdefgh"
HEADS = Config().n_head
HIDDEN_SCORE = -1e9
# Of the Trainer's run, which browsers have beside the packages
WEIGHTS_FILE = Path(__file__).parents[2] / "docs/data" / "doubled-two-30k-weights.json"
# A layer, the position that looks, and the one that it may not look at; BOS is at 0
Hidden = tuple[int, int, int]
# A position, and the letter and the position of which it hands over the value
Told = tuple[int, str, int]


def load_doubled() -> step1.Weights:
    """Load the matrices of a model that has learnt to double names, by name."""
    weights: step1.Weights = json.loads(WEIGHTS_FILE.read_text("utf-8"))
    return weights


def read_doubled(
    weights: step1.Weights, text: str, *hidden: Hidden, told: Told | None = None
) -> tuple[list[list[list[float]]], list[float]]:
    """Read the beginning of a doubled name with a model of two layers.

    Args:
        weights: The matrices of the model, by name.
        text: The letters read after BOS.
        hidden: Entries of attention to leave out, in all heads of their layer.
        told: What the last letter gets from one position in layer 0, if not its value.

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
        x = rmsnorm_of_floats(add_vectors(weights["wte"][token], position))
        looks = [[], []]
        for layer in range(2):
            normed, name = rmsnorm_of_floats(x), f"layer{layer}.attn_w"
            query = step1.linear(normed, weights[f"{name}q"])
            keys[layer].append(step1.linear(normed, weights[f"{name}k"]))
            values[layer].append(step1.linear(normed, weights[f"{name}v"]))
            values_here = list(values[layer])
            if told and (layer, place) == (0, len(text)):
                values_here[told[0]] = _first_value(weights, *told[1:])
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
                columns = [list(c) for c in zip(*(v[head] for v in values_here))]
                gathered += step1.linear(shares, columns)
            x = add_vectors(x, step1.linear(gathered, weights[f"{name}o"]))
            bent = step1.linear(rmsnorm_of_floats(x), weights[f"layer{layer}.mlp_fc1"])
            rectified = [max(0.0, h) for h in bent]
            x = add_vectors(
                x, step1.linear(rectified, weights[f"layer{layer}.mlp_fc2"])
            )
    return looks, step1.softmax(step1.linear(x, weights["lm_head"]))


def _first_value(weights: step1.Weights, letter: str, place: int) -> list[float]:
    embedding = weights["wte"][LETTERS.index(letter)], weights["wpe"][place]
    normed = rmsnorm_of_floats(rmsnorm_of_floats(add_vectors(*embedding)))
    return step1.linear(normed, weights["layer0.attn_wv"])


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
                "layer 0, last to later": [
                    (0, last, later) for later in range(twin + 1, len(half) + 1)
                ],
            }
            for entry, entries in hidden.items():
                _, probabilities = read_doubled(weights, name[:last], *entries)
                expected = half[twin]
                right.setdefault(entry, []).append(
                    likeliest_letter(probabilities) == expected
                )
            other = 1 if twin > 1 else 2
            lies = {
                "told another letter": (twin, half[other - 1], twin),
                "told another position": (twin, half[twin - 1], other),
            }
            for lie, told in lies.items():
                _, probabilities = read_doubled(weights, name[:last], told=told)
                right.setdefault(lie, []).append(
                    likeliest_letter(probabilities) == half[twin]
                )
    return {entry: round(sum(each) / len(each), 3) for entry, each in right.items()}


def slip_shares(weights: step1.Weights, names: Collection[str]) -> dict[str, float]:
    """Return how models go on after a slip: a second half that leaves out letters.

    They may go on with the letter that followed the last one in the first half, or with
    the first letter that has not come back yet.
    """
    found: dict[str, list[bool]] = {"what followed": [], "first missing": []}
    for name in names:
        half = name[: len(name) // 2]
        for missing in range(1, len(half) - 1):
            for last in range(missing + 1, len(half) - 1):
                text = half + half[:missing] + half[last]
                letter = likeliest_letter(read_doubled(weights, text)[1])
                found["what followed"].append(letter == half[last + 1])
                found["first missing"].append(letter == half[missing])
    return {slip: round(sum(each) / len(each), 3) for slip, each in found.items()}
