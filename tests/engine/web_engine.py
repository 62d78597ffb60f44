"""Run the JavaScript engine of pages under Node."""

import json
from pathlib import Path
from typing import Any

from microgpt import GPT
from tests.processes import ROOT, run_node

TRAIN_SCRIPT_PATH = Path(__file__).with_name("train.mjs")
GPT_SETUP: dict[str, Any] = {
    "model": "gpt",
    "namesToSee": 1000,
    "batchSize": 1,
    "optimizer": "Adam",
    "learningRate": 0.01,
    "seed": 42,
    "width": 16,
    "layers": 1,
    "heads": 4,
    "disabledParts": [],
    "dataset": "names",
}


def evaluate_js(expression: str) -> Any:
    """Evaluate JavaScript in which `engine` has the exports of web/engine."""
    imports = f"import * as engine from {(ROOT / 'web/dist/engine.mjs').as_uri()!r}; "
    return json.loads(run_node(f"{imports}console.log(JSON.stringify({expression}))"))


def read_tokens(model: GPT, heads: int, tokens: list[int]) -> Any:
    """Return all activations that the engine computes while a model reads tokens."""
    weights = model.weights.items()
    matrices = {name: [[p.data for p in row] for row in rows] for name, rows in weights}
    gpt = f"engine.gptFromMatrices({heads}, {json.dumps(matrices)})"
    return evaluate_js(f"{gpt}.computeActivations({tokens})")


def train_in_node(names: str = "", **changes: Any) -> Any:
    """Train a model as a page does, but under Node; return the losses and samples."""
    request = {"setup": GPT_SETUP | changes, "names": names}
    return json.loads(run_node(TRAIN_SCRIPT_PATH, json.dumps(request)))


def what_if_js(change: str, seed: int) -> str:
    """Return JavaScript that creates the training of a what-if change."""
    return f"new engine.Training(engine.whatIfSetup({change}, {seed}), '', {change})"
