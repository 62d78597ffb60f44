# ruff: noqa: F401  (pages name what is imported here)
"""What expressions on pages may name, besides what the blocks above them define."""

import json
from inspect import getsource as source
from pathlib import Path
from typing import Any

import microgpt.cli.main
import snippets.ready.attention
from microgpt import *
from snippets import step0, step1, step2, step3, step4, step5, step6
from snippets.ready.verdicts import verdict_sentence

root = Path(__file__).resolve().parents[2]
_TRAINER = root / "web" / "widgets" / "trainer" / "recorded_runs.json"


def recorded(name: str) -> Any:
    """Return what was measured in runs that take too long to wait for."""
    return json.loads((root / "docs" / "data" / f"{name}.json").read_text("utf-8"))


run = recorded  # a program's losses


def learnt(program: str) -> Any:
    """Return the weights that a program has learnt."""
    return recorded(f"{program}-weights")


def trained(run: str, evaluation: int = -1) -> Any:
    """Return an evaluation of a recorded run of the Trainer: its losses and names.

    At evaluation 0 it has not begun to train.
    """
    return json.loads(_TRAINER.read_text("utf-8"))[run]["evaluations"][evaluation]


def invented(run: str, evaluation: int = -1) -> str:
    """Return the names that a recorded run of the Trainer invents."""
    return ", ".join(name or "(empty)" for name in trained(run, evaluation)["names"])


def what_if(switch: str) -> str:
    """Return what a switch of What if? does to the loss."""
    return verdict_sentence(**recorded("what-if")["switches"][switch])
