"""Each formula of a page that states something is one that holds.

A law about derivatives is about every function, so no `derivative` fence can state it.
Here each stands beside what it says in Python, which is compared with `backward`. All
other formulas stand beside Python that computes both of their sides in its own way.
"""

from __future__ import annotations

import cmath
import math
import random
import re
import statistics
from collections.abc import Callable
from itertools import accumulate, chain, pairwise

import pytest

from bench.ends import interval
from microgpt import (
    GPT,
    Adam,
    Config,
    Tokenizer,
    Value,
    attend,
    document_loss,
    dot,
    linear,
    linear_decay,
    load_model,
    load_names,
    rmsnorm,
    softmax,
    topological_order,
)
from snippets import step0, step1, step3
from snippets.ready import before_attention
from weave.guide import Guide
from weave.text import MATH

LAW = re.compile(r"<!--weave:general .*-->\n\$\$\n((?:.*\n)+?)\$\$")
CHAIN_RULE = (
    r"\frac{\partial y}{\partial x} = \sum_{\text{paths from } y \text{ to } x}"
    r" \ \prod_{\text{edges of the path}} \text{local gradient}"
)
Numbers = list[float]
Rows = list[Numbers]


def drawn(rng: random.Random, *shape: int) -> list[list[Value]]:
    rows, columns = shape
    return [[Value(rng.gauss(0, 1)) for _ in range(columns)] for _ in range(rows)]


def numbers(rows: list[list[Value]]) -> Rows:
    return [[x.data for x in row] for row in rows]


def gradients(rows: list[list[Value]]) -> Numbers:
    return [x.grad for row in rows for x in row]


def inner(a: Numbers, b: Numbers) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def send_back(results: list[list[Value]], slopes: Rows) -> None:
    """Let `slopes` be the derivatives of a loss along results."""
    pairs = zip(chain(*results), chain(*slopes), strict=True)
    Value.sum([y * slope for y, slope in pairs]).backward()


def of_rmsnorm(rng: random.Random) -> tuple[Numbers, Numbers]:
    (x,), (dy,) = drawn(rng, 1, 5), numbers(drawn(rng, 1, 5))
    result = rmsnorm(x)
    send_back([result], [dy])
    y, n = [yi.data for yi in result], len(x)
    s = y[0] / x[0].data
    along = 1 / n * inner(y, dy)
    return [s * (dy[j] - y[j] * along) for j in range(n)], gradients([x])


def of_softmax(rng: random.Random) -> tuple[Numbers, Numbers]:
    (scores,), (d,) = drawn(rng, 1, 5), numbers(drawn(rng, 1, 5))
    result = softmax(scores)
    send_back([result], [d])
    p = [pu.data for pu in result]
    return [p[u] * (d[u] - inner(p, d)) for u in range(5)], gradients([scores])


def of_gathering(rng: random.Random) -> tuple[Numbers, Numbers]:
    a, v, dy = drawn(rng, 3, 3), drawn(rng, 3, 2), numbers(drawn(rng, 3, 2))
    send_back(
        [[Value.sum([w * r[i] for w, r in zip(row, v)]) for i in (0, 1)] for row in a],
        dy,
    )
    da = [inner(dy[t], numbers(v)[u]) for t in range(3) for u in range(3)]
    dv = [
        sum(a[t][u].data * dy[t][i] for t in range(3))
        for u in range(3)
        for i in range(2)
    ]
    return da + dv, gradients(a) + gradients(v)


def of_scores(rng: random.Random) -> tuple[Numbers, Numbers]:
    q, k, ds = drawn(rng, 3, 2), drawn(rng, 3, 2), numbers(drawn(rng, 3, 3))
    send_back([[qt[0] * ku[0] + qt[1] * ku[1] for ku in k] for qt in q], ds)
    dq = [
        sum(ds[t][u] * k[u][i].data for u in range(3))
        for t in range(3)
        for i in range(2)
    ]
    dk = [
        sum(ds[t][u] * q[t][i].data for t in range(3))
        for u in range(3)
        for i in range(2)
    ]
    return dq + dk, gradients(q) + gradients(k)


LAWS: dict[str, Callable[[random.Random], tuple[Numbers, Numbers]]] = {
    r"dx_j = s \left( dy_j - y_j \cdot \frac{1}{n} \sum_i y_i\, dy_i \right)": of_rmsnorm,
    r"p_u \left( d_u - \sum_v p_v\, d_v \right)": of_softmax,
    r"da_{tu} = dy_t \cdot v_u \qquad dv_u = \sum_t a_{tu}\, dy_t": of_gathering,
    r"dq_t = \sum_u ds_{tu}\, k_u \qquad dk_u = \sum_t ds_{tu}\, q_t": of_scores,
}


def test_every_law_of_a_page_is_one_of_these(guide: Guide) -> None:
    """A formula that has changed no longer says what is compared here."""
    found = [
        formula.strip()
        for page in guide.pages.values()
        for formula in LAW.findall("\n".join(page.lines))
    ]
    assert set(found) - set(FORMULAS) == set(LAWS)


@pytest.mark.parametrize("law", LAWS)
def test_each_law_gives_what_backward_finds(law: str) -> None:
    for seed in range(3):
        expected, found = LAWS[law](random.Random(seed))
        assert expected == pytest.approx(found, rel=1e-3, abs=1e-5)


Sides = tuple[object, object]


def some(rng: random.Random) -> Numbers:
    return [rng.uniform(0.1, 0.9) for _ in range(5)]


def values(x: Numbers) -> list[Value]:
    return [Value(xi) for xi in x]


def shares(rng: random.Random) -> Numbers:
    return [p.data for p in softmax(values(some(rng)))]


def of_a_loss(rng: random.Random) -> Sides:
    model, _ = load_model()
    token = rng.randrange(26)
    p = softmax(model.forward(26, model.new_cache()))[token].data
    return -math.log(p), document_loss(model, [26, token]).data


TOKENIZER = Tokenizer(load_names())
EMMA = TOKENIZER.document("emma")


def counted() -> step0.Counts:
    """Return Step 0's table once it has read one name."""
    counts = step0.zero_counts(TOKENIZER.vocab_size)
    step0.count_pairs(EMMA, counts)
    return counts


def of_counting(rng: random.Random) -> Sides:
    """A name that is read twice has each of its pairs twice."""
    counts = counted()
    once = [counts[i][j] for i, j in pairwise(EMMA)]
    step0.count_pairs(EMMA, counts)
    return [n + 1 for n in once], [counts[i][j] for i, j in pairwise(EMMA)]


def of_smoothing(rng: random.Random) -> Sides:
    counts = counted()
    i = rng.choice(EMMA)
    whole = sum(count + 1 for count in counts[i])
    by_hand = [(count + 1) / whole for count in counts[i]]
    return by_hand, step0.probabilities(i, counts)


def of_shares(rng: random.Random) -> Sides:
    z = [rng.gauss(0, 3) for _ in range(5)]
    share = math.exp(z[2]) / sum(map(math.exp, z))
    return share, step1.softmax(z)[2]


def of_a_temperature(rng: random.Random) -> Sides:
    """What `sample` draws from is the odds at 1, to the power of 1 / T."""
    z, t = [rng.gauss(0, 3) for _ in range(5)], rng.uniform(0.2, 3)
    powers = [p ** (1 / t) for p in step1.softmax(z)]
    drawn = softmax(values([zi / t for zi in z]))
    return [p / sum(powers) for p in powers], [p.data for p in drawn]


def of_a_whole_name(rng: random.Random) -> Sides:
    """The loss of a name is the mean of its tokens' surprises."""
    model, tokenizer = load_model()
    tokens = tokenizer.document("".join(rng.choices("abc", k=3)))
    cache, product = model.new_cache(), 1.0
    for token, target in pairwise(tokens):
        product *= softmax(model.forward(token, cache))[target].data
    loss = document_loss(model, tokens).data
    return product, math.exp(-loss * (len(tokens) - 1))


def of_descent(rng: random.Random) -> Sides:
    w, slope, rate = (rng.gauss(0, 1) for _ in range(3))
    weights = {"w": [[w]]}
    step1.descend(weights, {"w": [[slope]]}, rate)
    return w - rate * slope, weights["w"][0][0]


def stepped(rng: random.Random) -> tuple[Adam, Value, list[float], float]:
    """Return Adam after some steps, its parameter, its last means, and the next gradient."""
    w = Value(rng.gauss(0, 1))
    optimizer = Adam([w])
    for grad in (rng.gauss(0, 1) for _ in range(3)):
        w.grad = grad
        optimizer.step(0.1)
    w.grad = rng.gauss(0, 1)
    return optimizer, w, [optimizer.first[0], optimizer.second[0]], w.grad


def of_a_running_mean(rng: random.Random) -> Sides:
    optimizer, _, (m, v), g = stepped(rng)
    beta1, beta2 = optimizer.beta1, optimizer.beta2
    by_hand = [beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g**2]
    optimizer.step(0.1)
    return by_hand, [optimizer.first[0], optimizer.second[0]]


def of_adam(rng: random.Random) -> Sides:
    optimizer, w, (m, v), g = stepped(rng)
    mean = (0.85 * m + 0.15 * g) / (1 - 0.85**4)
    square = (0.99 * v + 0.01 * g**2) / (1 - 0.99**4)
    by_hand = w.data - 0.1 * mean / (math.sqrt(square) + 1e-8)
    optimizer.step(0.1)
    return by_hand, w.data


def of_decay(rng: random.Random) -> Sides:
    """A weight that first loses its share and then follows Adam gets as far."""
    optimizer, w, _, _ = stepped(rng)
    shrunk, before = w.data * (1 - 0.1 * 0.01), w.data
    optimizer.step(0.1)
    by_adam = (before - w.data) / 0.1
    return before - 0.1 * (by_adam + 0.01 * before), shrunk - 0.1 * by_adam


def of_rmsprop(rng: random.Random) -> Sides:
    """It is Adam without the mean of gradients, and without the correction."""
    (g, w, beta, *_), rate = some(rng), 0.1
    p = Value(w)
    p.grad = g
    optimizer = Adam([p], beta1=0.0, beta2=beta, epsilon=0.0)
    optimizer.step(rate / math.sqrt(1 - beta))
    return w - rate * g / math.sqrt(optimizer.second[0]), p.data


def of_a_ball(rng: random.Random) -> Sides:
    """What momentum has summed up are all gradients, each as faded as it is old."""
    gradients, beta, ball, w, rate = some(rng), 0.9, 0.0, 1.0, 0.1
    for g in gradients:
        ball = beta * ball + g
        w = w - rate * ball
    ages = range(len(gradients) - 1, -1, -1)
    whole = sum(beta**age * g for age, g in zip(ages, gradients, strict=True))
    sums = [(1 - beta ** (age + 1)) / (1 - beta) for age in ages]
    return [ball, w], [whole, 1 - rate * inner(sums, gradients)]


def of_four_balls(rng: random.Random) -> Sides:
    """Four ways to write a ball go one way; so do both of Nesterov's, one ahead."""
    (pull, beta, rate), start = [abs(x) / 9 for x in some(rng)[:3]], 3.0
    ball, velocity, heavy, mean = ([start, 0.0] for _ in range(4))
    heavy[1] = start
    for _ in range(5):
        ball[1] = beta * ball[1] + pull * ball[0]
        ball[0] -= rate * ball[1]
        velocity[1] = beta * velocity[1] - rate * pull * velocity[0]
        velocity[0] += velocity[1]
        w, before = heavy
        heavy = [w - rate * pull * w + beta * (w - before), w]
        mean[1] = beta * mean[1] + (1 - beta) * pull * mean[0]
        mean[0] -= rate / (1 - beta) * mean[1]
    return [ball[0]] * 3, [velocity[0], heavy[0], mean[0]]


def of_looking_ahead(rng: random.Random) -> Sides:
    """PyTorch's w is where Nesterov's ball would be going."""
    (pull, beta, rate), w, b = [abs(x) / 9 for x in some(rng)[:3]], 3.0, 0.0
    place, u = 3.0, 0.0
    for _ in range(5):
        b = beta * b + pull * w
        w = w - rate * (pull * w + beta * b)
        u = beta * u - rate * pull * (place + beta * u)
        place += u
    return w, place + beta * u


def of_a_vjp(rng: random.Random) -> Sides:
    x, slopes = values(some(rng)), some(rng)
    y = softmax(x)
    send_back([y], [slopes])
    p = [yi.data for yi in y]
    jacobian = [[p[i] * ((i == j) - p[j]) for j in range(5)] for i in range(5)]
    columns = zip(*jacobian, strict=True)
    return [inner(list(column), slopes) for column in columns], [xi.grad for xi in x]


def of_a_correction(rng: random.Random) -> Sides:
    """Of equal gradients, a corrected mean is what each of them, or its square, is."""
    (g, *_), beta1, beta2 = some(rng), 0.85, 0.99
    w = Value(0.0)
    optimizer = Adam([w], beta1, beta2)
    for _ in range(4):
        w.grad = g
        optimizer.step(0.1)
    corrected = optimizer.first[0] / (1 - beta1**4)
    return [g, g**2], [corrected, optimizer.second[0] / (1 - beta2**4)]


def of_ages(rng: random.Random) -> Sides:
    """A running mean is a sum in which each gradient has faded with its age."""
    gradients, beta, w = some(rng), 0.85, Value(0.0)
    optimizer = Adam([w], beta1=beta)
    for w.grad in gradients:
        optimizer.step(0.1)
    powers = [beta**age for age in range(4, -1, -1)]
    return (1 - beta) * inner(powers, gradients), optimizer.first[0]


def guessed(rng: random.Random) -> tuple[Value, Value, float, float]:
    """Return a weight, a bias, what goes in, and what should come out."""
    w, b, x, y = (rng.gauss(0, 1) for _ in range(4))
    return Value(w), Value(b), x, y


def of_a_pull(rng: random.Random) -> Sides:
    z = values([rng.gauss(0, 1) for _ in range(5)])
    p, i, target = softmax(z), rng.randrange(5), rng.randrange(5)
    (-p[target].log()).backward()
    return p[i].data - (i == target), z[i].grad


def of_a_square(rng: random.Random) -> Sides:
    w, b, x, y = guessed(rng)
    return ((w * x + b - y) ** 2).data, (w.data * x + b.data - y) ** 2


def of_the_network(rng: random.Random) -> Sides:
    weights = step1.initial_weights(TOKENIZER.vocab_size, rng)
    (x,) = weights["wte"][:1]
    hidden = [max(0.0, inner(row, x)) for row in weights["fc1"]]
    return step1.forward(0, weights), [inner(row, hidden) for row in weights["fc2"]]


def of_its_slope(rng: random.Random) -> Sides:
    w, b, x, y = guessed(rng)
    error = w * x + b - y
    (error**2).backward()
    return error.grad, 2 * error.data


def of_a_layer(rng: random.Random) -> Sides:
    """What the MLP returns is what it was given, and what two layers make of its norm."""
    model, _ = load_model()
    x = values([rng.gauss(0, 1) for _ in range(model.config.n_embd)])
    hidden = linear(rmsnorm(x), model.weights["layer0.mlp_fc1"])
    added = linear([h.relu() for h in hidden], model.weights["layer0.mlp_fc2"])
    by_hand = [xi.data + a.data for xi, a in zip(x, added, strict=True)]
    return by_hand, [y.data for y in model.mlp(x, 0)]


def of_attention(rng: random.Random) -> Sides:
    """With one token to look at, each head gathers all of its value."""
    model, _ = load_model()
    x = values([rng.gauss(0, 1) for _ in range(model.config.n_embd)])
    value = linear(rmsnorm(x), model.weights["layer0.attn_wv"])
    added = linear(value, model.weights["layer0.attn_wo"])
    by_hand = [xi.data + a.data for xi, a in zip(x, added, strict=True)]
    return by_hand, [y.data for y in model.attention(x, 0, model.new_cache()[0])]


def of_a_factor(rng: random.Random) -> Sides:
    w, b, x, y = guessed(rng)
    error, rate = w * x + b - y, 0.05
    (error**2).backward()
    after = (w.data - rate * w.grad) * x + b.data - rate * b.grad - y
    return after / error.data, 1 - 2 * rate * (x**2 + 1)


def of_a_name(rng: random.Random) -> Sides:
    counts = counted()
    p = [step0.probabilities(i, counts)[j] for i, j in pairwise(EMMA)]
    return -1 / len(p) * sum(map(math.log, p)), step0.mean_loss(EMMA, counts)


def of_a_draw(rng: random.Random) -> Sides:
    """The generator takes the piece of the line that its number falls on."""
    p, seed = shares(rng), rng.random()
    u, sums = random.Random(seed).random(), list(accumulate(p))
    first = next(j for j, end in enumerate(sums) if end > u)
    return first, random.Random(seed).choices(range(len(p)), p)[0]


def of_boasting(rng: random.Random) -> Sides:
    """Under this bill the boldest statement about a bent coin costs the least."""
    said = [0.5, 0.7, 0.9, 1.0]
    cost = {p: 0.7 * (1 - p) + 0.3 * (1 - (1 - p)) for p in said}
    return min(cost, key=lambda p: cost[p]), said[-1]


def of_logits(rng: random.Random) -> Sides:
    z = some(rng)
    return math.log(sum(map(math.exp, z))) - z[2], -softmax(values(z))[2].log().data


def of_paths(rng: random.Random) -> Sides:
    """Follow every path from y to x, and multiply along each."""
    x, w = values(some(rng))[:2]
    y = (x * w + x) * (x + w)
    y.backward()

    def along(node: Value, product: float) -> float:
        if node is x:
            return product
        edges = zip(node._children, node._local_grads, strict=True)
        return sum(along(child, product * slope) for child, slope in edges)

    return along(y, 1.0), x.grad


def read_by_a_model(name: str) -> tuple[GPT, list[int]]:
    model, tokenizer = load_model()
    return model, tokenizer.document(name)


def said_in_a_row(name: str) -> float:
    model, tokens = read_by_a_model(name)
    cache, chance = model.new_cache(), 1.0
    for token, target in pairwise(tokens):
        chance *= softmax(model.forward(token, cache))[target].data
    return chance


def of_a_matrix(rng: random.Random) -> Sides:
    w, x = [some(rng) for _ in range(3)], some(rng)
    found = linear(values(x), [values(row) for row in w])
    return [inner(row, x) for row in w], [y.data for y in found]


def of_averages(rng: random.Random) -> Sides:
    """What a position gathers is a product with the matrix of all values, on its side."""
    a, v = shares(rng), [some(rng) for _ in range(5)]
    columns = [values(list(column)) for column in zip(*v, strict=True)]
    by_hand = [sum(a[u] * v[u][i] for u in range(5)) for i in range(5)]
    return by_hand, [y.data for y in linear(values(a), columns)]


def of_a_tile(rng: random.Random) -> Sides:
    """A tile adds a row of b at a time; `linear` finishes each sum by itself."""
    a, b = [some(rng) for _ in range(3)], [some(rng) for _ in range(5)]
    c = [some(rng) for _ in range(3)]
    columns = [values(list(column)) for column in zip(*b, strict=True)]
    tile = [row[:] for row in c]
    for i, row in enumerate(b):
        tile = [
            [s + a[y][i] * v for s, v in zip(tile[y], row, strict=True)]
            for y in range(3)
        ]
    products = [linear(values(row), columns) for row in a]
    whole = [
        s + p.data
        for sums, row in zip(c, products, strict=True)
        for s, p in zip(sums, row, strict=True)
    ]
    return [s for row in tile for s in row], whole


def of_one_pass(rng: random.Random) -> Sides:
    """A largest score, a sum and a blend, carried along, and made of all scores at once."""
    s, v = [rng.gauss(0, 3) for _ in range(5)], some(rng)
    m, total, y = -math.inf, 0.0, 0.0
    for si, vi in zip(s, v, strict=True):
        new = max(m, si)
        total = total * math.exp(m - new) + math.exp(si - new)
        y = y * math.exp(m - new) + vi * math.exp(si - new)
        m = new
    exps = [math.exp(si - max(s)) for si in s]
    return [m, total, y], [max(s), sum(exps), inner(exps, v)]


def of_scaling(rng: random.Random) -> Sides:
    x = some(rng)
    y = [yi.data for yi in rmsnorm(values(x))]
    s = y[0] / x[0]
    return y, [s * xi for xi in x]


def of_all_at_once(rng: random.Random) -> Sides:
    """A mask leaves each row what a list of keys that grows leaves it."""
    q, k, v = [[some(rng) for _ in range(4)] for _ in range(3)]
    mask = [[0 if u <= t else -math.inf for u in range(4)] for t in range(4)]
    exps = [
        [math.exp(inner(q[t], k[u]) / math.sqrt(5) + mask[t][u]) for u in range(4)]
        for t in range(4)
    ]
    y = [[inner(e, list(column)) / sum(e) for column in zip(*v)] for e in exps]
    rows = [(values(q[t]), t + 1) for t in range(4)]
    grown = [
        attend(one, [*map(values, k[:n])], [*map(values, v[:n])]) for one, n in rows
    ]
    return [*chain(*y)], [x.data for x in chain(*grown)]


def of_waves(rng: random.Random) -> Sides:
    """A wave of a place is a hand that has turned by its rate so many times."""
    place, pair, width = rng.randrange(9), rng.randrange(4), 8
    angle = place / 10000 ** (2 * pair / width)
    turned = cmath.exp(1j * 10000 ** (-2 * pair / width)) ** place
    return [math.sin(angle), math.cos(angle)], [turned.imag, turned.real]


def of_turning(rng: random.Random) -> Sides:
    """Turned by their places, a query and a key agree as their distance says."""
    q, k, (i, u) = complex(*some(rng)[:2]), complex(*some(rng)[:2]), (7, 3)

    def turned(x: complex, places: int) -> Numbers:
        c, s = math.cos(places * 0.3), math.sin(places * 0.3)
        return [c * x.real - s * x.imag, s * x.real + c * x.imag]

    by_angle = q * cmath.exp(1j * i * 0.3)
    apart = inner([q.real, q.imag], turned(k, u - i))
    return [*turned(q, i), inner(turned(q, i), turned(k, u))], [
        by_angle.real,
        by_angle.imag,
        apart,
    ]


def of_layernorm(rng: random.Random) -> Sides:
    """It is RMSNorm of what is left when the mean has gone."""
    x, g, b = some(rng), some(rng), some(rng)
    mean, spread = statistics.fmean(x), statistics.pvariance(x)
    y = [
        gi * (xi - mean) / math.sqrt(spread + 1e-5) + bi for xi, gi, bi in zip(x, g, b)
    ]
    normed = rmsnorm(values([xi - mean for xi in x]))
    return y, [(gi * yi + bi).data for yi, gi, bi in zip(normed, g, b)]


def of_looking(rng: random.Random) -> Sides:
    """The shares with which `attend` mixes are seen where each value is a mark."""
    q, keys = some(rng), [some(rng) for _ in range(5)]
    marks = [values([float(i == j) for j in range(5)]) for i in range(5)]
    found = attend(values(q), [values(key) for key in keys], marks)
    exps = [math.exp(inner(q, key) / math.sqrt(5)) for key in keys]
    return [exp / sum(exps) for exp in exps], [a.data for a in found]


def of_a_place(rng: random.Random) -> Sides:
    """What comes to Step 3's first RMSNorm is the sum of two rows."""
    weights = step3.initial_weights(TOKENIZER.vocab_size, rng)
    place, token = 3, EMMA[3]
    rows = zip(weights["wte"][token], weights["wpe"][place], strict=True)
    read = before_attention(EMMA[:4], weights)[place]
    return [y.data for y in rmsnorm([t + p for t, p in rows])], [x.data for x in read]


def of_the_stream(rng: random.Random) -> Sides:
    """What the MLP makes of x is added to it."""
    weights = step3.initial_weights(TOKENIZER.vocab_size, rng)
    x = [*some(rng), *some(rng), *some(rng), 1.0]
    hidden = linear(rmsnorm(values(x)), weights["mlp_fc1"])
    f = linear([h.relu() for h in hidden], weights["mlp_fc2"])
    after = [xi + fi.data for xi, fi in zip(x, f, strict=True)]
    return after, [y.data for y in step3.mlp(values(x), weights)]


def made(n: int) -> list[Value]:
    """Return the nodes of a dot product in which each step makes one."""
    a, b = values([2.0] * n), values([3.0] * n)
    products = [x * y for x, y in zip(a, b, strict=True)]
    total = products[0]
    for product in products[1:]:
        total = total + product
    return [node for node in topological_order(total) if node._children]


def in_a_ring(n: int) -> float:
    """Return how often a machine sends its list: a piece of it per turn, two rounds."""
    turns = [*range(1, n), *range(1, n)]
    return len(turns) / n


def multiplied(n: int) -> tuple[int, int]:
    """Return the operations of two matrices' product, and the numbers in all three."""
    places = [(row, column) for row in range(n) for column in range(n)]
    pairs = [(place, k) for place in places for k in range(n)]
    return len(pairs) * len(("multiply", "add")), 3 * len(places)


def of(one: Callable[[Numbers], object], other: Callable[[Numbers], object]) -> Formula:
    """Compare what two functions make of the same numbers."""

    def compare(rng: random.Random) -> Sides:
        x = some(rng)
        return one(x), other(x)

    return compare


Formula = Callable[[random.Random], Sides]
of_a_scale = of(
    lambda x: [y.data for y in rmsnorm(values(x))],
    lambda x: [xi / math.sqrt(1 / 5 * inner(x, x) + 1e-5) for xi in x],
)
FORMULAS: dict[str, Formula] = {
    r"-\log p": of_a_loss,
    r"1 - p": of_boasting,
    r"-\ln p": of_a_loss,
    r"\ln 27": of(
        lambda x: math.log(27),
        lambda x: step0.mean_loss(EMMA, step0.zero_counts(TOKENIZER.vocab_size)),
    ),
    r"n + 1": of(
        lambda x: len("emma") + 1,
        lambda x: len(EMMA[1:]),  # each token but the first is an answer
    ),
    r"n + 2": of(lambda x: len("emma") + 2, lambda x: len(EMMA)),
    r"n_{ij} \leftarrow n_{ij} + 1": of_counting,
    r"p(j \mid i) = \frac{n_{ij} + 1}{\sum_k (n_{ik} + 1)}": of_smoothing,
    r"L = -\frac{1}{n} \sum_{t=1}^{n} \ln p_t": of_a_name,
    r"p_0 + p_1 + \dots + p_j > u": of_a_draw,
    r"-\ln p_t = \ln \sum_j e^{z_j} - z_t": of_logits,
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
    r"(1 - \beta) \sum_{i=1}^{t} \beta^{t-i} = 1 - \beta^t": of(
        lambda x: (1 - x[0]) * sum(x[0] ** (7 - i) for i in range(1, 8)),
        lambda x: 1 - x[0] ** 7,
    ),
    r"w \leftarrow w - \eta\, g": of_descent,
    r"b \leftarrow \beta b + g": of_a_ball,
    r"w \leftarrow w - \eta\, m": of_four_balls,
    r"u \leftarrow \beta u - \eta\, g": of_four_balls,
    r"w \leftarrow w + u": of_four_balls,
    r"w_{t+1} = w_t - \eta\, g_t + \beta\,(w_t - w_{t-1})": of_four_balls,
    r"w \leftarrow w - \eta\,(g + \beta b)": of_looking_ahead,
    r"\frac{\eta}{1 - \beta}": of(
        lambda x: 0.1 / (1 - 0.5), lambda x: sum(0.1 * 0.5**age for age in range(60))
    ),
    r"\bar x_j = \sum_i J_{ij} \, \bar y_i": of_a_vjp,
    # Both limits are those of a time: W FLOPs and Q bytes take the longer of two.
    r"v = \min(P, I \cdot B)": of(
        lambda x: [min(6, w / 8 * 4) for w in range(1, 20)],
        lambda x: [w / max(w / 6, 8 / 4) for w in range(1, 20)],
    ),
    r"I = \frac{2mnk}{s\,(mk + kn + mn)}": of(
        lambda x: 2 * 5 * 5 * 5 / (8 * (5 * 5 + 5 * 5 + 5 * 5)),
        lambda x: multiplied(5)[0] / (8 * multiplied(5)[1]),
    ),
    r"\frac{a+b}{ab} = \frac{1}{a} + \frac{1}{b}": of(
        lambda x: [(8 + 4) / (8 * 4)] * 2,
        lambda x: [1 / 8 + 1 / 4, len([*range(8), *range(4)]) / len(range(8 * 4))],
    ),
    # On scales of tens, each is a line.
    r"L(N) = (N_c / N)^{\alpha_N}": of(
        lambda x: (8.8e13 / 1e9) ** 0.076,
        lambda x: math.exp(0.076 * (math.log(8.8e13) - math.log(1e9))),
    ),
    r"L(D) = (D_c / D)^{\alpha_D}": of(
        lambda x: (5.4e13 / 1e9) ** 0.095,
        lambda x: math.exp(0.095 * (math.log(5.4e13) - math.log(1e9))),
    ),
    r"L(N, D) = E + \frac{A}{N^\alpha} + \frac{B}{D^\beta}": of(
        lambda x: 1.69 + 406.4 / 1e9**0.34 + 410.7 / 2e10**0.28,
        lambda x: 1.69 + 406.4 * 10 ** (-9 * 0.34) + 410.7 / 20**0.28 * 10**-2.52,
    ),
    r"\text{exposure} = \log_2 n - \log_2 r": of(
        lambda x: math.log2(64) - math.log2(2),
        lambda x: sum(2**half < 64 // 2 for half in range(9)),  # halvings to get there
    ),
    r"w \leftarrow w - \eta\, b": of_a_ball,
    r"w \leftarrow w - \eta \, \frac{g}{\sqrt{v} + \varepsilon}": of_rmsprop,
    r"w \leftarrow w - \eta \left( \frac{\hat m}{\sqrt{\hat v} + \varepsilon} + \lambda w \right)": of_decay,
    r"\eta_t = \eta \left( 1 - \frac{t-1}{T} \right)": of(
        lambda x: [x[0] * (1 - (t - 1) / 9) for t in range(1, 10)],
        lambda x: [linear_decay(x[0], step, 9) for step in range(9)],
    ),
    r"\bar g \pm t \, \frac{s}{\sqrt{n}}": of(
        lambda x: [statistics.fmean(x), 2.7764451 * statistics.stdev(x) / 5**0.5],
        lambda x: [round(part, 9) for part in interval(x)],
    ),
    r"L = (w x + b - y)^2": of_a_square,
    r"2 \cdot \text{error}": of_its_slope,
    r"\frac{L(w + \varepsilon) - L(w)}{\varepsilon}": of(
        lambda x: ((x[0] + 0.01) ** 2 - x[0] ** 2) / 0.01, lambda x: 2 * x[0] + 0.01
    ),
    # Of a square, a step to either side finds the slope itself.
    r"\frac{L(w + \varepsilon) - L(w - \varepsilon)}{2\varepsilon}": of(
        lambda x: ((x[0] + 0.01) ** 2 - (x[0] - 0.01) ** 2) / (2 * 0.01),
        lambda x: 2 * x[0],
    ),
    r"w x + b": of(
        lambda x: (Value(x[0]) * x[1] + x[2]).data, lambda x: x[0] * x[1] + x[2]
    ),
    r"p_i - y_i": of_a_pull,
    r"z = W_2 \max(0, W_1 x)": of_the_network,
    r"\begin{pmatrix} 0.5 & 1 & 2 \\ 0 & 0 & 1 \end{pmatrix} "
    r"\begin{pmatrix} 1 \\ 2 \\ -1 \end{pmatrix} = \begin{pmatrix} "
    r"0.5 \cdot 1 + 1 \cdot 2 + 2 \cdot (-1) \\ "
    r"0 \cdot 1 + 0 \cdot 2 + 1 \cdot (-1) \end{pmatrix} = "
    r"\begin{pmatrix} 0.5 \\ -1 \end{pmatrix}": of(
        lambda x: step1.linear([1.0, 2.0, -1.0], [[0.5, 1.0, 2.0], [0.0, 0.0, 1.0]]),
        lambda x: [0.5 * 1 + 1 * 2 + 2 * -1, 0 * 1 + 0 * 2 + 1 * -1],
    ),
    r"\max(0, h)": of(lambda x: max(0, x[0]), lambda x: Value(x[0]).relu().data),
    r"2^z": of(lambda x: 2 ** x[0], lambda x: math.exp(x[0] * math.log(2))),
    r"27 \times 16 + 64 \times 16 + 27 \times 64": of(
        lambda x: 27 * 16 + 64 * 16 + 27 * 64,
        lambda x: sum(
            len(row)
            for rows in step1.initial_weights(27, random.Random(1)).values()
            for row in rows
        ),
    ),
    r"x \leftarrow x + \text{attention}(\text{norm}(x))": of_attention,
    r"x \leftarrow x + \text{MLP}(\text{norm}(x))": of_a_layer,
    r"1 - 2\eta(x^2 + 1)": of_a_factor,
    CHAIN_RULE: of_paths,
    r"\sum_{\text{paths}} \prod_{\text{steps}} \text{slope}": of_paths,
    r"H = -\sum_i p_i \log p_i": of(
        lambda x: math.exp(-sum(p * math.log(p) for p in [0.2] * 5)),
        lambda x: 5,  # a fair choice among so many
    ),
    r"-\sum_j p_j \ln q_j": of(  # the shares of what came, against all that came
        lambda x: -inner([0.2, 0.3, 0.5], [math.log(q) for q in step1.softmax(x[:3])]),
        lambda x: statistics.fmean(
            -math.log(step1.softmax(x[:3])[came])
            for came in [0] * 2 + [1] * 3 + [2] * 5
        ),
    ),
    r"p_i = \frac{e^{z_i / T}}{\sum_j e^{z_j / T}}": of_a_temperature,
    r"p = \operatorname{softmax}(z / T)": of_a_temperature,
    r"p(\text{name}) = \prod_t p(x_t \mid x_0, \dots, x_{t-1})": of_a_whole_name,
    r"\arg\max_i p_i": of(
        lambda z: z.index(max(z)),
        lambda z: max(range(5), key=step1.softmax(z).__getitem__),
    ),
    r"p \log p": of(lambda x: 1e-12 * math.log(1e-12), lambda x: 0),
    r"z = a_0 b_0 + a_1 b_1": of(
        lambda x: x[0] * x[2] + x[1] * x[3],
        lambda x: dot(values(x[:2]), values(x[2:4])).data,
    ),
    r"n - 1": of(
        lambda x: 6 - 1,
        lambda x: sum(node._local_grads == (1.0, 1.0) for node in made(6)),
    ),
    r"2n - 1": of(lambda x: 2 * 6 - 1, lambda x: len(made(6))),
    r"2n": of(lambda x: 2 * 5, lambda x: len(dot(values(x), values(x))._children)),
    r"4B": of(lambda x: 4 * 3, lambda x: Config().n_head * len(["document"] * 3)),
    r"6N": of(
        lambda x: 6, lambda x: 3 * len(dot(values(x[:1]), values(x[:1]))._children)
    ),
    r"P(\text{name}) = \prod_t p_t": of(
        lambda x: said_in_a_row("ana"),
        lambda x: math.exp(-4 * document_loss(*read_by_a_model("ana")).data),
    ),
    # A name said by heart: one of a thousand, then each token for certain.
    r"\frac{\ln N}{n}": of(
        lambda x: math.log(1000) / 5,
        lambda x: statistics.fmean(-math.log(p) for p in [1 / 1000, 1, 1, 1, 1]),
    ),
    r"2n^3": of(lambda x: 2 * 5**3, lambda x: multiplied(5)[0]),
    r"3n^2": of(lambda x: 3 * 5**2, lambda x: multiplied(5)[1]),
    r"g \leftarrow g \cdot \min(1, c / \lVert g \rVert)": of(
        lambda x: math.hypot(*(g * min(1, 0.5 / math.hypot(*x)) for g in x)),
        lambda x: min(0.5, math.hypot(*x)),
    ),
    r"L = -\ln \frac{1}{1 + e^{-\beta g}}": of(
        lambda x: (1 + (-0.5 * Value(x[0])).exp()).log().data,
        lambda x: -math.log(1 / (1 + math.exp(-0.5 * x[0]))),
    ),
    r"C \approx 6ND": of(
        lambda x: 6 * 4 * 5,  # each of four weights meets each of five tokens
        lambda x: sum(
            3 * len(dot(values(x[:1]), values(x[:1]))._children) for _ in range(4 * 5)
        ),
    ),
    r"12Lw^2": of(
        lambda x: 12 * 3 * 16**2,
        lambda x: Config(n_layer=3).num_parameters - Config(n_layer=0).num_parameters,
    ),
    r"16N": of(lambda x: 16, lambda x: 4 * len(("weight", "gradient", "m", "v"))),
    r"16N/k": of(lambda x: 16 * 4 / 2, lambda x: 4 * (4 / 2 + 4 / 2 + 2 * 4 / 2)),
    r"2\,(n-1)/n": of(lambda x: 2 * (8 - 1) / 8, lambda x: in_a_ring(8)),
    r"y_i = \sum_j w_{ij} x_j": of_a_matrix,
    r"(W x)_i = \sum_j W_{ij} \, x_j": of_a_matrix,
    r"c_{yx} \mathrel{+}= \sum_i a_{yi}\, b_{ix}": of_a_tile,
    r"m' = \max(m, s)": of_one_pass,
    r"\ell' = \ell\, e^{m - m'} + e^{s - m'}": of_one_pass,
    r"y' = y\, e^{m - m'} + v\, e^{s - m'}": of_one_pass,
    r"y = s\,x": of_scaling,
    r"y_t = \sum_u a_{tu} v_u": of_averages,
    r"s_{tu} = q_t \cdot k_u": of_a_matrix,
    r"\sum_{i=1}^{n} x_i = x_1 + x_2 + \dots + x_n": of(
        sum, lambda x: x[0] + x[1] + x[2] + x[3] + x[4]
    ),
    r"\prod_{i=1}^{n} x_i = x_1 \, x_2 \cdots x_n": of(
        math.prod, lambda x: x[0] * x[1] * x[2] * x[3] * x[4]
    ),
    r"e^{a+b} = e^a \, e^b": of(
        lambda x: math.exp(x[0] + x[1]), lambda x: math.exp(x[0]) * math.exp(x[1])
    ),
    r"\log(a \, b) = \log a + \log b": of(
        lambda x: math.log(x[0] * x[1]), lambda x: math.log(x[0]) + math.log(x[1])
    ),
    r"\log e^a = a": of(lambda x: math.log(math.exp(x[0])), lambda x: x[0]),
    r"w \cdot x = \sum_i w_i \, x_i": of(
        lambda x: dot(values(x), values(x[::-1])).data, lambda x: inner(x, x[::-1])
    ),
    r"\lVert x \rVert = \sqrt{x \cdot x}": of(
        lambda x: math.hypot(*x), lambda x: math.sqrt(inner(x, x))
    ),
    r"\mu = \frac{1}{n} \sum_i x_i": of(statistics.fmean, lambda x: 1 / 5 * sum(x)),
    r"\sigma^2 = \frac{1}{n} \sum_i (x_i - \mu)^2": of(
        statistics.pvariance,
        lambda x: 1 / 5 * sum((xi - statistics.fmean(x)) ** 2 for xi in x),
    ),
    r"q = W_q\, x": of_a_matrix,
    r"k = W_k\, x": of_a_matrix,
    r"v = W_v\, x": of_a_matrix,
    r"a = \operatorname{softmax}(q \cdot k_j / \sqrt{d})": of_looking,
    r"s_j = q \cdot k_j / \sqrt{d}": of(
        lambda x: inner(x, x[::-1]) / math.sqrt(5),
        lambda x: (dot(values(x), values(x[::-1])) * len(x) ** -0.5).data,
    ),
    r"y = \sum_j a_j v_j": of_averages,
    r"Y = \operatorname{softmax}\left(\frac{Q K^\top}{\sqrt{d}} + M\right) V": of_all_at_once,
    r"x \leftarrow x + W_o\, y": of_attention,
    r"k = W_k\, z": of_a_matrix,
    r"v = W_v\, z": of_a_matrix,
    r"\text{MLP}(x) = W_2 \max(0, W_1\, x)": of_the_network,
    r"2VC + TC + 12LC^2": of(
        lambda x: 2 * 27 * 32 + 8 * 32 + 12 * 3 * 32**2,
        lambda x: Config(27, 3, 32, n_head=4, block_size=8).num_parameters,
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
    r"y_i = g_i \, \frac{x_i}{\sqrt{\frac{1}{n} \sum_j x_j^2 + \varepsilon}}": of(
        lambda x: [y.data * g for y, g in zip(rmsnorm(values(x)), x[::-1])],
        lambda x: [
            g * xi / math.sqrt(1 / 5 * inner(x, x) + 1e-5) for xi, g in zip(x, x[::-1])
        ],
    ),
    r"x \leftarrow x + f(x)": of_the_stream,
    r"y_i = x_i / \sqrt{\frac{1}{n} \sum_j x_j^2 + \varepsilon}": of_a_scale,
    r"y_i = x_i / \sqrt{\frac{1}{C} \sum_c x_c^2 + \varepsilon}": of_a_scale,
    r"E = \sum_i p_i \, x_i": of(
        lambda x: inner([0.1, 0.2, 0.7, 0, 0], x),
        lambda x: statistics.fmean([x[0], *[x[1]] * 2, *[x[2]] * 7]),
    ),
    r"-\log \prod_t p_t = \sum_t -\log p_t": of(
        lambda x: -math.log(math.prod(x)), lambda x: sum(-math.log(p) for p in x)
    ),
}
FORMULA = re.compile(rf"^\$\$\n(?P<block>(?:.*\n)+?)\$\$$|{MATH.pattern}", re.MULTILINE)
# What only names a thing: a letter, a function, a power; a constant; and the shapes of
# arrays, which tests/package/engines/test_numpy.py compares.
NAMES = re.compile(
    r"\(.*,.*\)|[A-Za-z]+(_\w+|_\{\w+\})?|f\(x\)|[a-z]\^(\{(\\text\{\w+\}|[^}]*)\}|\w)|10\^9|-1"
    r"|\\hat [mv]|\\beta(\^t)?|\\eta|\\varepsilon|-?\\infty|-?\\(log|ln)|\\ln 2|n \\times n|w \\cdot x"
    r"|\\frac\{\\partial \S+( \\text\{node\})?\}\{\\partial \\text\{\w+\}\}"
)


def stated(text: str) -> set[str]:
    """Return the formulas of a page that say more than how something is called."""
    laws = {part for law in LAWS for part in law.split(r" \qquad ")}
    parts = {
        part.strip(" $\n")
        for match in FORMULA.finditer(text)
        for part in (match["block"] or match[0]).split(r"\qquad")
    }
    return {part for part in parts - laws if not NAMES.fullmatch(part)}


def test_every_formula_of_a_page_is_one_of_these(guide: Guide) -> None:
    """A formula that has changed no longer says what is compared here."""
    pages = [guide.read(path) for path in [*guide.paths, *guide.labs]]
    prose = ["\n".join(line for _, line in page.prose()) for page in pages]
    assert set().union(*map(stated, prose)) == set(FORMULAS)


@pytest.mark.parametrize("formula", FORMULAS)
def test_both_sides_of_a_formula_are_equal(formula: str) -> None:
    for seed in range(3):
        one, other = FORMULAS[formula](random.Random(seed))
        assert one == pytest.approx(other, rel=1e-9, abs=1e-9), formula
