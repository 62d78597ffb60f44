"""The names of the first page are those of `sample`; one line of it picks each letter."""

from __future__ import annotations

import inspect
import random
import sys
from pathlib import Path
from typing import Any

from microgpt import load_model, sample
from tests.models import ROOT, refusals
from widgets.generator.model import generator
from widgets.grow.model import grow


def test_it_invents_what_sample_does_with_its_own_temperature() -> None:
    model, tokenizer = load_model()
    result = generator(9)
    temperature = inspect.signature(sample).parameters["temperature"].default
    for one in result["names"]:
        assert one["name"] == sample(model, tokenizer, random.Random(one["seed"]))
    assert result["places"] == grow("", temperature, 9)["places"]


def test_the_line_that_picks_a_letter_is_the_one_that_asks_for_a_random_number() -> (
    None
):
    line = generator(9)["source_line"]
    text = (ROOT / line["path"]).read_text("utf-8").splitlines()[line["number"] - 1]
    assert text.strip() == line["text"]
    model, tokenizer = load_model()
    asked = set()

    class Watched(random.Random):
        def choices(self, *given: Any, **named: Any) -> Any:
            frame = sys._getframe(1)
            asked.add((Path(frame.f_code.co_filename), frame.f_lineno))
            return super().choices(*given, **named)

    name = sample(model, tokenizer, Watched(9))
    assert name == generator(9)["names"][0]["name"]
    assert asked == {(ROOT / line["path"], line["number"])}


test_nonsense_is_refused = refusals(
    generator, {}, ({"seed": 0.5}, "seed: a whole number")
)
