"""What the tests of the whole programs share."""

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from microgpt.data import load_names
from microgpt.tokenizer import Tokenizer

ROOT = Path(__file__).parents[2]
RunProgram = Callable[..., list[str]]
ORIGINAL_NAMES = ROOT.parent / "shared/data/names.txt"


@pytest.fixture
def original_names() -> Path:
    """The original's 32,033 names, which are not ours to ship."""
    if not ORIGINAL_NAMES.exists():
        pytest.skip(f"the original's names are not at {ORIGINAL_NAMES}")
    return ORIGINAL_NAMES


class Start:
    """What a program's `main` sets up before it trains."""

    def __init__(self, program: ModuleType, docs: Path | None = None) -> None:
        self.program: Any = program
        self.rng = random.Random(42)
        self.names = load_names(docs)
        self.rng.shuffle(self.names)
        self.tokenizer = Tokenizer(self.names)
        vocab_size = self.tokenizer.vocab_size
        if hasattr(program, "zero_counts"):  # Step 0 draws nothing
            self.weights = program.zero_counts(vocab_size)
        elif hasattr(program, "GPT"):  # from Step 4 on
            self.weights = program.GPT(program.Config(vocab_size), self.rng)
        else:
            self.weights = program.initial_weights(vocab_size, self.rng)

    def losses(self, steps: int) -> list[float]:
        """Take the first of 1,000 steps."""
        run = self.program.train(self.names, self.tokenizer, self.weights, 1000)
        return [next(run) for _ in range(steps)]

    def sample(self) -> str:
        name: str = self.program.sample(self.weights, self.tokenizer, self.rng)
        return name


@pytest.fixture
def start() -> type[Start]:
    return Start


@pytest.fixture
def run_program() -> RunProgram:
    """Run a program as a reader would; return the lines that it prints."""

    def run(*arguments: str | Path) -> list[str]:
        command = [sys.executable, *arguments]
        result = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stderr
        return result.stdout.splitlines()

    return run
