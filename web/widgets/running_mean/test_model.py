"""The gradients that are shown are what they are said to be."""

import json
import math
from itertools import islice
from pathlib import Path

import pytest

from microgpt import Adam
from snippets import step5
from snippets.records.runs import gradients_of_a
from tests.models import Start, refusals
from widgets.running_mean.model import running_mean


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


test_a_beta_or_a_series_that_makes_no_mean_is_refused = refusals(
    running_mean,
    {"beta": 0.85, "series": "jump", "corrected": False},
    ({"beta": -0.1}, "β: choose from 0 to"),
    ({"beta": 0.995}, "β: choose from 0 to"),
    ({"beta": math.nan}, "β: choose from 0 to"),
    ({"beta": math.inf}, "β: choose from 0 to"),
    ({"series": "tides"}, "series: choose"),
)
