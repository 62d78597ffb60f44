"""What a model with one head, trained on made-up sentences, adds to its stream."""

import math
import random
from functools import cache

from microgpt import Tokenizer, Value
from microgpt.attention import Cache
from snippets import step1, step3
from snippets.ready.attention import attention_inputs
from snippets.sentences import VERBS, make_sentences

PAIRS = [
    ("dog", "near", "cat"),
    ("bee", "above", "boy"),
    ("king", "behind", "girl"),
]


def stream_stages(weights: step1.Weights, sentence: str) -> list[list[float]]:
    """Return the last letter's vector at first, after attention, and after the MLP."""
    matrices = {
        name.removeprefix("layer0."): [[Value(w) for w in row] for row in matrix]
        for name, matrix in weights.items()
    }
    tokens, layer_cache = _tokenizer().document(sentence)[:-1], Cache()
    x, attended = list[Value](), list[Value]()
    for x in attention_inputs(tokens, matrices):
        attended = step3.attention(x, matrices, layer_cache)
    stages = x, attended, step3.mlp(attended, matrices)
    return [[number.data for number in stage] for stage in stages]


def stream_additions(weights: step1.Weights, sentence: str) -> list[list[float]]:
    """Return what embeddings, attention and MLP add to the last letter's vector."""
    x, attended, output = stream_stages(weights, sentence)
    return [x, _difference(attended, x), _difference(output, attended)]


def votes_for_s(weights: step1.Weights, sentence: str) -> list[float]:
    """Return by how much each addition raises the logit of "s" above that of the end."""
    tokens = *_tokenizer().encode("s"), _tokenizer().bos
    s, end = (weights["lm_head"][token] for token in tokens)
    row = _difference(s, end)
    return [step1.linear(a, [row])[0] for a in stream_additions(weights, sentence)]


def root_mean_square(x: list[float]) -> float:
    """Return the size of a vector's numbers, the root of the mean of their squares."""
    return math.hypot(*x) / math.sqrt(len(x))


def plural_direction(weights: step1.Weights, plural: str, singular: str) -> list[float]:
    """Return by how much more attention adds to the last letter of `plural`."""
    additions = (stream_additions(weights, text)[1] for text in (plural, singular))
    return _difference(*additions)


def plural_directions(weights: step1.Weights) -> list[list[float]]:
    """Compare what attention adds after plural subjects and after singular ones.

    Returns:
        For each pair of sentences in which an "s" has moved from the first noun to the
        second, what attention's additions to the last letter differ by.
    """
    return [
        plural_direction(
            weights,
            f"the {a}s {preposition} the {b} {verb}",
            f"the {a} {preposition} the {b}s {verb}",
        )
        for a, preposition, b in PAIRS
        for verb in VERBS
    ]


def cosine(a: list[float], b: list[float]) -> float:
    """Return how alike two directions are: 1 if they're the same, 0 at right angles."""
    return step1.linear(a, [b])[0] / math.hypot(*a) / math.hypot(*b)


def at_right_angles(direction: list[float], seed: int) -> list[float]:
    """Return a random direction at right angles to the given one, and as long."""
    rng = random.Random(seed)
    other = [rng.gauss(0, 1) for _ in direction]
    share = (
        step1.linear(other, [direction])[0] / step1.linear(direction, [direction])[0]
    )
    other = [o - share * d for o, d in zip(other, direction)]
    scale = math.hypot(*direction) / math.hypot(*other)
    return [scale * o for o in other]


@cache
def _tokenizer() -> Tokenizer:
    return Tokenizer(make_sentences())


def _difference(a: list[float], b: list[float]) -> list[float]:
    return [ai - bi for ai, bi in zip(a, b)]
