"""What is said about the time of a step adds up, and leaves the package as it was."""

import pytest

from bench import profile
from bench.machine import elsewhere
from microgpt import autograd


def test_the_shares_of_a_step_add_up_to_all_of_it() -> None:
    order = autograd.topological_order
    shares = profile.phases(2)
    assert sum(shares.values()) == pytest.approx(1)
    assert all(share > 0 for share in shares.values())
    assert autograd.topological_order is order


def test_the_collector_is_measured_in_a_process_that_has_loaded_no_library() -> None:
    assert profile.collector("dot", 2) > 0
    loaded = "len({'numpy', 'torch'} & {*sys.modules})"
    assert elsewhere("bench.profile", loaded) == 0


def test_arithmetic_is_the_least_of_it() -> None:
    pytest.importorskip("numpy")
    assert 0 < profile.arithmetic(2) < 0.1
