"""The gradient check in the program of Step 1."""

import json
import random
from typing import Any

import pytest

from snippets import step1


def test_step_1_gradient_check_passes_and_detects_a_wrong_gradient(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng, sizes = random.Random(1), {"wte": (3, 4), "fc1": (5, 4), "fc2": (3, 5)}
    weights = {n: step1.gaussian_matrix(*s, 0.1, rng) for n, s in sizes.items()}
    before, tokens = json.dumps(weights), [2, 0, 1, 0, 2]
    assert step1.largest_gradient_error(tokens, weights) < 1e-8
    assert json.dumps(weights) == before
    correct = step1.linear_backward

    def forgets_to_add(d_output: Any, x: Any, weight: Any, d_weight: Any) -> Any:
        held = [row[:] for row in d_weight]
        d_x = correct(d_output, x, weight, d_weight)
        for row, old in zip(d_weight, held, strict=True):
            row[:] = [new - o for new, o in zip(row, old, strict=True)]
        return d_x

    monkeypatch.setattr(step1, "linear_backward", forgets_to_add)
    assert step1.largest_gradient_error(tokens, weights) > 1e-3
