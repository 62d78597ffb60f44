# ruff: noqa: F401  (expressions on pages use the imports)
"""Names for expressions on pages, besides those that the blocks above define."""

import json
from inspect import getsource as source
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import microgpt.cli.main
import snippets.ready.attention
import snippets.ready.gradients
import snippets.ready.knockouts
import snippets.ready.losses
import snippets.ready.plane
import snippets.ready.stream
import snippets.sentences
from bench.results import paired_difference
from microgpt import *
from microgpt.engines.protocol import build_model
from snippets import step0, step1, step2, step3, step4, step5, step6
from snippets.ready.verdicts import verdict_sentence

root = Path(__file__).resolve().parents[2]
_TRAINER_RUNS = root / "web" / "widgets" / "trainer" / "recorded_runs.json"


def record(name: str) -> Any:
    """Return a recorded run or measurement: the content of `docs/data/NAME.json`."""
    return json.loads((root / "docs" / "data" / f"{name}.json").read_text("utf-8"))


def trained_weights(program: str) -> Any:
    """Return the recorded weights of a program after training, by matrix."""
    return record(f"{program}-weights")


def trainer_evaluation(run: str, evaluation: int = -1) -> Any:
    """Return an evaluation of a recorded run of the Trainer: its losses and names.

    Evaluation 0 comes before training.
    """
    return json.loads(_TRAINER_RUNS.read_text("utf-8"))[run]["evaluations"][evaluation]


def trainer_names(run: str, evaluation: int = -1) -> str:
    """Return the names invented at an evaluation of the Trainer, joined by commas."""
    names = trainer_evaluation(run, evaluation)["names"]
    return ", ".join(name or "(empty)" for name in names)


def long_run_names(count: int) -> str:
    """Return names that the long-run model invents at a temperature of 1."""
    weights = trained_weights("four-end").values()
    flat = [number for matrix in weights for row in matrix for number in row]
    model, tokenizer = build_model(Config(), flat), Tokenizer(load_names())
    rng = Random(1)
    return ", ".join(sample(model, tokenizer, rng, 1) for _ in range(count))


def hard_cases_right(sentences: str, model: str, count: int = 100_000) -> list[float]:
    """Return how many % of the hard sentences ten trained models get right, sorted.

    The sentences are "plain" or with "openings"; each model has read `count` of them.
    """
    end = record("sentences")[sentences]["rungs"][model][str(count)]
    return sorted(100 * share for share in end["right"])


def what_if_verdict(switch: str) -> str:
    """Return a sentence on what a switch of What if? does to the loss."""
    losses = record("what-if")["switches"][switch]
    return verdict_sentence(losses["more"], losses["error"])
