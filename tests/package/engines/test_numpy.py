"""The page on attention over arrays has the shapes of its code."""

import re
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

pytest.importorskip("numpy")

import numpy as np

from microgpt import Config
from microgpt.engines import arrays


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
    shapes = {
        name: eval(shape.replace(r"\cdot", "*").replace("\\ ", ""), {}, sizes)
        for names, shape in rows
        for name in re.findall(r"`(\w+)`", names)
    }
    assert len(shapes) == 6
    assert {name: seen[name].shape for name in shapes} == shapes
