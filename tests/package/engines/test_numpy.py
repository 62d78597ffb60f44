"""The model over arrays gives the losses, gradients and samples of the one taught."""

import math
import random
import re
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

pytest.importorskip("numpy")

import numpy as np

from microgpt import Config, Run, document_loss, load_model, load_names
from microgpt.engines import arrays, lists
from microgpt.engines.numpy import Engine
from tests.package.helpers import data, model_of_size, with_weights


def test_large_logits_do_not_overflow() -> None:
    with np.errstate(over="raise", invalid="raise"):
        shares = arrays.softmax(np.array([[1000.0, 1000.0, 0.0]]))
    assert shares.tolist() == [[0.5, 0.5, 0.0]]


def test_1000_steps_end_with_the_weights_that_the_package_ships() -> None:
    names = load_names()
    run = Run(names, Config(), 1000, engine=Engine)
    for _ in run.train():
        pass
    shipped, tokenizer = load_model()
    assert tokenizer.characters == run.tokenizer.characters
    assert shipped.config == run.config
    assert [p.data for p in shipped.parameters()] == pytest.approx(
        run.engine.state().weights, rel=1e-6, abs=1e-9
    )


def test_the_loss_is_infinite_where_the_graph_has_none() -> None:
    model = model_of_size(Config(), std=30)
    engine = Engine(Config(), random.Random())
    with_weights(engine, data(model.parameters()))
    before = engine.state()
    refused = 0
    for target in range(26):
        tokens = [26, target, 26]
        try:
            document_loss(model, tokens)
        except ValueError:
            refused += 1
            assert engine.step([tokens], 0.01) == math.inf
            assert lists.gradient(model, tokens) == math.inf
    assert refused
    assert engine.state() == before


def test_the_shapes_of_attention_are_those_of_the_pages_table() -> None:
    page = Path(__file__).parents[3] / "docs/efficiency/numpy-attention.md"
    rows = re.findall(
        r"^\| (`.*`) \| \$(\(.*\))\$ \|", page.read_text("utf-8"), re.MULTILINE
    )
    config, sizes = Config(), {"B": 3, "T": 5}
    x = np.ones((3 * 5, 3 * config.n_embd))
    seen: dict[str, Any] = {}

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "return" and frame.f_code is arrays.attend.__code__:
            seen.update(frame.f_locals)

    sys.setprofile(watch)
    try:
        arrays.attend(x, config.n_head, np.zeros((5, 5)))
    finally:
        sys.setprofile(None)
    seen["y"] = seen["y"].transpose(0, 2, 1, 3).reshape(-1, config.n_embd)
    compared = 0
    for names, shape in rows:
        wanted = eval(shape.replace(r"\cdot", "*").replace("\\ ", ""), {}, sizes)
        for name in re.findall(r"`(\w+)`", names):
            assert seen[name].shape == wanted, name
            compared += 1
    assert compared == 6
