"""The engine of pages, asked under Node."""

import json
from pathlib import Path
from typing import Any

from microgpt import GPT
from tests.models import ROOT
from tests.processes import javascript

TRAIN = Path(__file__).with_name("train.mjs")
WHOLE = {
    "model": "gpt",
    "seen": 1000,
    "batch": 1,
    "optimizer": "Adam",
    "rate": 0.01,
    "seed": 42,
    "width": 16,
    "layers": 1,
    "heads": 4,
    "off": [],
}


def computed(expression: str) -> Any:
    """Evaluate an expression about what web/engine exports, which is called `engine`."""
    what = f"import * as engine from {(ROOT / 'web/dist/engine.mjs').as_uri()!r}; "
    return json.loads(javascript(f"{what}console.log(JSON.stringify({expression}))"))


def reading(model: GPT, heads: int, tokens: list[int]) -> Any:
    """Ask the page's engine for every number on the way of some tokens."""
    matrices = {
        name: [[p.data for p in row] for row in rows]
        for name, rows in model.weights.items()
    }
    asked = f"engine.gptOf({heads}, {json.dumps(matrices)}).read({tokens})"
    return computed(asked)


def trained(names: str = "", **changes: Any) -> Any:
    """Train under Node."""
    asked = {"setup": WHOLE | changes, "names": names}
    return json.loads(javascript(TRAIN, json.dumps(asked)))


def changed(change: str, seed: int) -> str:
    """Return the JavaScript of what a page trains for a switch of What if."""
    setup = f"engine.changedSetup({change}, {seed})"
    return f"new engine.Training({setup}, '', {change})"
