"""Each formula of a page that states something is one that holds.

Here each stands beside Python that computes both of its sides, each in its own way. Of a
derivative, or a law about derivatives, one of the two is `backward`.
"""

from __future__ import annotations

import cmath
import math
import operator
import random
import re
import statistics
from collections.abc import Callable
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.ends import interval
from microgpt import (
    Adam,
    Config,
    Value,
    attend,
    document_loss,
    dot,
    linear,
    linear_decay,
    load_model,
    rmsnorm,
    softmax,
    topological_order,
)
from snippets import step0, step1, step3
from snippets.ready import before_attention
from weave.guide import Guide
from weave.text import MATH

CHAIN_RULE = (
    r"\frac{\partial y}{\partial x} = \sum_{\text{paths from } y \text{ to } x}"
    r" \ \prod_{\text{edges of the path}} \text{local gradient}"
)
MODEL, TOKENIZER = load_model()
EMMA = TOKENIZER.document("emma")
PAIRS = [*pairwise(EMMA)]

Array = NDArray[Any]
# What two ways to compute it give, for five numbers between 0 and 1 and for others.
Sides = tuple[Any, Any]
Formula = Callable[[Array, random.Random], Sides]

values: Callable[..., Any] = np.frompyfunc(Value, 1, 1)
grads: Callable[..., Any] = np.frompyfunc(operator.attrgetter("grad"), 1, 1)
relus: Callable[..., Any] = np.frompyfunc(Value.relu, 1, 1)
ONES = np.ones(5)


def drawn(rng: random.Random, *shape: int) -> Array:
    return np.array([rng.gauss(0, 1) for _ in range(math.prod(shape))]).reshape(shape)


def flat(side: Any) -> list[float]:
    """Return all numbers of a side in one row, those of `Value`s too."""
    if isinstance(side, list | tuple | np.ndarray):
        return [number for part in side for number in flat(part)]
    return [float(side.data if isinstance(side, Value) else side)]


def slopes(function: Callable[..., Any], dy: Array, *inputs: Array) -> list[Array]:
    """Return a loss's derivatives along inputs, where it has `dy` along the results."""
    given = [values(x) for x in inputs]
    Value.sum(np.ravel(dy * np.array(function(*given)))).backward()
    return [grads(x) for x in given]


def normed(x: Array) -> Array:
    return np.array(flat(rmsnorm(values(x))))


def shares(x: Array) -> Array:
    return np.array(flat(softmax(values(x))))


def of_rmsnorm(_: Array, rng: random.Random) -> Sides:
    x, dy = drawn(rng, 2, 5)
    y = normed(x)
    return y[0] / x[0] * (dy - y * (y @ dy) / 5), slopes(rmsnorm, dy, x)


def of_softmax(x: Array, rng: random.Random) -> Sides:
    p, d = shares(x), drawn(rng, 5)
    return p * (d - p @ d), slopes(softmax, d, x)


def of_gathering(_: Array, rng: random.Random) -> Sides:
    a, v, dy = drawn(rng, 3, 3), drawn(rng, 3, 2), drawn(rng, 3, 2)
    return [dy @ v.T, a.T @ dy], slopes(operator.matmul, dy, a, v)


def of_scores(_: Array, rng: random.Random) -> Sides:
    q, k, ds = drawn(rng, 3, 2), drawn(rng, 3, 2), drawn(rng, 3, 3)
    return [ds @ k, ds.T @ q], slopes(lambda q, k: q @ k.T, ds, q, k)


def of_three_logits(_: Array, rng: random.Random) -> Sides:
    a, b, c = z = drawn(rng, 3, 5)

    def loss(a: Array, b: Array, c: Array) -> Any:
        return np.log(np.exp(a) + np.exp(b) + np.exp(c)) - a

    p = np.exp(z) / np.exp(z).sum(axis=0)
    return [p[0] - 1, p[1]], slopes(loss, ONES, a, b, c)[:2]


def of_a_dot(x: Array, _: random.Random) -> Sides:
    return [x[2:4], x[:2]], slopes(dot, ONES[:1], x[:2], x[2:4])


def derivative(
    function: Callable[..., Any], stated: Callable[..., Any], along: int = 0
) -> Formula:
    """Return what is stated of a slope, at five points, and what `backward` finds."""

    def sides(x: Array, rng: random.Random) -> Sides:
        inputs = [x, drawn(rng, 5)][: stated.__code__.co_argcount]
        return stated(*inputs), slopes(function, ONES, *inputs)[along]

    return sides


DERIVATIVES: dict[str, Formula] = {
    r"\frac{d}{dx}(12 + 2x) = 2": derivative(lambda x: 12 + 2 * x, lambda x: 2 * ONES),
    r"\frac{d}{dx}\, x^2 = 2x": derivative(lambda x: x**2, lambda x: 2 * x),
    r"\frac{d}{dx}\, x^3 = 3x^2": derivative(lambda x: x**3, lambda x: 3 * x**2),
    r"\frac{d}{dx}\, e^x = e^x": derivative(np.exp, lambda x: np.exp(x)),
    r"\frac{d}{dx} \log x = \frac{1}{x}": derivative(np.log, lambda x: 1 / x),
    r"\frac{d}{dx}\, \operatorname{ReLU}(x) = [x > 0]": derivative(
        lambda _, x: relus(x), lambda _, x: x > 0, along=1
    ),
    r"\frac{d}{dx}(3x + 1)^2 = 2(3x + 1) \cdot 3": derivative(
        lambda x: (3 * x + 1) ** 2, lambda x: 2 * (3 * x + 1) * 3
    ),
    r"\frac{\partial}{\partial a}(a + b) = 1": derivative(
        operator.add, lambda a, b: ONES
    ),
    r"\frac{\partial}{\partial b}(a + b) = 1": derivative(
        operator.add, lambda a, b: ONES, along=1
    ),
    r"\frac{\partial}{\partial a}(a - b) = 1": derivative(
        operator.sub, lambda a, b: ONES
    ),
    r"\frac{\partial}{\partial b}(a - b) = -1": derivative(
        operator.sub, lambda a, b: -ONES, along=1
    ),
    r"\frac{\partial}{\partial a}(a b) = b": derivative(operator.mul, lambda a, b: b),
    r"\frac{\partial}{\partial b}(a b) = a": derivative(
        operator.mul, lambda a, b: a, along=1
    ),
    r"\frac{\partial}{\partial a}(a / b) = \frac{1}{b}": derivative(
        operator.truediv, lambda a, b: 1 / b
    ),
    r"\frac{\partial}{\partial b}(a / b) = -\frac{a}{b^2}": derivative(
        operator.truediv, lambda a, b: -a / b**2, along=1
    ),
    r"\frac{\partial}{\partial a}(a b + b) = b": derivative(
        lambda a, b: a * b + b, lambda a, b: b
    ),
    r"\frac{\partial}{\partial b}(a b + b) = a + 1": derivative(
        lambda a, b: a * b + b, lambda a, b: a + 1, along=1
    ),
    r"\frac{\partial z}{\partial a_0} = b_0": of_a_dot,
    r"\frac{\partial z}{\partial a_1} = b_1": of_a_dot,
    r"\frac{\partial z}{\partial b_0} = a_0": of_a_dot,
    r"\frac{\partial z}{\partial b_1} = a_1": of_a_dot,
    r"\frac{\partial L}{\partial a} = \frac{e^a}{e^a + e^b + e^c} - 1": of_three_logits,
    r"\frac{\partial L}{\partial b} = \frac{e^b}{e^a + e^b + e^c}": of_three_logits,
    r"dx_j = s \left( dy_j - y_j \cdot \frac{1}{n} \sum_i y_i\, dy_i \right)": of_rmsnorm,
    r"p_u \left( d_u - \sum_v p_v\, d_v \right)": of_softmax,
    r"da_{tu} = dy_t \cdot v_u": of_gathering,
    r"dv_u = \sum_t a_{tu}\, dy_t": of_gathering,
    r"dq_t = \sum_u ds_{tu}\, k_u": of_scores,
    r"dk_u = \sum_t ds_{tu}\, q_t": of_scores,
}


def of_a_loss(_: Array, rng: random.Random) -> Sides:
    token = rng.randrange(26)
    p = softmax(MODEL.forward(26, MODEL.new_cache()))[token]
    return -math.log(p.data), document_loss(MODEL, [26, token])


def counted(times: int = 1) -> step0.Counts:
    """Return Step 0's table once it has read one name so often."""
    counts = step0.zero_counts(TOKENIZER.vocab_size)
    for _ in range(times):
        step0.count_pairs(EMMA, counts)
    return counts


def of_smoothing(_: Array, rng: random.Random) -> Sides:
    i = rng.choice(EMMA)
    more = np.array(counted()[i]) + 1
    return more / more.sum(), step0.probabilities(i, counted())


def of_shares(_: Array, rng: random.Random) -> Sides:
    z = 3 * drawn(rng, 5)
    return np.exp(z) / np.exp(z).sum(), step1.softmax(z.tolist())


def of_a_temperature(_: Array, rng: random.Random) -> Sides:
    """What `sample` draws from is the odds at 1, to the power of 1 / T."""
    z, t = 3 * drawn(rng, 5), rng.uniform(0.2, 3)
    powers = np.array(step1.softmax(z.tolist())) ** (1 / t)
    return powers / powers.sum(), softmax(values(z / t))


def of_a_whole_name(_: Array, rng: random.Random) -> Sides:
    """The loss of a name is the mean of its tokens' surprises."""
    tokens = TOKENIZER.document("".join(rng.choices("abc", k=3)))
    cache, product = MODEL.new_cache(), 1.0
    for token, target in pairwise(tokens):
        product *= softmax(MODEL.forward(token, cache))[target].data
    return product, math.exp(-4 * document_loss(MODEL, tokens).data)


def of_descent(x: Array, _: random.Random) -> Sides:
    w, slope, rate, *_rest = x.tolist()
    weights = {"w": [[w]]}
    step1.descend(weights, {"w": [[slope]]}, rate)
    return w - rate * slope, weights["w"]


def stepped(rng: random.Random) -> tuple[Adam, Value]:
    """Return Adam after three steps, and its parameter with the next gradient."""
    w = Value(rng.gauss(0, 1))
    adam = Adam([w])
    for w.grad in drawn(rng, 3):
        adam.step(0.1)
    w.grad = rng.gauss(0, 1)
    return adam, w


def of_a_running_mean(_: Array, rng: random.Random) -> Sides:
    adam, w = stepped(rng)
    betas = np.array([adam.beta1, adam.beta2])
    means = np.array([adam.first[0], adam.second[0]])
    by_hand = betas * means + (1 - betas) * [w.grad, w.grad**2]
    adam.step(0.1)
    return by_hand, [adam.first, adam.second]


def of_adam(_: Array, rng: random.Random) -> Sides:
    adam, w = stepped(rng)
    mean = (0.85 * adam.first[0] + 0.15 * w.grad) / (1 - 0.85**4)
    square = (0.99 * adam.second[0] + 0.01 * w.grad**2) / (1 - 0.99**4)
    by_hand = w.data - 0.1 * mean / (math.sqrt(square) + 1e-8)
    adam.step(0.1)
    return by_hand, w


def of_decay(_: Array, rng: random.Random) -> Sides:
    """A weight that first loses its share and then follows Adam gets as far."""
    adam, w = stepped(rng)
    shrunk, before = w.data * (1 - 0.1 * 0.01), w.data
    adam.step(0.1)
    by_adam = (before - w.data) / 0.1
    return before - 0.1 * (by_adam + 0.01 * before), shrunk - 0.1 * by_adam


def of_rmsprop(x: Array, _: random.Random) -> Sides:
    """It is Adam without the mean of gradients, and without the correction."""
    w = Value(x[0])
    w.grad = x[1]
    adam = Adam([w], beta1=0.0, beta2=x[2], epsilon=0.0)
    adam.step(0.1 / math.sqrt(1 - x[2]))
    return x[0] - 0.1 * x[1] / math.sqrt(adam.second[0]), w


def of_a_ball(x: Array, _: random.Random) -> Sides:
    """What momentum has summed up are all gradients, each as faded as it is old."""
    ball, w = 0.0, 1.0
    for g in x:
        ball = 0.9 * ball + g
        w = w - 0.1 * ball
    ages = np.arange(4, -1, -1)
    sums = (1 - 0.9 ** (ages + 1)) / (1 - 0.9)
    return [ball, w], [0.9**ages @ x, 1 - 0.1 * sums @ x]


def of_four_balls(x: Array, _: random.Random) -> Sides:
    """Four ways to write a ball go one way."""
    pull, beta, rate = x[:3] / 9
    by_ball = by_velocity = by_places = before = by_mean = 3.0
    ball = velocity = mean = 0.0
    for _step in range(5):
        ball = beta * ball + pull * by_ball
        by_ball -= rate * ball
        velocity = beta * velocity - rate * pull * by_velocity
        by_velocity += velocity
        w = by_places
        before, by_places = w, w - rate * pull * w + beta * (w - before)
        mean = beta * mean + (1 - beta) * pull * by_mean
        by_mean -= rate / (1 - beta) * mean
    return [by_ball] * 3, [by_velocity, by_places, by_mean]


def of_looking_ahead(x: Array, _: random.Random) -> Sides:
    """PyTorch's w is where Nesterov's ball would be going."""
    pull, beta, rate = x[:3] / 9
    w = place = 3.0
    b = u = 0.0
    for _step in range(5):
        b = beta * b + pull * w
        w = w - rate * (pull * w + beta * b)
        u = beta * u - rate * pull * (place + beta * u)
        place += u
    return w, place + beta * u


def of_a_vjp(x: Array, rng: random.Random) -> Sides:
    p, dy = shares(x), drawn(rng, 5)
    jacobian = np.diag(p) - np.outer(p, p)
    return jacobian.T @ dy, slopes(softmax, dy, x)


def of_a_correction(x: Array, _: random.Random) -> Sides:
    """Of equal gradients, a corrected mean is what each of them, or its square, is."""
    w = Value(0.0)
    adam = Adam([w], 0.85, 0.99)
    for w.grad in [x[0]] * 4:
        adam.step(0.1)
    corrected = adam.first[0] / (1 - 0.85**4), adam.second[0] / (1 - 0.99**4)
    return [x[0], x[0] ** 2], corrected


def of_ages(x: Array, _: random.Random) -> Sides:
    """A running mean is a sum in which each gradient has faded with its age."""
    w = Value(0.0)
    adam = Adam([w], beta1=0.85)
    for w.grad in x:
        adam.step(0.1)
    return (1 - 0.85) * 0.85 ** np.arange(4, -1, -1) @ x, adam.first


def of_a_pull(_: Array, rng: random.Random) -> Sides:
    z, target = values(drawn(rng, 5)), rng.randrange(5)
    p = softmax(z)
    (-p[target].log()).backward()
    return flat(p) - np.eye(5)[target], grads(z)


def of_the_network(_: Array, rng: random.Random) -> Sides:
    weights = step1.initial_weights(TOKENIZER.vocab_size, rng)
    wte, fc1, fc2 = (np.array(weights[name]) for name in ("wte", "fc1", "fc2"))
    return fc2 @ np.maximum(0, fc1 @ wte[0]), step1.forward(0, weights)


def of_its_slope(x: Array, _: random.Random) -> Sides:
    error = Value(x[0]) * x[1] + x[2] - x[3]
    (error**2).backward()
    return error.grad, 2 * error.data


def of_a_factor(x: Array, _: random.Random) -> Sides:
    w, b = values(x[:2])
    error = w * x[2] + b - x[3]
    (error**2).backward()
    after = (w.data - 0.05 * w.grad) * x[2] + b.data - 0.05 * b.grad - x[3]
    return after / error.data, 1 - 2 * 0.05 * (x[2] ** 2 + 1)


def of_a_layer(_: Array, rng: random.Random) -> Sides:
    """What the MLP returns is what it was given, and what two layers make of its norm."""
    x = values(drawn(rng, 16))
    hidden = linear(rmsnorm(x), MODEL.weights["layer0.mlp_fc1"])
    added = linear([h.relu() for h in hidden], MODEL.weights["layer0.mlp_fc2"])
    return x + added, MODEL.mlp(x, 0)


def of_attention(_: Array, rng: random.Random) -> Sides:
    """With one token to look at, each head gathers all of its value."""
    x = values(drawn(rng, 16))
    value = linear(rmsnorm(x), MODEL.weights["layer0.attn_wv"])
    added = linear(value, MODEL.weights["layer0.attn_wo"])
    return x + added, MODEL.attention(x, 0, MODEL.new_cache()[0])


def of_a_name(_: Array, rng: random.Random) -> Sides:
    counts = counted(rng.randrange(5))
    p = [step0.probabilities(i, counts)[j] for i, j in PAIRS]
    return -1 / len(p) * np.log(p).sum(), step0.mean_loss(EMMA, counts)


def of_a_draw(x: Array, rng: random.Random) -> Sides:
    """The generator takes the piece of the line that its number falls on."""
    p, seed = shares(x), rng.random()
    first = np.argmax(np.cumsum(p) > random.Random(seed).random())
    return first, random.Random(seed).choices(range(5), p.tolist())


def of_paths(x: Array, _: random.Random) -> Sides:
    """Follow every path from y to x, and multiply along each."""
    begin, w = values(x[:2])
    y = (begin * w + begin) * (begin + w)
    y.backward()

    def along(node: Value, product: float) -> float:
        if node is begin:
            return product
        edges = zip(node._children, node._local_grads, strict=True)
        return sum(along(child, product * slope) for child, slope in edges)

    return along(y, 1.0), begin.grad


def of_a_matrix(x: Array, rng: random.Random) -> Sides:
    w = drawn(rng, 3, 5)
    return w @ x, linear(values(x), values(w))


def of_averages(x: Array, rng: random.Random) -> Sides:
    """What a position gathers is a product with the matrix of all values, on its side."""
    a, v = shares(x), drawn(rng, 5, 3)
    return a @ v, linear(values(a), values(v.T))


def of_a_tile(_: Array, rng: random.Random) -> Sides:
    """A tile adds a row of b at a time; `linear` finishes each sum by itself."""
    a, b, c = drawn(rng, 3, 5), drawn(rng, 5, 4), drawn(rng, 3, 4)
    tile = c.copy()
    for i, row in enumerate(b):
        tile += np.outer(a[:, i], row)
    return tile, c + [linear(values(row), values(b.T)) for row in a]


def of_one_pass(x: Array, rng: random.Random) -> Sides:
    """A largest score, a sum and a blend, carried along, and made of all scores at once."""
    s = 3 * drawn(rng, 5)
    m, total, y = -math.inf, 0.0, 0.0
    for si, vi in zip(s, x, strict=True):
        new = max(m, si)
        total = total * math.exp(m - new) + math.exp(si - new)
        y = y * math.exp(m - new) + vi * math.exp(si - new)
        m = new
    exps = np.exp(s - s.max())
    return [m, total, y], [s.max(), exps.sum(), exps @ x]


def of_all_at_once(_: Array, rng: random.Random) -> Sides:
    """A mask leaves each row what a list of keys that grows leaves it."""
    q, k, v = drawn(rng, 3, 4, 5)
    mask = np.triu(np.full((4, 4), -math.inf), 1)
    exps = np.exp(q @ k.T / math.sqrt(5) + mask)
    read = range(1, 5)
    grown = [attend(values(q[n - 1]), values(k[:n]), values(v[:n])) for n in read]
    return exps @ v / exps.sum(axis=1, keepdims=True), grown


def of_waves(_: Array, rng: random.Random) -> Sides:
    """A wave of a place is a hand that has turned by its rate so many times."""
    place, pair, width = rng.randrange(9), rng.randrange(4), 8
    angle = place / 10000 ** (2 * pair / width)
    turned = cmath.exp(1j * 10000 ** (-2 * pair / width)) ** place
    return [math.sin(angle), math.cos(angle)], [turned.imag, turned.real]


def of_turning(_: Array, rng: random.Random) -> Sides:
    """Turned by their places, a query and a key agree as their distance says."""
    (q, k), (i, u) = drawn(rng, 2, 2), (7, 3)

    def turned(x: Array, places: int) -> Array:
        c, s = math.cos(places * 0.3), math.sin(places * 0.3)
        return np.array([[c, -s], [s, c]]) @ x

    by_angle = complex(*q) * cmath.exp(1j * i * 0.3)
    apart = q @ turned(k, u - i)
    return (
        [turned(q, i), turned(q, i) @ turned(k, u)],
        [by_angle.real, by_angle.imag, apart],
    )


def of_layernorm(x: Array, rng: random.Random) -> Sides:
    """It is RMSNorm of what is left when the mean has gone."""
    g, b = drawn(rng, 2, 5)
    y = g * (x - x.mean()) / np.sqrt(x.var() + 1e-5) + b
    return y, g * normed(x - x.mean()) + b


def of_looking(x: Array, rng: random.Random) -> Sides:
    """The shares with which `attend` mixes are seen where each value is a mark."""
    keys = drawn(rng, 5, 5)
    exps = np.exp(keys @ x / math.sqrt(5))
    return exps / exps.sum(), attend(values(x), values(keys), values(np.eye(5)))


def of_a_place(_: Array, rng: random.Random) -> Sides:
    """What comes to Step 3's first RMSNorm is the sum of two rows."""
    weights = step3.initial_weights(TOKENIZER.vocab_size, rng)
    rows = zip(weights["wte"][EMMA[3]], weights["wpe"][3], strict=True)
    read = before_attention(EMMA[:4], weights)
    return rmsnorm([t + p for t, p in rows]), read[3]


def made(n: int) -> list[Value]:
    """Return the nodes of a dot product in which each step makes one."""
    products = values(np.full(n, 2.0)) * values(np.full(n, 3.0))
    order = topological_order(reduce(operator.add, products))
    return [node for node in order if node._children]


def operands(n: int) -> int:
    """Return how many numbers a dot product of `n` pairs reads."""
    return len(dot(values(np.ones(n)), values(np.ones(n)))._children)


def multiplied(n: int) -> tuple[int, int]:
    """Return the operations of two matrices' product, and the numbers in all three."""
    places = [(row, column) for row in range(n) for column in range(n)]
    pairs = [(place, k) for place in places for k in range(n)]
    return len(pairs) * len(("multiply", "add")), 3 * len(places)


def of_a_power(x: Array, _: random.Random) -> Sides:
    """On scales of tens, it is a line."""
    return (8.8e13 / 1e9) ** x[0], math.exp(x[0] * (math.log(8.8e13) - math.log(1e9)))


def of_a_scale(x: Array, _: random.Random) -> Sides:
    return normed(x), x / np.sqrt(1 / 5 * (x**2).sum() + 1e-5)


FORMULAS: dict[str, Formula] = {
    r"-\log p": of_a_loss,
    # Under this bill the boldest statement about a bent coin costs the least.
    r"1 - p": lambda x, _: (
        1.0,
        min([0.5, 0.7, 0.9, 1.0], key=lambda p: 0.7 * (1 - p) + 0.3 * (1 - (1 - p))),
    ),
    r"-\ln p": of_a_loss,
    r"\ln 27": lambda x, _: (math.log(27), step0.mean_loss(EMMA, counted(0))),
    # Each token but the first is an answer.
    r"n + 1": lambda x, _: (len("emma") + 1, len(EMMA[1:])),
    r"n + 2": lambda x, _: (len("emma") + 2, len(EMMA)),
    r"n_{ij} \leftarrow n_{ij} + 1": lambda x, _: (
        [counted(1)[i][j] + 1 for i, j in PAIRS],
        [counted(2)[i][j] for i, j in PAIRS],
    ),
    r"p(j \mid i) = \frac{n_{ij} + 1}{\sum_k (n_{ik} + 1)}": of_smoothing,
    r"L = -\frac{1}{n} \sum_{t=1}^{n} \ln p_t": of_a_name,
    r"p_0 + p_1 + \dots + p_j > u": of_a_draw,
    r"-\ln p_t = \ln \sum_j e^{z_j} - z_t": lambda x, _: (
        np.log(np.exp(x).sum()) - x[2],
        -softmax(values(x))[2].log(),
    ),
    r"a_i = \frac{e^{s_i}}{\sum_j e^{s_j}}": of_shares,
    r"p_i = \frac{e^{z_i}}{\sum_j e^{z_j}}": of_shares,
    r"a_j = \frac{e^{s_j}}{\sum_u e^{s_u}}": of_shares,
    r"w \leftarrow w - \eta \, \frac{\partial L}{\partial w}": of_descent,
    r"w \leftarrow w - \eta \, \frac{\hat m}{\sqrt{\hat v} + \varepsilon}": of_adam,
    r"m \leftarrow \beta m + (1 - \beta)\,g": of_a_running_mean,
    r"m \leftarrow \beta_1 m + (1 - \beta_1)\,g": of_a_running_mean,
    r"v \leftarrow \beta_2 v + (1 - \beta_2)\,g^2": of_a_running_mean,
    r"\hat m = \frac{m}{1 - \beta^t}": of_a_correction,
    r"\hat m = \frac{m}{1 - \beta_1^t}": of_a_correction,
    r"\hat v = \frac{v}{1 - \beta_2^t}": of_a_correction,
    r"m = (1 - \beta) \sum_{i=1}^{t} \beta^{t-i} g_i": of_ages,
    r"(1 - \beta) \sum_{i=1}^{t} \beta^{t-i} = 1 - \beta^t": lambda x, _: (
        (1 - x[0]) * sum(x[0] ** (7 - i) for i in range(1, 8)),
        1 - x[0] ** 7,
    ),
    r"w \leftarrow w - \eta\, g": of_descent,
    r"b \leftarrow \beta b + g": of_a_ball,
    r"w \leftarrow w - \eta\, m": of_four_balls,
    r"u \leftarrow \beta u - \eta\, g": of_four_balls,
    r"w \leftarrow w + u": of_four_balls,
    r"w_{t+1} = w_t - \eta\, g_t + \beta\,(w_t - w_{t-1})": of_four_balls,
    r"w \leftarrow w - \eta\,(g + \beta b)": of_looking_ahead,
    r"\frac{\eta}{1 - \beta}": lambda x, _: (
        0.1 / (1 - 0.5),
        sum(0.1 * 0.5**age for age in range(60)),
    ),
    r"\bar x_j = \sum_i J_{ij} \, \bar y_i": of_a_vjp,
    # Both limits are those of a time: W FLOPs and Q bytes take the longer of two.
    r"v = \min(P, I \cdot B)": lambda x, _: (
        [min(6, w / 8 * 4) for w in range(1, 20)],
        [w / max(w / 6, 8 / 4) for w in range(1, 20)],
    ),
    r"I = \frac{2mnk}{s\,(mk + kn + mn)}": lambda x, _: (
        2 * 5 * 5 * 5 / (8 * (5 * 5 + 5 * 5 + 5 * 5)),
        multiplied(5)[0] / (8 * multiplied(5)[1]),
    ),
    r"\frac{a+b}{ab} = \frac{1}{a} + \frac{1}{b}": lambda x, _: (
        [(8 + 4) / (8 * 4)] * 2,
        [1 / 8 + 1 / 4, len([*range(8), *range(4)]) / len(range(8 * 4))],
    ),
    r"L(N) = (N_c / N)^{\alpha_N}": of_a_power,
    r"L(D) = (D_c / D)^{\alpha_D}": of_a_power,
    r"L(N, D) = E + \frac{A}{N^\alpha} + \frac{B}{D^\beta}": lambda x, _: (
        1.69 + 406.4 / 1e9**0.34 + 410.7 / 2e10**0.28,
        1.69 + 406.4 * 10 ** (-9 * 0.34) + 410.7 / 20**0.28 * 10**-2.52,
    ),
    r"\text{exposure} = \log_2 n - \log_2 r": lambda x, _: (
        math.log2(64) - math.log2(2),
        sum(2**half < 64 // 2 for half in range(9)),  # halvings to get there
    ),
    r"w \leftarrow w - \eta\, b": of_a_ball,
    r"w \leftarrow w - \eta \, \frac{g}{\sqrt{v} + \varepsilon}": of_rmsprop,
    r"w \leftarrow w - \eta \left( \frac{\hat m}{\sqrt{\hat v} + \varepsilon} + \lambda w \right)": of_decay,
    r"\eta_t = \eta \left( 1 - \frac{t-1}{T} \right)": lambda x, _: (
        [x[0] * (1 - (t - 1) / 9) for t in range(1, 10)],
        [linear_decay(x[0], step, 9) for step in range(9)],
    ),
    r"\bar g \pm t \, \frac{s}{\sqrt{n}}": lambda x, _: (
        [statistics.fmean(x), 2.7764451 * statistics.stdev(x) / 5**0.5],
        np.round(interval(x.tolist()), 9),
    ),
    r"L = (w x + b - y)^2": lambda x, _: (
        (Value(x[0]) * x[1] + x[2] - x[3]) ** 2,
        (x[0] * x[1] + x[2] - x[3]) ** 2,
    ),
    r"2 \cdot \text{error}": of_its_slope,
    r"\frac{L(w + \varepsilon) - L(w)}{\varepsilon}": lambda x, _: (
        ((x[0] + 0.01) ** 2 - x[0] ** 2) / 0.01,
        2 * x[0] + 0.01,
    ),
    # Of a square, a step to either side finds the slope itself.
    r"\frac{L(w + \varepsilon) - L(w - \varepsilon)}{2\varepsilon}": lambda x, _: (
        ((x[0] + 0.01) ** 2 - (x[0] - 0.01) ** 2) / (2 * 0.01),
        2 * x[0],
    ),
    r"w x + b": lambda x, _: (Value(x[0]) * x[1] + x[2], x[0] * x[1] + x[2]),
    r"p_i - y_i": of_a_pull,
    r"L = \ln(e^a + e^b + e^c) - a": lambda x, _: (
        np.log(np.exp(x[:3]).sum()) - x[0],
        -np.log(shares(x[:3])[0]),
    ),
    r"z = W_2 \max(0, W_1 x)": of_the_network,
    r"\begin{pmatrix} 0.5 & 1 & 2 \\ 0 & 0 & 1 \end{pmatrix} "
    r"\begin{pmatrix} 1 \\ 2 \\ -1 \end{pmatrix} = \begin{pmatrix} "
    r"0.5 \cdot 1 + 1 \cdot 2 + 2 \cdot (-1) \\ "
    r"0 \cdot 1 + 0 \cdot 2 + 1 \cdot (-1) \end{pmatrix} = "
    r"\begin{pmatrix} 0.5 \\ -1 \end{pmatrix}": lambda x, _: (
        step1.linear([1.0, 2.0, -1.0], [[0.5, 1.0, 2.0], [0.0, 0.0, 1.0]]),
        [0.5 * 1 + 1 * 2 + 2 * -1, 0 * 1 + 0 * 2 + 1 * -1],
    ),
    r"\max(0, h)": lambda x, _: (max(0, x[0]), Value(x[0]).relu()),
    r"2^z": lambda x, _: (2 ** x[0], math.exp(x[0] * math.log(2))),
    r"27 \times 16 + 64 \times 16 + 27 \times 64": lambda x, rng: (
        27 * 16 + 64 * 16 + 27 * 64,
        len(flat([*step1.initial_weights(27, rng).values()])),
    ),
    r"x \leftarrow x + \text{attention}(\text{norm}(x))": of_attention,
    r"x \leftarrow x + \text{MLP}(\text{norm}(x))": of_a_layer,
    r"1 - 2\eta(x^2 + 1)": of_a_factor,
    CHAIN_RULE: of_paths,
    r"\sum_{\text{paths}} \prod_{\text{steps}} \text{slope}": of_paths,
    # Of a fair choice among so many
    r"H = -\sum_i p_i \log p_i": lambda x, _: (
        math.exp(-sum(p * math.log(p) for p in [0.2] * 5)),
        5,
    ),
    # The shares of what came, against all that came
    r"-\sum_j p_j \ln q_j": lambda x, _: (
        -np.log(shares(x[:3])) @ [0.2, 0.3, 0.5],
        np.mean(-np.log(shares(x[:3])).repeat([2, 3, 5])),
    ),
    r"p_i = \frac{e^{z_i / T}}{\sum_j e^{z_j / T}}": of_a_temperature,
    r"p = \operatorname{softmax}(z / T)": of_a_temperature,
    r"p(\text{name}) = \prod_t p(x_t \mid x_0, \dots, x_{t-1})": of_a_whole_name,
    r"\arg\max_i p_i": lambda x, _: (np.argmax(x), np.argmax(shares(x))),
    r"p \log p": lambda x, _: (1e-12 * math.log(1e-12), 0),
    r"z = a_0 b_0 + a_1 b_1": lambda x, _: (
        x[0] * x[2] + x[1] * x[3],
        dot(values(x[:2]), values(x[2:4])),
    ),
    r"n - 1": lambda x, _: (
        6 - 1,
        sum(node._local_grads == (1.0, 1.0) for node in made(6)),
    ),
    r"2n - 1": lambda x, _: (2 * 6 - 1, len(made(6))),
    r"2n": lambda x, _: (2 * 5, operands(5)),
    r"4B": lambda x, _: (4 * 3, Config().n_head * len(["document"] * 3)),
    r"6N": lambda x, _: (6, 3 * operands(1)),
    r"P(\text{name}) = \prod_t p_t": of_a_whole_name,
    # A name said by heart: one of a thousand, then each token for certain.
    r"\frac{\ln N}{n}": lambda x, _: (
        math.log(1000) / 5,
        statistics.fmean(-math.log(p) for p in [1 / 1000, 1, 1, 1, 1]),
    ),
    r"2n^3": lambda x, _: (2 * 5**3, multiplied(5)[0]),
    r"3n^2": lambda x, _: (3 * 5**2, multiplied(5)[1]),
    r"g \leftarrow g \cdot \min(1, c / \lVert g \rVert)": lambda x, _: (
        np.linalg.norm(x * min(1, 0.5 / np.linalg.norm(x))),
        min(0.5, math.hypot(*x)),
    ),
    r"L = -\ln \frac{1}{1 + e^{-\beta g}}": lambda x, _: (
        (1 + (-0.5 * Value(x[0])).exp()).log(),
        -math.log(1 / (1 + math.exp(-0.5 * x[0]))),
    ),
    # Each of four weights meets each of five tokens.
    r"C \approx 6ND": lambda x, _: (
        6 * 4 * 5,
        sum(3 * operands(1) for _ in range(4 * 5)),
    ),
    r"12Lw^2": lambda x, _: (
        12 * 3 * 16**2,
        Config(n_layer=3).num_parameters - Config(n_layer=0).num_parameters,
    ),
    r"16N": lambda x, _: (16, 4 * len(("weight", "gradient", "m", "v"))),
    r"16N/k": lambda x, _: (16 * 4 / 2, 4 * (4 / 2 + 4 / 2 + 2 * 4 / 2)),
    # A machine sends a piece of its list per turn, in two rounds.
    r"2\,(n-1)/n": lambda x, _: (
        2 * (8 - 1) / 8,
        len([*range(1, 8), *range(1, 8)]) / 8,
    ),
    r"y_i = \sum_j w_{ij} x_j": of_a_matrix,
    r"(W x)_i = \sum_j W_{ij} \, x_j": of_a_matrix,
    r"c_{yx} \mathrel{+}= \sum_i a_{yi}\, b_{ix}": of_a_tile,
    r"m' = \max(m, s)": of_one_pass,
    r"\ell' = \ell\, e^{m - m'} + e^{s - m'}": of_one_pass,
    r"y' = y\, e^{m - m'} + v\, e^{s - m'}": of_one_pass,
    r"y = s\,x": lambda x, _: (normed(x), normed(x)[0] / x[0] * x),
    r"y_t = \sum_u a_{tu} v_u": of_averages,
    r"s_{tu} = q_t \cdot k_u": of_a_matrix,
    r"\sum_{i=1}^{n} x_i = x_1 + x_2 + \dots + x_n": lambda x, _: (
        sum(x),
        x[0] + x[1] + x[2] + x[3] + x[4],
    ),
    r"\prod_{i=1}^{n} x_i = x_1 \, x_2 \cdots x_n": lambda x, _: (
        math.prod(x),
        x[0] * x[1] * x[2] * x[3] * x[4],
    ),
    r"e^{a+b} = e^a \, e^b": lambda x, _: (
        math.exp(x[0] + x[1]),
        math.exp(x[0]) * math.exp(x[1]),
    ),
    r"\log(a \, b) = \log a + \log b": lambda x, _: (
        math.log(x[0] * x[1]),
        math.log(x[0]) + math.log(x[1]),
    ),
    r"\log e^a = a": lambda x, _: (np.log(np.exp(x)), x),
    r"w \cdot x = \sum_i w_i \, x_i": lambda x, _: (
        dot(values(x), values(x[::-1])),
        (x * x[::-1]).sum(),
    ),
    r"\lVert x \rVert = \sqrt{x \cdot x}": lambda x, _: (
        math.hypot(*x),
        math.sqrt(x @ x),
    ),
    r"\mu = \frac{1}{n} \sum_i x_i": lambda x, _: (statistics.fmean(x), x.sum() / 5),
    r"\sigma^2 = \frac{1}{n} \sum_i (x_i - \mu)^2": lambda x, _: (
        statistics.pvariance(x),
        1 / 5 * ((x - x.mean()) ** 2).sum(),
    ),
    r"q = W_q\, x": of_a_matrix,
    r"k = W_k\, x": of_a_matrix,
    r"v = W_v\, x": of_a_matrix,
    r"a = \operatorname{softmax}(q \cdot k_j / \sqrt{d})": of_looking,
    r"s_j = q \cdot k_j / \sqrt{d}": lambda x, _: (
        x @ x[::-1] / math.sqrt(5),
        dot(values(x), values(x[::-1])) * len(x) ** -0.5,
    ),
    r"y = \sum_j a_j v_j": of_averages,
    r"Y = \operatorname{softmax}\left(\frac{Q K^\top}{\sqrt{d}} + M\right) V": of_all_at_once,
    r"x \leftarrow x + W_o\, y": of_attention,
    r"k = W_k\, z": of_a_matrix,
    r"v = W_v\, z": of_a_matrix,
    r"\text{MLP}(x) = W_2 \max(0, W_1\, x)": of_the_network,
    r"2VC + TC + 12LC^2": lambda x, _: (
        2 * 27 * 32 + 8 * 32 + 12 * 3 * 32**2,
        Config(27, 3, 32, n_head=4, block_size=8).num_parameters,
    ),
    r"x_i = t_i + p_i": of_a_place,
    r"x = t + p": of_a_place,
    r"p_{i,2j} = \sin(i / 10000^{2j/d})": of_waves,
    r"p_{i,2j+1} = \cos(i / 10000^{2j/d})": of_waves,
    r"R_i\, q = \begin{pmatrix} \cos i\theta & -\sin i\theta \\ \sin i\theta & \cos i\theta "
    r"\end{pmatrix} \begin{pmatrix} q_0 \\ q_1 \end{pmatrix}": of_turning,
    r"R_i\, q \cdot R_u\, k = q \cdot R_{u-i}\, k": of_turning,
    r"\theta = 10000^{-2j/d}": of_waves,
    r"y_i = g_i \, \frac{x_i - \mu}{\sqrt{\sigma^2 + \varepsilon}} + b_i": of_layernorm,
    r"y_i = g_i \, \frac{x_i}{\sqrt{\frac{1}{n} \sum_j x_j^2 + \varepsilon}}": lambda x, _: (
        x[::-1] * x / np.sqrt(1 / 5 * (x**2).sum() + 1e-5),
        x[::-1] * rmsnorm(values(x)),
    ),
    r"x \leftarrow x + f(x)": of_a_layer,
    r"y_i = x_i / \sqrt{\frac{1}{n} \sum_j x_j^2 + \varepsilon}": of_a_scale,
    r"y_i = x_i / \sqrt{\frac{1}{C} \sum_c x_c^2 + \varepsilon}": of_a_scale,
    r"E = \sum_i p_i \, x_i": lambda x, _: (
        x @ [0.1, 0.2, 0.7, 0, 0],
        statistics.fmean([x[0], *[x[1]] * 2, *[x[2]] * 7]),
    ),
    r"-\log \prod_t p_t = \sum_t -\log p_t": lambda x, _: (
        -math.log(math.prod(x)),
        sum(-math.log(p) for p in x),
    ),
}
FORMULA = re.compile(
    rf"^ *\$\$\n(?P<block>(?:.*\n)+?) *\$\$$|{MATH.pattern}", re.MULTILINE
)
# What only names a thing: a letter, a function, a power; a constant; and the shapes of
# arrays, which tests/package/engines/test_numpy.py compares.
NAMES = re.compile(
    r"\(.*,.*\)|[A-Za-z]+(_\w+|_\{\w+\})?|f\(x\)|[a-z]\^(\{(\\text\{\w+\}|[^}]*)\}|\w)|10\^9|-1"
    r"|\\hat [mv]|\\beta(\^t)?|\\eta|\\varepsilon|-?\\infty|-?\\(log|ln)|\\ln 2|n \\times n|w \\cdot x"
    r"|\\frac\{\\partial \S+( \\text\{node\})?\}\{\\partial \\text\{\w+\}\}"
)


def stated(text: str) -> set[str]:
    """Return the formulas of a page that say more than how something is called."""
    parts = {
        part.strip(" $\n")
        for match in FORMULA.finditer(text)
        for part in (match["block"] or match[0]).split(r"\qquad")
    }
    return {part for part in parts if not NAMES.fullmatch(part)}


def test_every_formula_of_a_page_is_one_of_these(guide: Guide) -> None:
    """A formula that has changed no longer says what is compared here."""
    pages = [guide.read(path) for path in [*guide.paths, *guide.labs]]
    prose = ["\n".join(line for _, line in page.prose()) for page in pages]
    assert set().union(*map(stated, prose)) == set(DERIVATIVES | FORMULAS)


@pytest.mark.parametrize("formula", DERIVATIVES | FORMULAS)
def test_both_ways_to_compute_a_formula_agree(formula: str) -> None:
    for seed in range(3):
        rng = random.Random(seed)
        x = np.array([rng.uniform(0.1, 0.9) for _ in range(5)])
        one, other = map(flat, (DERIVATIVES | FORMULAS)[formula](x, rng))
        assert one == pytest.approx(other, rel=1e-9, abs=1e-9), formula
