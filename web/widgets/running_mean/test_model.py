"""The gradients that are shown are what they are said to be."""

import json
from itertools import islice
from pathlib import Path

import pytest

from microgpt import Adam
from snippets import step5
from snippets.records.runs import gradients_of_a
from tests.models import Start


def test_the_real_gradient_is_that_of_the_program_s_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = json.loads(Path(__file__).with_name("gradients.json").read_text())
    assert shown == pytest.approx(gradients_of_a(), rel=1e-9)
    start = Start(step5)
    watched = start.weights.weights["lm_head"][0][0]
    found: list[float] = []
    step = Adam.step

    def watch(self: Adam, rate: float) -> None:
        found.append(watched.grad)
        step(self, rate)

    monkeypatch.setattr(Adam, "step", watch)
    [*islice(step5.train(start.names, start.tokenizer, start.weights), 4)]
    monkeypatch.undo()
    assert shown[:4] == pytest.approx(found, rel=1e-9)
