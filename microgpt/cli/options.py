"""From what was asked for on the command line to a run."""

import os
import re
from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from typing import Any

from microgpt.cli.checkpoint import (
    FORMAT,
    CheckpointError,
    load_model,
    load_run,
)
from microgpt.cli.files import check_writable, failure_named
from microgpt.engines import load_engine
from microgpt.engines.protocol import Engine, EngineType
from microgpt.engines.run import LEARNING_RATE, Run
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
# How the file of a saved model begins
MODEL = re.compile(rb'\s*\{\s*"format"\s*:\s*"%s"' % FORMAT.encode())
# How an engine computes; the other engines leave no choice.
ENGINE_OPTIONS = {
    "torch": ("device", "precision", "compiled"),
    "c": ("precision",),
}


class UsageError(ValueError):
    """Options that do not go together, and why."""


def run_for(
    options: Namespace, documents: Sequence[str], count: int
) -> Run:
    """Begin a run or load one, for as many processes as there are."""
    engine = engine_for(options, count)
    path = options.resume
    if path and not (options.or_begin and not os.path.exists(path)):
        run = resume(options, documents, engine)
    else:
        run = begin(options, documents, engine)
    if run.batch_size % count:
        raise UsageError(
            f"--batch must be a multiple of the number of processes,"
            f" and {run.batch_size} is none of {count}"
        )
    return run


def last_step(options: Namespace, run: Run) -> int:
    """Return the step to stop after."""
    stop: int = options.stop_after or run.num_steps
    least = max(run.step, 1)
    if not least <= stop <= run.num_steps:
        raise UsageError(
            f"--stop-after must be from {least} to {run.num_steps}, not {stop}"
        )
    return stop


def engine_for(options: Namespace, count: int) -> EngineType:
    """Load the engine asked for, in the form that several processes need."""
    chosen = {
        name: getattr(options, name)
        for name in {n for names in ENGINE_OPTIONS.values() for n in names}
        if getattr(options, name) is not None
    }
    if not chosen.keys() <= {*ENGINE_OPTIONS.get(options.engine, ())}:
        raise UsageError(
            "--device and --compile are for --engine torch,"
            " --precision for torch and c"
        )
    if count == 1 and options.shard:
        raise UsageError(
            "--shard is for several processes: start them with torchrun"
        )
    if count > 1 and options.engine != "torch":
        raise UsageError(
            f"several processes need --engine torch, not {options.engine}"
        )
    together = "sharded" if options.shard else "processes"
    engine: Callable[..., Engine] = load_engine(
        options.engine if count == 1 else together
    )
    return partial(engine, **chosen)


def begin(
    options: Namespace, documents: Sequence[str], engine: EngineType
) -> Run:
    """Make a new run from the settings given, and the defaults of the others."""
    settings = {name: default for name, (default, _) in SETTINGS.items()}
    given = {name: getattr(options, name) for name in SETTINGS}
    settings |= {name: x for name, x in given.items() if x is not None}
    if settings["width"] % settings["heads"]:
        raise UsageError(
            f"--width must be a multiple of --heads, and {settings['width']} "
            f"is none of {settings['heads']}"
        )
    config = Config(
        vocab_size=Tokenizer(documents).vocab_size,
        n_layer=settings["layers"],
        n_head=settings["heads"],
        n_embd=settings["width"],
        block_size=settings["context"],
    )
    return Run(
        documents,
        config,
        settings["steps"],
        settings["seed"],
        batch_size=settings["batch"],
        learning_rate=settings["learning_rate"],
        engine=engine,
    )


def resume(
    options: Namespace, documents: Sequence[str], engine: EngineType
) -> Run:
    """Load a run; settings may be given once more, but not be changed."""
    run = load_run(options.resume, documents, engine)
    sizes = run.config
    values = [run.num_steps, run.seed, run.batch_size, run.learning_rate]
    values += [sizes.n_layer, sizes.n_head, sizes.n_embd, sizes.block_size]
    for name, value in zip(SETTINGS, values, strict=True):
        if getattr(options, name) not in (None, value):
            raise UsageError(
                f"{options.resume} was begun with {flag(name)} {value}"
            )
    return run


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
    with failure_named("read", path), open(path, "rb") as file:
        begin = file.read(100)
    if not begin or MODEL.match(begin):
        return
    try:
        load_model(path)  # its keys may be in another order
    except CheckpointError:
        raise CheckpointError(
            f"{path} is not a model file of microgpt: choose another one for --save"
        ) from None
