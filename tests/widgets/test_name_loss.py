"""Each question costs what the page's own block says, and the means add up."""

from __future__ import annotations

import contextlib
import io
import math
import random
from pathlib import Path
from typing import Any

import pytest

from microgpt import load_names
from snippets import step0
from weave.page import read_page
from widgets.name_loss.model import name_loss

ROOT = Path(__file__).parents[2]
PAGE = Path("docs/counting/loss.md")


def test_the_trained_model_answers_as_in_the_page_s_first_block() -> None:
    page = read_page(PAGE, (ROOT / PAGE).read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(page.blocks[0].fence.text, names)  # noqa: S102  (the page's own)
    questions = name_loss("emma")["models"][-1]["questions"]
    lines = [f"p {q['p']:.4f}   -log p {q['loss']:.4f}" for q in questions]
    assert printed.getvalue().splitlines()[: len(lines)] == lines
    assert questions[-1]["mean"] * 5 == pytest.approx(names["total"], abs=3e-4)


@pytest.mark.parametrize("name", ["emma", "x", "qqq", "bartholomewjames"])
def test_a_loss_is_minus_the_logarithm_and_means_add_up(name: str) -> None:
    names = load_names()
    random.Random(42).shuffle(names)
    tokenizer = step0.Tokenizer(names)
    tokens = tokenizer.document(name)
    for model in name_loss(name)["models"]:
        counts = step0.zero_counts(27)
        losses = list(step0.train([*names], tokenizer, counts, model["learnt"]))
        assert len(losses) == model["learnt"]
        questions = model["questions"]
        assert len(questions) == len(name) + 1
        costs: list[float] = []
        for i, question in enumerate(questions):
            assert (question["token"], question["target"]) == (tokens[i], tokens[i + 1])
            p = step0.probabilities(tokens[i], counts)[tokens[i + 1]]
            costs.append(-math.log(p))
            mean = sum(costs) / len(costs)
            assert question["p"] == pytest.approx(p, abs=5.1e-5)
            assert question["loss"] == pytest.approx(costs[-1], abs=5.1e-5)
            assert question["choice"] == pytest.approx(1 / p, abs=0.0501)
            assert question["mean"] == pytest.approx(mean, abs=5.1e-5)
            assert question["mean_choice"] == pytest.approx(math.exp(mean), abs=0.0501)


def test_who_knows_nothing_chooses_among_all_tokens() -> None:
    result = name_loss("xavier")
    blind = result["models"][0]
    assert blind["learnt"] == 0
    for question in blind["questions"]:
        assert question["loss"] == result["blind"] == 3.2958
        assert question["choice"] == question["mean_choice"] == 27.0


@pytest.mark.parametrize("name", ["", "ZZ top", "a" * 17])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"type|does not know"):
        name_loss(name)
