"""Each law about derivatives that a page writes as a formula is one that holds.

A law is about every function, so no `derivative` fence can state it. Here each stands
beside what it says in Python, which is compared with `backward`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import chain

import pytest

from microgpt import Value, rmsnorm, softmax
from weave.guide import Guide

LAW = re.compile(r"<!--weave:general .*-->\n\$\$\n((?:.*\n)+?)\$\$")
# Nothing is computed in it: it says in signs what `backward` does.
CHAIN_RULE = r"\frac{\partial y}{\partial x} = \sum_{\text{paths from }"
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
    assert {x for x in found if not x.startswith(CHAIN_RULE)} == set(LAWS)


@pytest.mark.parametrize("law", LAWS)
def test_each_law_gives_what_backward_finds(law: str) -> None:
    for seed in range(3):
        expected, found = LAWS[law](random.Random(seed))
        assert expected == pytest.approx(found, rel=1e-3, abs=1e-5)
