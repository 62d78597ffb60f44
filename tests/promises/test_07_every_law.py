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
from collections.abc import Callable, Iterable
from functools import reduce
from itertools import pairwise
from statistics import fmean, pvariance, stdev
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import microgpt
from bench.ends import interval
from microgpt import (
    Adam,
    Value,
    attend,
    document_loss,
    dot,
    linear,
    rmsnorm,
    softmax,
    topological_order,
)
from snippets import step0, step1, step3
from snippets.ready.attention import before_attention
from weave.guide import Guide
from weave.text import MATH

MODEL, TOKENIZER = microgpt.load_model()
EMMA = TOKENIZER.document("emma")
PAIRS = [*pairwise(EMMA)]
STEP1, STEP3 = (
    step.initial_weights(TOKENIZER.vocab_size, random.Random(1))
    for step in (step1, step3)
)

Array = NDArray[Any]
# What two ways to compute it give, for five numbers between 0 and 1 and for others.
Sides = tuple[Any, Any]
Formula = Callable[[Array, random.Random], Sides]

values: Callable[..., Any] = np.frompyfunc(Value, 1, 1)
grads: Callable[..., Any] = np.frompyfunc(operator.attrgetter("grad"), 1, 1)
relus: Callable[..., Any] = np.frompyfunc(Value.relu, 1, 1)


def drawn(rng: random.Random, *shape: int) -> Array:
    return np.array([rng.gauss(0, 1) for _ in range(math.prod(shape))]).reshape(shape)


def flat(side: Any) -> list[float]:
    """Return all numbers of a side in one row, those of `Value`s too."""
    if isinstance(side, list | tuple | np.ndarray):
        return [number for part in side for number in flat(part)]
    return [float(side.data if isinstance(side, Value) else side)]


def normed(x: Array) -> Array:
    return np.array(flat(rmsnorm(values(x))))


def shares(x: Array) -> Array:
    """Return numbers as shares of their sum."""
    total: float = x.sum()
    return x / total


def counted(times: int = 1) -> step0.Counts:
    """Return Step 0's table once it has read one name so often."""
    counts = step0.zero_counts(TOKENIZER.vocab_size)
    for _ in range(times):
        step0.count_pairs(EMMA, counts)
    return counts


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


# What laws call, beside the package and what stands here.
CALLED: list[Callable[..., Any]] = [np.exp, np.log, np.log2, np.sqrt]
CALLED += [fmean, pvariance, stdev, interval, before_attention]
# Letters that stand for numbers around 0, by the shape of what they are.
SHAPES = {
    "b c z dy": (5,),
    "W": (3, 5),
    "M": (5, 5),
    "A dS": (3, 3),
    "Q K V dY": (3, 2),
}
# What is computed, along one of its letters, and the slope that the page states. An array is
# summed up, so that each of its numbers has one slope.
DERIVATIVES: dict[str, str] = {
    r"\frac{d}{dx}(12 + 2x) = 2": "12 + 2 * x along x == 2",
    r"\frac{d}{dx}\, x^2 = 2x": "x**2 along x == 2 * x",
    r"\frac{d}{dx}\, x^3 = 3x^2": "x**3 along x == 3 * x**2",
    r"\frac{d}{dx}\, e^x = e^x": "exp(x) along x == exp(x)",
    r"\frac{d}{dx} \log x = \frac{1}{x}": "log(x) along x == 1 / x",
    r"\frac{d}{dx}\, \operatorname{ReLU}(x) = [x > 0]": "relus(z) along z == z > 0",
    r"\frac{d}{dx}(3x + 1)^2 = 2(3x + 1) \cdot 3": (
        "(3 * x + 1) ** 2 along x == 2 * (3 * x + 1) * 3"
    ),
    r"2 \cdot \text{error}": "z**2 along z == 2 * z",
    r"\frac{\partial}{\partial a}(a + b) = 1": "a + b along a == 1",
    r"\frac{\partial}{\partial b}(a + b) = 1": "a + b along b == 1",
    r"\frac{\partial}{\partial a}(a - b) = 1": "a - b along a == 1",
    r"\frac{\partial}{\partial b}(a - b) = -1": "a - b along b == -1",
    r"\frac{\partial}{\partial a}(a b) = b": "a * b along a == b",
    r"\frac{\partial}{\partial b}(a b) = a": "a * b along b == a",
    r"\frac{\partial}{\partial a}(a / b) = \frac{1}{b}": "a / b along a == 1 / b",
    r"\frac{\partial}{\partial b}(a / b) = -\frac{a}{b^2}": "a / b along b == -a / b**2",
    r"\frac{\partial}{\partial a}(a b + b) = b": "a * b + b along a == b",
    r"\frac{\partial}{\partial b}(a b + b) = a + 1": "a * b + b along b == a + 1",
    r"\frac{\partial z}{\partial a_0} = b_0": "dot(a, values(b)) along a == b",
    r"\frac{\partial z}{\partial a_1} = b_1": "dot(a, values(b)) along a == b",
    r"\frac{\partial z}{\partial b_0} = a_0": "dot(values(a), b) along b == a",
    r"\frac{\partial z}{\partial b_1} = a_1": "dot(values(a), b) along b == a",
    r"\frac{\partial L}{\partial a} = \frac{e^a}{e^a + e^b + e^c} - 1": (
        "log(exp(a) + exp(b) + exp(c)) - a along a"
        " == exp(a) / (exp(a) + exp(b) + exp(c)) - 1"
    ),
    r"\frac{\partial L}{\partial b} = \frac{e^b}{e^a + e^b + e^c}": (
        "log(exp(a) + exp(b) + exp(c)) - a along b"
        " == exp(b) / (exp(a) + exp(b) + exp(c))"
    ),
    r"p_i - y_i": "-softmax(z)[2].log() along z == p - np.eye(5)[2]",
    r"p_u \left( d_u - \sum_v p_v\, d_v \right)": "dy @ softmax(z) along z == p * (dy - p @ dy)",
    r"\bar x_j = \sum_i J_{ij} \, \bar y_i": (
        "dy @ softmax(z) along z == (np.diag(p) - np.outer(p, p)).T @ dy"
    ),
    r"dx_j = s \left( dy_j - y_j \cdot \frac{1}{n} \sum_i y_i\, dy_i \right)": (
        "dy @ rmsnorm(z) along z"
        " == normed(z) / z * (dy - normed(z) * (normed(z) @ dy) / 5)"
    ),
    r"da_{tu} = dy_t \cdot v_u": "dY * (A @ V) along A == dY @ V.T",
    r"dv_u = \sum_t a_{tu}\, dy_t": "dY * (A @ V) along V == A.T @ dY",
    r"dq_t = \sum_u ds_{tu}\, k_u": "dS * (Q @ K.T) along Q == dS @ K",
    r"dk_u = \sum_t ds_{tu}\, q_t": "dS * (Q @ K.T) along K == dS.T @ Q",
}


def fed(gradients: Iterable[float]) -> Adam:
    """Return an optimizer after its steps along one weight's gradients."""
    adam = Adam([w := Value(0.0)])
    for w.grad in gradients:
        adam.step(0.1)
    return adam


def at(gradients: Iterable[float]) -> Value:
    """Return the weight to which these gradients have led."""
    return fed(gradients).parameters[0]


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


CHAIN_RULE = (
    r"\frac{\partial y}{\partial x} = \sum_{\text{paths from } y \text{ to } x}"
    r" \ \prod_{\text{edges of the path}} \text{local gradient}"
)
# What several formulas say
SURPRISE = (
    "-log(softmax(MODEL.forward(26, MODEL.new_cache()))[7].data)"
    " == document_loss(MODEL, [26, 7])"
)
SOFTMAX = "shares(exp(z)) == step1.softmax(z.tolist())"
COOLED = "shares(p ** (1 / x[0])) == softmax(values(z / x[0]))"
MATRIX = "W @ x == linear(values(x), values(W))"
MEAN = "p @ M == linear(values(p), values(M.T))"
SCALED = "normed(x) == x / sqrt(1 / 5 * (x**2).sum() + 1e-5)"
POWER = "(8.8e13 / 1e9) ** x[0] == math.exp(x[0] * (log(8.8e13) - log(1e9)))"
RUNNING_MEAN = "0.85 * fed(b[:4]).first[0] + 0.15 * b[4] == fed(b).first"
CORRECTED = "b[0] == fed([b[0]] * 4).first[0] / (1 - 0.85**4)"
NETWORK = (
    "np.array(STEP1['fc2']) @ np.maximum(0, np.array(STEP1['fc1']) @ STEP1['wte'][0])"
    " == step1.forward(0, STEP1)"
)
# What comes to Step 3's first RMSNorm is the sum of two rows.
PLACE = (
    "rmsnorm([*np.array(STEP3['wte'][EMMA[3]]) + STEP3['wpe'][3]])"
    " == before_attention(EMMA[:4], STEP3)[3]"
)
# Each formula as Python computes it in one way == in another, or a function with both ways
FORMULAS: dict[str, str | Formula] = {
    r"-\log p": SURPRISE,
    # Under this bill the boldest statement about a bent coin costs the least.
    r"1 - p": "1.0 == min([0.5, 0.7, 0.9, 1.0], key=lambda p: 0.7 * (1 - p) + 0.3 * p)",
    r"-\ln p": SURPRISE,
    r"\ln 27": "log(27) == step0.mean_loss(EMMA, counted(0))",
    # Each token but the first is an answer.
    r"n + 1": "len('emma') + 1 == len(EMMA[1:])",
    r"n + 2": "len('emma') + 2 == len(EMMA)",
    r"n_{ij} \leftarrow n_{ij} + 1": (
        "[counted(1)[i][j] + 1 for i, j in PAIRS] == [counted(2)[i][j] for i, j in PAIRS]"
    ),
    r"p(j \mid i) = \frac{n_{ij} + 1}{\sum_k (n_{ik} + 1)}": (
        "[shares(np.array(counted()[i]) + 1) for i in EMMA]"
        " == [step0.probabilities(i, counted()) for i in EMMA]"
    ),
    r"L = -\frac{1}{n} \sum_{t=1}^{n} \ln p_t": (
        "-1 / 5 * sum(log(step0.probabilities(i, counted(3))[j]) for i, j in PAIRS)"
        " == step0.mean_loss(EMMA, counted(3))"
    ),
    # The generator takes the piece of the line that its number falls on.
    r"p_0 + p_1 + \dots + p_j > u": (
        "np.argmax(np.cumsum(p) > random.Random(seed).random())"
        " == random.Random(seed).choices(range(5), p.tolist())"
    ),
    r"-\ln p_t = \ln \sum_j e^{z_j} - z_t": (
        "log(exp(x).sum()) - x[2] == -softmax(values(x))[2].log()"
    ),
    r"a_i = \frac{e^{s_i}}{\sum_j e^{s_j}}": SOFTMAX,
    r"p_i = \frac{e^{z_i}}{\sum_j e^{z_j}}": SOFTMAX,
    r"a_j = \frac{e^{s_j}}{\sum_u e^{s_u}}": SOFTMAX,
    r"w \leftarrow w - \eta \, \frac{\partial L}{\partial w}": of_descent,
    r"w \leftarrow w - \eta \, \frac{\hat m}{\sqrt{\hat v} + \varepsilon}": (
        "at(b[:4]) - 0.1 * fed(b).first[0] / (1 - 0.85**5)"
        " / (sqrt(fed(b).second[0] / (1 - 0.99**5)) + 1e-8) == at(b)"
    ),
    r"m \leftarrow \beta m + (1 - \beta)\,g": RUNNING_MEAN,
    r"m \leftarrow \beta_1 m + (1 - \beta_1)\,g": RUNNING_MEAN,
    r"v \leftarrow \beta_2 v + (1 - \beta_2)\,g^2": (
        "0.99 * fed(b[:4]).second[0] + 0.01 * b[4] ** 2 == fed(b).second"
    ),
    # Of equal gradients, a corrected mean is what each of them, or its square, is.
    r"\hat m = \frac{m}{1 - \beta^t}": CORRECTED,
    r"\hat m = \frac{m}{1 - \beta_1^t}": CORRECTED,
    r"\hat v = \frac{v}{1 - \beta_2^t}": (
        "b[0] ** 2 == fed([b[0]] * 4).second[0] / (1 - 0.99**4)"
    ),
    r"m = (1 - \beta) \sum_{i=1}^{t} \beta^{t-i} g_i": (
        "(1 - 0.85) * 0.85 ** np.arange(4, -1, -1) @ b == fed(b).first"
    ),
    r"(1 - \beta) \sum_{i=1}^{t} \beta^{t-i} = 1 - \beta^t": (
        "(1 - x[0]) * sum(x[0] ** (7 - i) for i in range(1, 8)) == 1 - x[0] ** 7"
    ),
    r"w \leftarrow w - \eta\, g": of_descent,
    r"b \leftarrow \beta b + g": of_a_ball,
    r"w \leftarrow w - \eta\, m": of_four_balls,
    r"u \leftarrow \beta u - \eta\, g": of_four_balls,
    r"w \leftarrow w + u": of_four_balls,
    r"w_{t+1} = w_t - \eta\, g_t + \beta\,(w_t - w_{t-1})": of_four_balls,
    r"w \leftarrow w - \eta\,(g + \beta b)": of_looking_ahead,
    r"\frac{\eta}{1 - \beta}": "0.1 / (1 - 0.5) == sum(0.1 * 0.5**age for age in range(60))",
    # Both limits are those of a time: W FLOPs and Q bytes take the longer of two.
    r"v = \min(P, I \cdot B)": (
        "[min(6, w / 8 * 4) for w in range(1, 20)]"
        " == [w / max(w / 6, 8 / 4) for w in range(1, 20)]"
    ),
    r"I = \frac{2mnk}{s\,(mk + kn + mn)}": (
        "2 * 5 * 5 * 5 / (8 * (5 * 5 + 5 * 5 + 5 * 5))"
        " == multiplied(5)[0] / (8 * multiplied(5)[1])"
    ),
    r"\frac{a+b}{ab} = \frac{1}{a} + \frac{1}{b}": (
        "[(8 + 4) / (8 * 4)] * 2"
        " == [1 / 8 + 1 / 4, len([*range(8), *range(4)]) / len(range(8 * 4))]"
    ),
    r"L(N) = (N_c / N)^{\alpha_N}": POWER,
    r"L(D) = (D_c / D)^{\alpha_D}": POWER,
    r"L(N, D) = E + \frac{A}{N^\alpha} + \frac{B}{D^\beta}": (
        "1.69 + 406.4 / 1e9**0.34 + 410.7 / 2e10**0.28"
        " == 1.69 + 406.4 * 10 ** (-9 * 0.34) + 410.7 / 20**0.28 * 10**-2.52"
    ),
    # The other side counts the halvings to get there.
    r"\text{exposure} = \log_2 n - \log_2 r": (
        "log2(64) - log2(2) == sum(2**half < 64 // 2 for half in range(9))"
    ),
    r"w \leftarrow w - \eta\, b": of_a_ball,
    r"w \leftarrow w - \eta \, \frac{g}{\sqrt{v} + \varepsilon}": of_rmsprop,
    # A weight that first loses its share and then follows Adam gets as far.
    r"w \leftarrow w - \eta \left( \frac{\hat m}{\sqrt{\hat v} + \varepsilon} + \lambda w \right)": (
        "x[0] - 0.1 * (x[1] + 0.01 * x[0]) == x[0] * (1 - 0.1 * 0.01) - 0.1 * x[1]"
    ),
    r"\eta_t = \eta \left( 1 - \frac{t-1}{T} \right)": (
        "[x[0] * (1 - (t - 1) / 9) for t in range(1, 10)]"
        " == [linear_decay(x[0], step, 9) for step in range(9)]"
    ),
    r"\bar g \pm t \, \frac{s}{\sqrt{n}}": (
        "[fmean(x), 2.7764451 * stdev(x) / sqrt(5)]"
        " == np.round(interval(x.tolist()), 9)"
    ),
    r"L = (w x + b - y)^2": (
        "(Value(x[0]) * x[1] + x[2] - x[3]) ** 2 == (x[0] * x[1] + x[2] - x[3]) ** 2"
    ),
    r"\frac{L(w + \varepsilon) - L(w)}{\varepsilon}": (
        "((x + 0.01) ** 2 - x**2) / 0.01 == 2 * x + 0.01"
    ),
    # Of a square, a step to either side finds the slope itself.
    r"\frac{L(w + \varepsilon) - L(w - \varepsilon)}{2\varepsilon}": (
        "((x + 0.01) ** 2 - (x - 0.01) ** 2) / (2 * 0.01) == 2 * x"
    ),
    r"w x + b": "Value(x[0]) * x[1] + x[2] == x[0] * x[1] + x[2]",
    r"L = \ln(e^a + e^b + e^c) - a": "log(exp(z).sum()) - z[0] == -log(p[0])",
    r"z = W_2 \max(0, W_1 x)": NETWORK,
    r"\begin{pmatrix} 0.5 & 1 & 2 \\ 0 & 0 & 1 \end{pmatrix} "
    r"\begin{pmatrix} 1 \\ 2 \\ -1 \end{pmatrix} = \begin{pmatrix} "
    r"0.5 \cdot 1 + 1 \cdot 2 + 2 \cdot (-1) \\ "
    r"0 \cdot 1 + 0 \cdot 2 + 1 \cdot (-1) \end{pmatrix} = "
    r"\begin{pmatrix} 0.5 \\ -1 \end{pmatrix}": (
        "step1.linear([1.0, 2.0, -1.0], [[0.5, 1.0, 2.0], [0.0, 0.0, 1.0]])"
        " == [0.5 * 1 + 1 * 2 + 2 * -1, 0 * 1 + 0 * 2 + 1 * -1]"
    ),
    r"\max(0, h)": "np.maximum(0, z) == relus(values(z))",
    r"2^z": "2 ** x[0] == math.exp(x[0] * log(2))",
    r"27 \times 16 + 64 \times 16 + 27 \times 64": (
        "27 * 16 + 64 * 16 + 27 * 64 == len(flat([*STEP1.values()]))"
    ),
    r"x \leftarrow x + \text{attention}(\text{norm}(x))": of_attention,
    r"x \leftarrow x + \text{MLP}(\text{norm}(x))": of_a_layer,
    r"1 - 2\eta(x^2 + 1)": of_a_factor,
    CHAIN_RULE: of_paths,
    r"\sum_{\text{paths}} \prod_{\text{steps}} \text{slope}": of_paths,
    # Of a fair choice among so many
    r"H = -\sum_i p_i \log p_i": "math.exp(-sum(p * log(p) for p in [0.2] * 5)) == 5",
    # The shares of what came, against all that came
    r"-\sum_j p_j \ln q_j": (
        "-log(p) @ [0.2, 0.3, 0.5, 0, 0] == np.mean(-log(p[:3]).repeat([2, 3, 5]))"
    ),
    # What `sample` draws from is the odds at 1, to the power of 1 / T.
    r"p_i = \frac{e^{z_i / T}}{\sum_j e^{z_j / T}}": COOLED,
    r"p = \operatorname{softmax}(z / T)": COOLED,
    r"p(\text{name}) = \prod_t p(x_t \mid x_0, \dots, x_{t-1})": of_a_whole_name,
    r"\arg\max_i p_i": "np.argmax(z) == np.argmax(flat(softmax(values(z))))",
    r"p \log p": "1e-12 * log(1e-12) == 0",
    r"z = a_0 b_0 + a_1 b_1": (
        "a[0] * b[0] + a[1] * b[1] == dot(values(a[:2]), values(b[:2]))"
    ),
    r"n - 1": "6 - 1 == sum(node._local_grads == (1.0, 1.0) for node in made(6))",
    r"2n - 1": "2 * 6 - 1 == len(made(6))",
    r"2n": "2 * 5 == operands(5)",
    r"4B": "4 * 3 == Config().n_head * len(['document'] * 3)",
    r"6N": "6 == 3 * operands(1)",
    r"P(\text{name}) = \prod_t p_t": of_a_whole_name,
    # A name said by heart: one of a thousand, then each token for certain.
    r"\frac{\ln N}{n}": (
        "log(1000) / 5 == fmean(-log(p) for p in [1 / 1000, 1, 1, 1, 1])"
    ),
    r"2n^3": "2 * 5**3 == multiplied(5)[0]",
    r"3n^2": "3 * 5**2 == multiplied(5)[1]",
    r"g \leftarrow g \cdot \min(1, c / \lVert g \rVert)": (
        "np.linalg.norm(x * min(1, 0.5 / np.linalg.norm(x))) == min(0.5, math.hypot(*x))"
    ),
    r"L = -\ln \frac{1}{1 + e^{-\beta g}}": (
        "(1 + (-0.5 * Value(x[0])).exp()).log() == -log(1 / (1 + exp(-0.5 * x[0])))"
    ),
    # Each of four weights meets each of five tokens.
    r"C \approx 6ND": "6 * 4 * 5 == sum(3 * operands(1) for _ in range(4 * 5))",
    r"12Lw^2": (
        "12 * 3 * 16**2"
        " == Config(n_layer=4).num_parameters - Config(n_layer=1).num_parameters"
    ),
    r"16N": "16 == 4 * len(('weight', 'gradient', 'm', 'v'))",
    r"16N/k": "16 * 4 / 2 == 4 * (4 / 2 + 4 / 2 + 2 * 4 / 2)",
    # A machine sends a piece of its list per turn, in two rounds.
    r"2\,(n-1)/n": "2 * (8 - 1) / 8 == len([*range(1, 8), *range(1, 8)]) / 8",
    r"y_i = \sum_j w_{ij} x_j": MATRIX,
    r"(W x)_i = \sum_j W_{ij} \, x_j": MATRIX,
    r"c_{yx} \mathrel{+}= \sum_i a_{yi}\, b_{ix}": of_a_tile,
    r"m' = \max(m, s)": of_one_pass,
    r"\ell' = \ell\, e^{m - m'} + e^{s - m'}": of_one_pass,
    r"y' = y\, e^{m - m'} + v\, e^{s - m'}": of_one_pass,
    r"y = s\,x": "normed(x) == normed(x)[0] / x[0] * x",
    r"y_t = \sum_u a_{tu} v_u": MEAN,
    r"s_{tu} = q_t \cdot k_u": MATRIX,
    r"\sum_{i=1}^{n} x_i = x_1 + x_2 + \dots + x_n": (
        "sum(x) == x[0] + x[1] + x[2] + x[3] + x[4]"
    ),
    r"\prod_{i=1}^{n} x_i = x_1 \, x_2 \cdots x_n": (
        "math.prod(x) == x[0] * x[1] * x[2] * x[3] * x[4]"
    ),
    r"e^{a+b} = e^a \, e^b": "exp(a + b) == exp(a) * exp(b)",
    r"\log(a \, b) = \log a + \log b": "log(a * p) == log(a) + log(p)",
    r"\log e^a = a": "log(exp(a)) == a",
    r"w \cdot x = \sum_i w_i \, x_i": "dot(values(x), values(z)) == (x * z).sum()",
    r"\lVert x \rVert = \sqrt{x \cdot x}": "math.hypot(*x) == sqrt(x @ x)",
    r"\mu = \frac{1}{n} \sum_i x_i": "fmean(x) == x.sum() / 5",
    r"\sigma^2 = \frac{1}{n} \sum_i (x_i - \mu)^2": (
        "pvariance(x) == 1 / 5 * ((x - x.mean()) ** 2).sum()"
    ),
    r"q = W_q\, x": MATRIX,
    r"k = W_k\, x": MATRIX,
    r"v = W_v\, x": MATRIX,
    # The shares with which `attend` mixes are seen where each value is a mark.
    r"a = \operatorname{softmax}(q \cdot k_j / \sqrt{d})": (
        "shares(exp(M @ x / sqrt(5))) == attend(values(x), values(M), values(np.eye(5)))"
    ),
    r"s_j = q \cdot k_j / \sqrt{d}": (
        "x @ z / sqrt(5) == dot(values(x), values(z)) * len(x) ** -0.5"
    ),
    r"y = \sum_j a_j v_j": MEAN,
    r"Y = \operatorname{softmax}\left(\frac{Q K^\top}{\sqrt{d}} + M\right) V": of_all_at_once,
    r"x \leftarrow x + W_o\, y": of_attention,
    r"k = W_k\, z": MATRIX,
    r"v = W_v\, z": MATRIX,
    r"\text{MLP}(x) = W_2 \max(0, W_1\, x)": NETWORK,
    r"2VC + TC + 12LC^2": (
        "2 * 27 * 32 + 8 * 32 + 12 * 3 * 32**2"
        " == Config(27, 3, 32, n_head=4, block_size=8).num_parameters"
    ),
    r"x_i = t_i + p_i": PLACE,
    r"x = t + p": PLACE,
    r"p_{i,2j} = \sin(i / 10000^{2j/d})": of_waves,
    r"p_{i,2j+1} = \cos(i / 10000^{2j/d})": of_waves,
    r"R_i\, q = \begin{pmatrix} \cos i\theta & -\sin i\theta \\ \sin i\theta & \cos i\theta "
    r"\end{pmatrix} \begin{pmatrix} q_0 \\ q_1 \end{pmatrix}": of_turning,
    r"R_i\, q \cdot R_u\, k = q \cdot R_{u-i}\, k": of_turning,
    r"\theta = 10000^{-2j/d}": of_waves,
    # It is RMSNorm of what is left when the mean has gone.
    r"y_i = g_i \, \frac{x_i - \mu}{\sqrt{\sigma^2 + \varepsilon}} + b_i": (
        "z * (x - x.mean()) / sqrt(x.var() + 1e-5) + b == z * normed(x - x.mean()) + b"
    ),
    r"y_i = g_i \, \frac{x_i}{\sqrt{\frac{1}{n} \sum_j x_j^2 + \varepsilon}}": (
        "z * x / sqrt(1 / 5 * (x**2).sum() + 1e-5) == z * rmsnorm(values(x))"
    ),
    r"x \leftarrow x + f(x)": of_a_layer,
    r"y_i = x_i / \sqrt{\frac{1}{n} \sum_j x_j^2 + \varepsilon}": SCALED,
    r"y_i = x_i / \sqrt{\frac{1}{C} \sum_c x_c^2 + \varepsilon}": SCALED,
    r"E = \sum_i p_i \, x_i": (
        "x @ [0.1, 0.2, 0.7, 0, 0] == fmean([x[0], *[x[1]] * 2, *[x[2]] * 7])"
    ),
    r"-\log \prod_t p_t = \sum_t -\log p_t": (
        "-log(math.prod(x)) == sum(-log(p) for p in x)"
    ),
}
LAWS: dict[str, str | Formula] = {**DERIVATIVES, **FORMULAS}
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


def sides(formula: str, rng: random.Random) -> Sides:
    """Return what two ways to compute a formula give."""
    x = np.array([rng.uniform(0.1, 0.9) for _ in range(5)])
    law = LAWS[formula]
    if callable(law):
        return law(x, rng)
    one, other = law.split(" == ", 1)
    given = {"x": x, "a": x, **vars(microgpt), **globals()}
    given |= {function.__name__: function for function in CALLED}
    for letters, shape in SHAPES.items():
        given |= {letter: drawn(rng, *shape) for letter in letters.split()}
    given |= {"p": shares(np.exp(given["z"])), "seed": rng.random()}
    computed = eval(other, given)
    if formula in FORMULAS:
        return eval(one, given), computed
    result, along = one.split(" along ")
    given[along] = values(given[along])
    Value.sum(np.ravel(eval(result, given))).backward()
    slopes = grads(given[along])
    return slopes, np.broadcast_to(computed, slopes.shape)


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
    assert set().union(*map(stated, prose)) == LAWS.keys()


@pytest.mark.parametrize("formula", LAWS)
def test_both_ways_to_compute_a_formula_agree(formula: str) -> None:
    for seed in range(3):
        one, other = map(flat, sides(formula, random.Random(seed)))
        assert one == pytest.approx(other, rel=1e-9, abs=1e-9), formula
