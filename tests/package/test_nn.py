import math
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microgpt.autograd import Value
from microgpt.nn import dot, rmsnorm, softmax

from .helpers import data

vectors = st.lists(st.floats(-5, 5), min_size=1, max_size=8)


def values(numbers: Iterable[float]) -> list[Value]:
    return [Value(x) for x in numbers]


@given(st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), max_size=8))
def test_dot_is_the_sum_of_products_and_each_slope_is_the_partner(
    pairs: list[tuple[float, float]],
) -> None:
    a, b = values(x for x, _ in pairs), values(y for _, y in pairs)
    product = dot(a, b)
    expected = math.fsum(x * y for x, y in pairs)
    assert product.data == pytest.approx(expected, abs=1e-12)
    product.backward()
    assert [value.grad for value in a] == data(b)
    assert [value.grad for value in b] == data(a)


@given(vectors)
def test_softmax_is_proportional_to_the_exponentials_and_adds_up_to_1(
    logits: list[float],
) -> None:
    probabilities = data(softmax(values(logits)))
    exps = [math.exp(x) for x in logits]
    assert probabilities == pytest.approx([e / sum(exps) for e in exps], rel=1e-12)
    assert math.fsum(probabilities) == pytest.approx(1.0, rel=1e-12)


def test_softmax_of_huge_logits_does_not_overflow() -> None:
    assert data(softmax(values([1e4, 0.0, 1e4]))) == [0.5, 0.0, 0.5]
    assert data(softmax(values([-1e4, -1e4]))) == [0.5, 0.5]


@given(vectors)
def test_rmsnorm_divides_by_the_root_mean_square(numbers: list[float]) -> None:
    scale = math.sqrt(math.fsum(x * x for x in numbers) / len(numbers) + 1e-5)
    expected = [x / scale for x in numbers]
    assert data(rmsnorm(values(numbers))) == pytest.approx(expected, rel=1e-12)
