"""The inside of attention, and experiments that change Step 3."""

import math
import random
from collections.abc import Callable
from functools import cache
from itertools import islice
from operator import mul
from statistics import fmean

from microgpt import SGD, Adam, Tokenizer, Value, linear_decay, load_model, load_names
from microgpt.attention import Cache
from microgpt.nn import Vector, dot, gaussian_matrix, linear, rmsnorm, softmax
from snippets import step1, step3
from snippets.ready import SEED, load_shuffled_names, shuffled_names, step3_setup
from snippets.sentences import OPENINGS, is_hard, make_sentences


def attention_inputs(tokens: list[int], weights: step3.Weights) -> list[Vector]:
    """Return the vectors that enter Step 3's attention, one per token."""
    return [
        rmsnorm([t + p for t, p in zip(weights["wte"][token], position)])
        for token, position in zip(tokens, weights["wpe"])
    ]


def masked_attention(
    stream: list[Vector], weights: step3.Weights, masked: bool
) -> list[Vector]:
    """Apply Step 3's attention to all tokens at once, as programs without a cache do.

    If `masked`, the scores of later tokens are −∞.
    """
    queries, keys, values = [
        [linear(rmsnorm(x), weights[f"attn_{name}"]) for x in stream]
        for name in ("wq", "wk", "wv")
    ]
    result = []
    for i, (query, x) in enumerate(zip(queries, stream)):
        scores = [dot(query, key) * len(query) ** -0.5 for key in keys]
        if masked:
            later = len(scores[i + 1 :])
            scores[i + 1 :] = [Value(-math.inf)] * later
        p = softmax(scores)
        mean_value = [dot(p, list(column)) for column in zip(*values)]
        output = linear(mean_value, weights["attn_wo"])
        result.append([o + xi for o, xi in zip(output, x)])
    return result


def mean_coin_loss(masked: bool, steps: int = 150) -> float:
    """Train Step 3 on coin tosses; return the mean loss of the last half of the steps.

    A toss is a name of one letter, "a" or "b", whose tokens are read all at once.
    """
    _, tokenizer, weights = step3_setup()
    rng, losses = random.Random(SEED), []
    optimizer = Adam(step3.parameters(weights))
    for step in range(steps):
        tokens = tokenizer.document(rng.choice("ab"))
        stream = attention_inputs(tokens[:-1], weights)
        attended = masked_attention(stream, weights, masked)
        token_losses = []
        for x, target in zip(attended, tokens[1:]):
            logits = linear(step3.mlp(x, weights), weights["lm_head"])
            token_losses.append(-softmax(logits)[target].log())
        loss = Value.sum(token_losses) / len(token_losses)
        loss.backward()
        optimizer.step(linear_decay(0.03, step, steps))
        optimizer.zero_grad()
        losses.append(loss.data)
    return sum(losses[steps // 2 :]) / (steps - steps // 2)


def peeking_losses(
    gather: Callable[[list[Vector], list[Vector], list[Vector]], list[Vector]],
) -> list[float]:
    """Train a model whose attention is `gather`; return two losses on new names.

    For the first, each name is read at once; for the second, letter by letter, as in
    sampling, when later letters are unknown. Positions have queries and keys, tokens
    have values.
    """
    names, tokenizer = shuffled_names()
    rng = random.Random(SEED)
    queries, keys = (gaussian_matrix(16, 8, 0.3, rng) for _ in range(2))
    letters = gaussian_matrix(27, 27, 0.08, rng)

    def read_whole(tokens: list[int]) -> list[Vector]:
        n, values = len(tokens), [letters[token] for token in tokens]
        return gather(queries[:n], keys[:n], values)

    def read_by_letter(tokens: list[int]) -> list[Vector]:
        ends = range(1, len(tokens) + 1)
        return [read_whole(tokens[:end])[-1] for end in ends]

    def loss(read: Callable[[list[int]], list[Vector]], name: str) -> Value:
        tokens = tokenizer.document(name)
        pairs = zip(read(tokens[:-1]), tokens[1:])
        losses = [-softmax(logits)[t].log() for logits, t in pairs]
        return Value.sum(losses) / len(losses)

    matrices = (queries, keys, letters)
    optimizer = SGD([p for m in matrices for row in m for p in row])
    for name in names[:150]:
        loss(read_whole, name).backward()
        optimizer.step(8.0)
        optimizer.zero_grad()
    return [
        sum(loss(read, n).data for n in names[150:170]) / 20
        for read in (read_whole, read_by_letter)
    ]


def embedding_gradient_norm(num_layers: int, norms: bool, additions: bool) -> float:
    """Return the norm of the gradient of `wte` in an untrained network, for "emma".

    It's the mean over three draws of the weights.

    Args:
        num_layers: How often attention and MLP come, each time with other weights.
        norms: Whether RMSNorm changes anything.
        additions: Whether attention and MLP add their input to their output.
    """
    from unittest.mock import patch  # which no other page must wait for

    gradient_norms = []
    for seed in range(3):
        _, tokenizer, rng = load_shuffled_names(seed=seed)
        layers = [
            step3.initial_weights(tokenizer.vocab_size, rng) for _ in range(num_layers)
        ]
        tokens, caches = tokenizer.document("emma"), [Cache() for _ in layers]
        norm = rmsnorm if norms else list
        losses = []
        with patch.object(step3, "rmsnorm", norm):
            wte, wpe = layers[0]["wte"], layers[0]["wpe"]
            for token, position, target in zip(tokens, wpe, tokens[1:]):
                x = norm([t + p for t, p in zip(wte[token], position)])
                for weights, layer_cache in zip(layers, caches):
                    attended = step3.attention(x, weights, layer_cache)
                    x = attended if additions else _subtract(attended, x)
                    output = step3.mlp(x, weights)
                    x = output if additions else _subtract(output, x)
                logits = linear(x, layers[0]["lm_head"])
                losses.append(-softmax(logits)[target].log())
        (Value.sum(losses) / len(losses)).backward()
        gradient_norms.append(math.hypot(*(p.grad for row in wte for p in row)))
    return fmean(gradient_norms)


def _subtract(x: Vector, y: Vector) -> Vector:
    return [xi - yi for xi, yi in zip(x, y)]


def short_run_loss(rate: float, norm: bool) -> str:
    """Train Step 3 on forty names; format the mean of the last ten losses.

    Without `norm`, RMSNorm leaves vectors unchanged. If the run fails, say after how
    many names instead.
    """
    from unittest.mock import patch  # which no other page must wait for

    names, tokenizer, weights = step3_setup()
    optimizer = SGD(step3.parameters(weights))
    losses = []
    with patch.object(step3, "rmsnorm", rmsnorm if norm else list):
        for step, name in enumerate(names[:40]):
            step_rate = linear_decay(rate, step, 1000)
            tokens = tokenizer.document(name)
            try:
                losses.append(step3.train_step(tokens, weights, optimizer, step_rate))
            except ValueError:
                return f"broke down after {step} names"
    return f"{sum(losses[-10:]) / 10:.2f}"


def attention_weights(
    weights: step1.Weights,
    text: str,
    heads: int = 1,
    tokenizer: Tokenizer | None = None,
) -> list[list[float]]:
    """Return the attention weights of a model with one layer, as it reads a text.

    There is a row for each token and head: all heads of the first token come first.
    Without `tokenizer`, the model is one of names.
    """
    tokens = (tokenizer or _tokenizer()).document(text)[:-1]
    rows: list[list[float]] = []
    keys: list[list[float]] = []
    for token, position in zip(tokens, weights["wpe"]):
        embedding = [t + p for t, p in zip(weights["wte"][token], position)]
        x = rmsnorm_of_floats(rmsnorm_of_floats(embedding))
        query = step1.linear(x, weights["layer0.attn_wq"])
        keys.append(step1.linear(x, weights["layer0.attn_wk"]))
        width = len(query) // heads
        for start in range(0, len(query), width):
            head = slice(start, start + width)
            scores = step1.linear(query[head], [k[head] for k in keys])
            rows.append(step1.softmax([s * width**-0.5 for s in scores]))
    return rows


@cache
def _tokenizer() -> Tokenizer:
    return Tokenizer(load_names())


def rmsnorm_of_floats(x: list[float]) -> list[float]:
    """Scale a vector to a mean square of 1, as the package does."""
    scale = (sum(xi * xi for xi in x) / len(x) + 1e-5) ** -0.5
    return [scale * xi for xi in x]


def forward_stages(name: str) -> list[dict[str, list[float]]]:
    """Read a name with the trained model; return each token's vectors by stage."""
    model, tokenizer = load_model()
    weights = {key.removeprefix("layer0."): m for key, m in model.weights.items()}
    cache, stages = model.new_cache()[0], []
    for token, position in zip(tokenizer.document(name)[:-1], weights["wpe"]):
        embedding = [t + p for t, p in zip(weights["wte"][token], position)]
        x = rmsnorm(embedding)
        attended = model.attention(x, 0, cache)
        output = model.mlp(attended, 0)
        vectors = {
            "wte + wpe": embedding,
            "RMSNorm": x,
            "query": linear(rmsnorm(x), weights["attn_wq"]),
            "key, value": cache.keys[-1] + cache.values[-1],
            "attention": attended,
            "RMSNorm, fc1": linear(rmsnorm(attended), weights["mlp_fc1"]),
            "ReLU, fc2, add": output,
            "lm_head": linear(output, weights["lm_head"]),
        }
        stages.append({stage: [x.data for x in row] for stage, row in vectors.items()})
    return stages


def right_without_heads(weights: step1.Weights, *silent: int) -> float:
    """Silence some of the four heads that have learnt sentences with openings.

    Args:
        weights: Those of the model.
        silent: The heads whose four numbers become their means over all sentences.

    Returns:
        In which share of a hundred hard sentences the model then prefers the right one
        of what can follow the verb: an "s", or the end.
    """
    tokenizer = Tokenizer(make_sentences(OPENINGS))
    hard = filter(is_hard, make_sentences(OPENINGS, seed=SEED + 1))
    sentences = list(islice(hard, 100))
    texts = [sentence.removesuffix("s") for sentence in sentences]
    stream, gathered = zip(*(_gather(weights, text, tokenizer) for text in texts))
    means = [fmean(numbers) for numbers in zip(*gathered)]
    s, end = (*tokenizer.encode("s"), tokenizer.bos)
    right = []
    for sentence, x, heads in zip(sentences, stream, gathered):
        heard = [
            means[i] if i * 4 // len(means) in silent else number
            for i, number in enumerate(heads)
        ]
        logits = _finish_layer(weights, x, heard)
        right.append((logits[s] > logits[end]) == sentence.endswith("s"))
    return fmean(right)


def right_after(
    opening: str, weights: step1.Weights, plural: list[float] | None = None
) -> float:
    """Test a head that has learnt sentences without openings on some with one.

    Args:
        opening: What each sentence begins with.
        weights: Those of the model.
        plural: What to add to the last letter's vector before the MLP where the subject
            is singular, and to subtract where it is plural.

    Returns:
        In which share of a hundred hard sentences the model then prefers the right one
        of what can follow the verb: an "s", or the end.
    """
    tokenizer = Tokenizer(make_sentences())
    hard = filter(is_hard, make_sentences([opening], seed=SEED + 1))
    s, end = (*tokenizer.encode("s"), tokenizer.bos)
    right = []
    for sentence in islice(hard, 100):
        text = sentence.removesuffix("s")
        x, gathered = _gather(weights, text, tokenizer, heads=1)
        sign = 1 if sentence.endswith("s") else -1
        x = add_vectors(x, [sign * number for number in plural or [0] * len(x)])
        logits = _finish_layer(weights, x, gathered)
        right.append((logits[s] > logits[end]) == sentence.endswith("s"))
    return fmean(right)


def _gather(
    weights: step1.Weights, text: str, tokenizer: Tokenizer, heads: int = 4
) -> tuple[list[float], list[float]]:
    """Return the last letter's vector, and what its heads gather."""
    tokens = tokenizer.document(text)[:-1]
    stream = [
        rmsnorm_of_floats([t + p for t, p in zip(weights["wte"][token], position)])
        for token, position in zip(tokens, weights["wpe"])
    ]
    values = [
        step1.linear(rmsnorm_of_floats(x), weights["layer0.attn_wv"]) for x in stream
    ]
    gathered: list[float] = []
    for head, shares in enumerate(
        attention_weights(weights, text, heads, tokenizer)[-heads:]
    ):
        width = len(values[0]) // heads
        columns = [*zip(*values)][head * width : (head + 1) * width]
        gathered += [sum(map(mul, shares, column)) for column in columns]
    return stream[-1], gathered


def _finish_layer(
    weights: step1.Weights, x: list[float], gathered: list[float]
) -> list[float]:
    x = add_vectors(x, step1.linear(gathered, weights["layer0.attn_wo"]))
    hidden = step1.linear(rmsnorm_of_floats(x), weights["layer0.mlp_fc1"])
    activated = [max(0, h) for h in hidden]
    x = add_vectors(x, step1.linear(activated, weights["layer0.mlp_fc2"]))
    return step1.linear(x, weights["lm_head"])


def add_vectors(x: list[float], y: list[float]) -> list[float]:
    """Return the sum of two vectors of the same length."""
    return [xi + yi for xi, yi in zip(x, y)]
