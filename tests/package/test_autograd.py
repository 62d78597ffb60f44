import gc
import re
import tracemalloc
from collections.abc import Callable

import pytest

from microgpt.autograd import Value, topological_order
from microgpt.engines.run import collector_paused


def test_a_node_passes_its_gradient_on_only_when_it_is_complete() -> None:
    a = Value(1.0)
    b = a + a
    c = b + b
    c.backward()
    assert (a.grad, b.grad, c.grad) == (4.0, 2.0, 1.0)


@pytest.mark.parametrize(
    ("compute", "error", "told"),
    [
        (lambda: Value(-8.0) ** (1 / 3), ValueError, "-8 ** 0.333333 is not a real n"),
        (lambda: Value(0.0) ** 0.5, ZeroDivisionError, "0 ** 0.5 has no finite slope"),
        (lambda: Value(0.0) ** -1, ZeroDivisionError, "0 ** -1 has no finite slope"),
        (lambda: 1 / Value(0.0), ZeroDivisionError, "0 ** -1 has no finite slope"),
        (lambda: Value(0.0).log(), ValueError, "log needs a positive number, not 0"),
        (lambda: (-2) ** Value(0.5), ValueError, "the base must be positive, not -2"),
        (lambda: 0 ** Value(2.0), ValueError, "the base must be positive, not 0"),
    ],
)
def test_what_has_no_value_or_no_slope_is_refused(
    compute: Callable[[], object], error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=f"^{re.escape(told)}"):
        compute()


def test_a_sum_adds_from_left_to_right_whatever_python_does() -> None:
    assert Value.sum(map(Value, [1e16, 1.0, -1e16])).data == 0.0
    assert Value.sum([]).data == 0.0


def test_a_value_begins_with_gradient_0_and_no_children() -> None:
    a = Value(2)
    assert (a.data, a.grad, a._children, a._local_grads) == (2, 0.0, (), ())
    assert repr(a) == "Value(data=2, grad=0)"
    assert not hasattr(a, "__dict__")


def test_backward_passes_on_what_a_node_in_between_holds_already() -> None:
    """So a second loss of the same node needs its `grad` to be 0."""
    a = Value(3.0)
    between = a * 2
    (between * 1).backward()
    assert (a.grad, between.grad) == (2.0, 1.0)
    between.grad = 0.0
    (between * 1).backward()
    assert a.grad == 4.0
    (between * 1).backward()
    assert a.grad == 8.0


def test_children_come_before_parents_and_nothing_twice() -> None:
    a, b = Value(2.0), Value(3.0)
    c = a * b
    d = c + a
    order = topological_order(d + d * c)
    assert len(order) == len(set(order)) == 6
    for node in order:
        assert all(order.index(child) < order.index(node) for child in node._children)


def test_a_chain_of_a_million_nodes_has_a_gradient() -> None:
    with collector_paused():
        a = chain = Value(1.0)
        for _ in range(1_000_000):
            chain = chain.relu()
        chain.backward()
        assert (chain.data, a.grad) == (1.0, 1.0)
        del chain  # which must not exhaust the stack either


def test_the_graph_is_freed_without_the_cycle_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(20):
            a = Value(2.0)
            for _ in range(1000):
                a = a * 1.0
            a.backward()
            del a
        assert (
            tracemalloc.get_traced_memory()[0] - before < 1_000_000
        )  # of the 5,000,000 used
    finally:
        tracemalloc.stop()
        gc.enable()
