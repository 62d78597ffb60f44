"""From the options of `microgpt train` to a run."""

import os
from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from typing import Any

from microgpt.checkpoint import FORMAT, CheckpointError, load_run
from microgpt.engines import load_engine
from microgpt.engines.protocol import Engine, EngineFactory
from microgpt.engines.run import LEARNING_RATE, Run
from microgpt.files import check_writable, os_errors_as
from microgpt.model import Config
from microgpt.tokenizer import Tokenizer

SETTINGS: dict[str, tuple[Any, str]] = {
    "steps": (1000, "steps of training"),
    "seed": (42, "where the random numbers begin"),
    "batch": (1, "documents to learn from in each step"),
    "learning_rate": (LEARNING_RATE, "how far the first steps go"),
    "layers": (1, "transformer layers"),
    "heads": (4, "attention heads in each layer"),
    "width": (16, "numbers in the vector of a token"),
    "context": (16, "tokens that the model can read"),
}
# How an engine computes; the other engines leave no choice.
ENGINE_OPTIONS = {
    "device": {"torch"},
    "precision": {"torch", "c"},
    "compiled": {"torch"},
}


class UsageError(ValueError):
    """Options that do not go together, and why."""


def run_for(options: Namespace, documents: Sequence[str]) -> Run:
    """Begin a run, or load one.

    Settings of a loaded run may be given once more, but not be changed.
    """
    engine, path = engine_for(options), options.resume
    given = {name: getattr(options, name) for name in SETTINGS}
    if not path or (options.or_begin and not os.path.exists(path)):
        for name, (default, _) in SETTINGS.items():
            if given[name] is None:
                given[name] = default
        return begin(documents, engine, *given.values())
    run = load_run(path, documents, engine)
    sizes = run.config
    values = [run.num_steps, run.seed, run.batch_size, run.learning_rate]
    values += [sizes.n_layer, sizes.n_head, sizes.n_embd, sizes.block_size]
    for name, value in zip(SETTINGS, values, strict=True):
        if given[name] not in (None, value):
            raise UsageError(f"{path} was begun with {flag(name)} {value}")
    return run


def begin(
    documents: Sequence[str], engine: EngineFactory, *settings: Any
) -> Run:
    """Make a new run from all SETTINGS, in their order."""
    steps, seed, batch, rate, layers, heads, width, context = settings
    if width % heads:
        raise UsageError(
            f"--width {width} is not a multiple of --heads {heads}"
        )
    vocab_size = Tokenizer(documents).vocab_size
    config = Config(vocab_size, layers, width, heads, context)
    more = {"batch_size": batch, "learning_rate": rate, "engine": engine}
    return Run(documents, config, steps, seed, **more)


def engine_for(options: Namespace) -> EngineFactory:
    """Load the engine asked for, and tell it how to compute."""
    chosen = {
        name: getattr(options, name)
        for name in ENGINE_OPTIONS
        if getattr(options, name) is not None
    }
    if any(options.engine not in ENGINE_OPTIONS[name] for name in chosen):
        raise UsageError(
            "--device and --compile are for --engine torch,"
            " --precision for torch and c"
        )
    engine: Callable[..., Engine] = load_engine(options.engine)
    return partial(engine, **chosen)


def last_step(options: Namespace, run: Run) -> int:
    """Return the step to stop after."""
    stop: int = options.stop_after or run.num_steps
    least = max(run.step, 1)
    if not least <= stop <= run.num_steps:
        raise UsageError(
            f"--stop-after must be from {least} to {run.num_steps}, not {stop}"
        )
    return stop


def flag(name: str) -> str:
    """Return the option that a setting is given by."""
    return f"--{name.replace('_', '-')}"


def check_targets(options: Namespace) -> None:
    """Refuse files that cannot be written, or whose content would be lost."""
    names = ("docs", "losses", "save", "resume")
    files = [(n, getattr(options, n)) for n in names if getattr(options, n)]
    for (one, path), (other, its_path) in combinations(files, 2):
        going_on = (one, other) == ("save", "resume")
        if is_same_file(path, its_path) and not going_on:
            raise UsageError(
                f"{flag(one)} and {flag(other)} must be different files"
            )
    if options.save:
        check_writable(options.save)
        check_is_model(options.save)


def is_same_file(path: str, other: str) -> bool:
    """Say whether two names, which may be links, lead to one file."""
    if os.path.exists(path) and os.path.exists(other):
        return os.path.samefile(path, other)
    return os.path.realpath(path) == os.path.realpath(other)


def check_is_model(path: str) -> None:
    """Refuse to replace a file that holds something other than a saved model."""
    if not os.path.isfile(path):
        return
    with os_errors_as("read", path), open(path, "rb") as file:
        begin = file.read(1000).strip()
    mark = f'"format": "{FORMAT}"'.encode()
    if begin and not (begin[:1] == b"{" and mark in begin):
        raise CheckpointError(
            f"{path} is not a model file of microgpt: choose another one for --save"
        )
