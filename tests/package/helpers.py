"""Helpers for tests of the package: small models, runs, and the command line."""

import os
import random
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from microgpt import GPT, Config, Run, Value
from microgpt.cli.main import main
from microgpt.engines.protocol import Engine, EngineState
from tests.processes import ROOT, CompletedProcess, run_python

# fmt: off
NAMES = [
    "anna", "ben", "clara", "david", "elif", "farid", "greta", "hugo", "ida",
    "jonas", "kaya", "lena", "mateo", "nora", "omar", "paula", "quentin", "rosa",
    "samir", "tara", "ulla", "victor", "wanda", "xavier", "yuki", "zoe",
]
# fmt: on
VOCAB_SIZE = len(set("".join(NAMES))) + 1
SIZE_OPTIONS = ("--width", "4", "--heads", "2", "--context", "8")
SAMPLE_LABELS = [f"sample {i:2d}: " for i in range(1, 21)]
CONFIGS = [
    Config(),
    Config(n_layer=2, n_head=2, n_embd=8, block_size=5),
    Config(n_layer=3, n_head=1, n_embd=4),
    Config(n_head=8, n_embd=8, block_size=1),
    Config(n_layer=3, n_head=8, n_embd=8, block_size=6),
]


def make_random_model(config: Config, std: float = 0.5) -> GPT:
    """Return a model with weights so large that no gradient drowns in rounding."""
    return GPT(config, random.Random(1), std=std)


def restore_weights(engine: Engine, weights: Sequence[float]) -> Engine:
    """Give an engine these weights, with Adam's means at 0; return the engine."""
    zeros = [0.0] * len(weights)
    engine.restore(EngineState(weights, zeros, zeros))
    return engine


def make_small_run(steps: int = 10, seed: int = 42) -> Run:
    return Run(NAMES, Config(VOCAB_SIZE, 1, 4, 2, 8), steps, seed)


def to_floats(vector: Iterable[Value]) -> list[float]:
    return [value.data for value in vector]


def microgpt_command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "microgpt", *map(str, arguments)]


def train_argv(*options: object) -> list[str]:
    """Return the command that trains a tiny model on the file `names`."""
    return microgpt_command("train", "--docs", "names", *SIZE_OPTIONS, *options)


def subprocess_environment(**changes: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)} | changes


def wait_for_step(process: subprocess.Popen[str], step: int) -> None:
    """Read the output of a training until it has printed this step."""
    assert process.stdout
    for line in process.stdout:
        if line.startswith(f"step {step:4d} "):
            return
    pytest.fail(f"training ended before step {step}")


def run_microgpt(*arguments: object, cwd: Path, **changes: str) -> CompletedProcess:
    """Run the command line; in a new process only if environment variables change."""
    if changes:
        changes = {"PYTHONPATH": str(ROOT)} | changes
        return run_python("-m", "microgpt", *arguments, cwd=cwd, **changes)
    output, errors, words = StringIO(), StringIO(), [*map(str, arguments)]
    with redirect_stdout(output), redirect_stderr(errors), chdir(cwd):
        try:
            status = main(words)
        except SystemExit as exit:
            status = int(exit.code or 0)
    return CompletedProcess(words, status, output.getvalue(), errors.getvalue())
