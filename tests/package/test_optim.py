import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microgpt.autograd import Value
from microgpt.optim import SGD, Adam, linear_decay

gradients = st.lists(st.floats(-3, 3), min_size=1, max_size=12)


def follow(
    optimizer: Adam, parameter: Value, grads: list[float], rates: list[float]
) -> list[float]:
    path = []
    for grad, rate in zip(grads, rates, strict=True):
        parameter.grad = grad
        optimizer.step(rate)
        path.append(parameter.data)
    return path


@pytest.mark.parametrize("optimizer", [SGD, Adam])
def test_zero_grad_forgets_gradients_and_keeps_data(
    optimizer: type[SGD | Adam],
) -> None:
    a = Value(1.0)
    a.grad = 5.0
    optimizer([a]).zero_grad()
    assert (a.data, a.grad) == (1.0, 0.0)


@given(gradients)
def test_adam_equals_its_formula_written_as_weighted_sums(grads: list[float]) -> None:
    parameter = Value(0.5)
    path = follow(Adam([parameter]), parameter, grads, [0.01] * len(grads))
    expected = 0.5
    for t in range(1, len(grads) + 1):
        seen = list(enumerate(grads[:t], start=1))
        mean = math.fsum(0.15 * 0.85 ** (t - i) * g for i, g in seen) / (1 - 0.85**t)
        square = math.fsum(0.01 * 0.99 ** (t - i) * g**2 for i, g in seen)
        square /= 1 - 0.99**t
        expected -= 0.01 * mean / (math.sqrt(square) + 1e-8)
        assert path[t - 1] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_adam_keeps_apart_what_it_knows_of_each_parameter() -> None:
    a, b = Value(0.0), Value(0.0)
    optimizer = Adam([a, b], beta1=0.5, beta2=0.75, epsilon=1.0)
    a.grad, b.grad = 4.0, -2.0
    optimizer.step(1.0)
    assert (optimizer.steps, optimizer.first, optimizer.second) == (
        1,
        [2.0, -1.0],
        [4.0, 1.0],
    )
    assert (a.data, b.data) == (-4.0 / 5.0, 2.0 / 3.0)


def test_the_learning_rate_falls_in_a_line_to_0_after_the_last_step() -> None:
    assert [linear_decay(8.0, step, 4) for step in range(5)] == [8.0, 6.0, 4.0, 2.0, 0]
