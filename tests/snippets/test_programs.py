"""The programs of Steps 0 to 2: counting, the gradient by hand, the same on `Value`s."""

import json
import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from snippets import step0, step1, step2
from tests.processes import python


@pytest.mark.parametrize("program", [step0, step1, step2], ids=lambda p: p.__name__)
def test_the_program_runs(program: ModuleType, tmp_path: Path) -> None:
    docs, losses = tmp_path / "names.txt", tmp_path / "losses.jsonl"
    docs.write_text("ada\nbob\neve\n")
    options: list[str | Path] = ["--docs", docs, "--steps", "4", "--losses", losses]
    checks = ["--check"] if program is step1 else []
    ran = python("-m", program.__name__, *options, *checks)
    lines = ran.stdout.splitlines()
    if checks:
        checked = lines.pop(0)
        assert checked.startswith("largest error of the gradient: ")
        assert float(checked.split()[-1]) < 1e-8
    assert len(lines) == 4 + 20  # the last step takes the first name again
    assert lines[0].startswith("step    1 /    4 | loss ")
    samples = [line.split(":")[1].strip() for line in lines[4:]]
    assert lines[4].startswith("sample  1: ")
    assert any(samples)
    assert all(set(each) <= set("adboev") and len(each) <= 16 for each in samples)
    records = [json.loads(line) for line in losses.read_text().splitlines()]
    assert [record["step"] for record in records] == [1, 2, 3, 4]
    assert lines[3].endswith(f"{records[3]['loss']:.4f}")


def test_nudging_agrees_with_the_gradient_by_hand_finds_a_wrong_one_and_puts_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng, sizes = random.Random(1), {"wte": (3, 4), "fc1": (5, 4), "fc2": (3, 5)}
    weights = {n: step1.gaussian_matrix(*s, 0.1, rng) for n, s in sizes.items()}
    before, tokens = json.dumps(weights), [2, 0, 1, 0, 2]
    assert step1.largest_gradient_error(tokens, weights) < 1e-8
    assert json.dumps(weights) == before
    correct = step1.linear_backward

    def forgets_to_add(
        d_output: Any, x: Any, weight: Any, d_weight: list[list[float]]
    ) -> Any:
        held = [row[:] for row in d_weight]
        d_x = correct(d_output, x, weight, d_weight)
        for row, old in zip(d_weight, held, strict=True):
            row[:] = [new - o for new, o in zip(row, old, strict=True)]
        return d_x

    monkeypatch.setattr(step1, "linear_backward", forgets_to_add)
    assert step1.largest_gradient_error(tokens, weights) > 1e-3
