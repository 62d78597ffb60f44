"""What a model with one head, trained on made-up sentences, adds to its stream."""

import math
from functools import cache
from itertools import product

from microgpt import Tokenizer, Value
from microgpt.attention import Cache
from snippets import step1, step3
from snippets.ready.attention import attention_inputs
from snippets.sentences import VERBS, make_sentences


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


def plural_cosines(weights: step1.Weights) -> list[float]:
    """Compare what attention adds after plural subjects and after singular ones.

    Returns:
        For each pair of sentences that differ only in the number of their subject, the
        cosine between what attention's additions to the last letter differ by and what
        they differ by for the first pair.
    """
    directions = []
    rests = "dog near the cat", "bee above the boy", "king behind the girl"
    for rest, ending, verb in product(rests, ("", "s"), VERBS):
        singular, plural = (
            stream_additions(weights, f"the {subject}{ending} {verb}")[1]
            for subject in (rest, rest.replace(" ", "s ", 1))
        )
        difference = _difference(plural, singular)
        length = math.hypot(*difference)
        directions.append([number / length for number in difference])
    return step1.linear(directions[0], directions)


@cache
def _tokenizer() -> Tokenizer:
    return Tokenizer(make_sentences())


def _difference(a: list[float], b: list[float]) -> list[float]:
    return [ai - bi for ai, bi in zip(a, b)]
