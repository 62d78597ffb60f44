"""From the options of `microgpt train` to a run."""

import math
import os
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

from microgpt.checkpoint import CheckpointError, is_model_file, load_run
from microgpt.engines import load_engine
from microgpt.engines.protocol import Engine, EngineFactory
from microgpt.engines.run import DEFAULT_LEARNING_RATE, Run
from microgpt.files import check_writable, os_errors_as
from microgpt.model import Config
from microgpt.tokenizer import Tokenizer

DEFAULT_SAMPLE_COUNT = 20
# Of a new run; one that is resumed has its own settings
DEFAULT_RUN_OPTIONS: dict[str, float] = {
    "steps": 1000,
    "seed": 42,
    "batch": 1,
    "learning_rate": DEFAULT_LEARNING_RATE,
    "layers": 1,
    "heads": 4,
    "width": 16,
    "context": 16,
}
# By command and option
DEFAULT_OPTIONS: dict[str, dict[str, Any]] = {
    "train": DEFAULT_RUN_OPTIONS | {"engine": "dot", "save_every": 100},
    "sample": {
        "count": DEFAULT_SAMPLE_COUNT,
        "prompt": "",
        "seed": 42,
        "temperature": 0.5,
    },
    "graph": {"format": "mermaid"},
}
# The engines that an option is for; other engines leave no choice
ENGINES_BY_OPTION = {
    "device": ("torch",),
    "precision": ("torch", "c"),
    "compile": ("torch",),
}


class UsageError(ValueError):
    """A mistake on the command line: options that do not go together, for example."""


def start_or_resume_run(
    options: Namespace, documents: Sequence[str]
) -> Run:
    """Return a new run or, with `--resume`, a saved one.

    Settings of a saved run may be repeated, but not changed.
    """
    engine, path = load_configured_engine(options), options.resume
    typed = user_values(options, DEFAULT_RUN_OPTIONS)
    if not path or (options.or_begin and not os.path.exists(path)):
        return make_new_run(documents, engine, DEFAULT_RUN_OPTIONS | typed)
    try:
        run = load_run(path, documents, engine)
    except FileNotFoundError as error:
        error.add_note("to begin a new run, add --or-begin")
        raise
    saved = settings_as_options(run)
    for name, value in typed.items():
        if value != saved[name]:
            raise UsageError(
                f"{path} was trained with {format_option(name)} {saved[name]},"
                f" not {value}: leave out {format_option(name)} to go on with it,"
                " or leave out --resume to begin a new run"
            )
    return run


def settings_as_options(run: Run) -> dict[str, float]:
    """Return the values that a run has for the keys of DEFAULT_RUN_OPTIONS."""
    return {
        "steps": run.num_steps,
        "seed": run.seed,
        "batch": run.batch_size,
        "learning_rate": run.learning_rate,
        "layers": run.config.n_layer,
        "heads": run.config.n_head,
        "width": run.config.n_embd,
        "context": run.config.block_size,
    }


def make_new_run(
    documents: Sequence[str],
    engine: EngineFactory,
    settings: Mapping[str, Any],
) -> Run:
    """Return a run that has taken no step.

    `settings` has a value for each key of DEFAULT_RUN_OPTIONS.
    """
    width, heads = settings["width"], settings["heads"]
    layers, context = settings["layers"], settings["context"]
    if width % heads:
        raise UsageError(
            f"--width {width} is not a multiple of --heads {heads}:"
            f" try --width {heads * math.ceil(width / heads)}"
        )
    vocab_size = Tokenizer(documents).vocab_size
    return Run(
        documents,
        Config(vocab_size, layers, width, heads, context),
        settings["steps"],
        settings["seed"],
        batch_size=settings["batch"],
        learning_rate=settings["learning_rate"],
        engine=engine,
    )


def load_configured_engine(options: Namespace) -> EngineFactory:
    """Load the engine of `--engine`, with the options that only some engines have."""
    settings = user_values(options, ENGINES_BY_OPTION)
    for name in settings:
        if options.engine not in (engines := ENGINES_BY_OPTION[name]):
            option = format_option(name)
            needed = f"--engine {' or '.join(engines)}"
            got = options.engine
            if got == DEFAULT_OPTIONS["train"]["engine"]:
                got += " (the default)"
            raise UsageError(
                f"{option} needs {needed}, not {got}:"
                f" type {needed}, or leave out {option}"
            )
    engine: Callable[..., Engine] = load_engine(options.engine)
    return partial(engine, **settings)


def user_values(options: Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Return the values of the named options that the user has typed."""
    values = {name: getattr(options, name) for name in names}
    return {name: x for name, x in values.items() if x is not None}


def last_step(options: Namespace, run: Run) -> int:
    """Return the number of the step after which this command stops."""
    stop: int = options.stop_after or run.num_steps
    least = max(run.steps_taken, 1)
    if not least <= stop <= run.num_steps:
        advice = f"lower it, or set --steps to at least {stop}"
        if run.steps_taken:
            taken = f"{options.resume} has already taken {run.steps_taken}"
            advice = f"{taken}, so choose one of these or leave it out"
        raise UsageError(
            f"--stop-after: expected a step from {least} to {run.num_steps}"
            f" (--steps), got {stop}: {advice}"
        )
    return stop


def format_option(name: str) -> str:
    """Return the option that sets a name of the Namespace, such as `--learning-rate`."""
    return f"--{name.replace('_', '-')}"


def check_output_files(options: Namespace) -> None:
    """Refuse files that cannot be written, or whose content would be lost."""
    names = ("docs", "losses", "save", "resume")
    files = [(n, getattr(options, n)) for n in names if getattr(options, n)]
    for (name, path), (other, other_path) in combinations(files, 2):
        is_update = (name, other) == ("save", "resume")
        if is_same_file(path, other_path) and not is_update:
            raise UsageError(
                f"--{name} and --{other} are the same file, {path}:"
                f" give --{'losses' if name == 'losses' else other} a different file"
            )
    if options.save:
        check_writable(options.save)
        refuse_to_replace_foreign_file(options.save)


def is_same_file(path: str, other: str) -> bool:
    """Return whether two names, which may be links, lead to one file."""
    if os.path.exists(path) and os.path.exists(other):
        return os.path.samefile(path, other)
    return os.path.realpath(path) == os.path.realpath(other)


def refuse_to_replace_foreign_file(path: str) -> None:
    """Refuse to replace a file that holds something other than a saved model."""
    if not os.path.isfile(path):
        return
    with os_errors_as("read", path), open(path, "rb") as file:
        begin = file.read(1000).strip()
    if begin and not is_model_file(begin):
        raise CheckpointError(
            f"{path} exists and is not a microgpt model,"
            " so it was not overwritten: give --save a new file name"
        )
