"""`microgpt train`: one run from the command line, logged, saved, interrupted."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import closing, nullcontext

from microgpt.checkpoint import load_run, save_run
from microgpt.data import load_names
from microgpt.engine import EngineType
from microgpt.engines import load_engine
from microgpt.files import check_writable
from microgpt.interruption import Interruption
from microgpt.losses import LossLog
from microgpt.model import Config
from microgpt.progress import Progress
from microgpt.sampling import sample
from microgpt.tokenizer import Tokenizer
from microgpt.training import Run

SETTINGS = {
    "steps": (1000, "steps of training"),
    "seed": (42, "where the random numbers begin"),
    "batch": (1, "documents to learn from in each step"),
    "layers": (1, "transformer layers"),
    "heads": (4, "attention heads in each layer"),
    "width": (16, "numbers in the vector of a token"),
    "context": (16, "tokens that the model can read"),
}
SAVE_EVERY = 100  # steps
SAMPLES = 20


class UsageError(ValueError):
    """Options that do not go together, and why."""


def train(options: Namespace) -> int:
    """Begin a run or go on with one; return the exit status.

    Whatever can be wrong with files and options is found before anything is written.
    """
    documents = load_names(options.docs)
    engine = load_engine(options.engine)
    run = (
        resume(options, documents, engine)
        if options.resume
        else begin(options, documents, engine)
    )
    stop = options.stop_after or run.num_steps
    least = max(run.step, 1)
    if not least <= stop <= run.num_steps:
        raise UsageError(
            f"--stop-after must be from {least} to {run.num_steps}, not {stop}"
        )
    check_targets(options)
    log = LossLog(options.losses, run.step) if options.losses else None
    describe(run)
    with closing(log) if log else nullcontext():
        caught = proceed(run, stop, log, options.save)
    if caught:
        advice = (
            f"; go on with --resume {options.save}" if options.save else ""
        )
        print(
            f"microgpt: stopped after step {run.step}{advice}",
            file=sys.stderr,
        )
        return 128 + caught
    for i in range(1, SAMPLES + 1):
        print(f"sample {i:2d}: {sample(run.model, run.tokenizer, run.rng)}")
    return 0


def begin(
    options: Namespace, documents: Sequence[str], engine: EngineType
) -> Run:
    """Make a new run from the settings given, and the defaults of the others."""
    settings = {name: default for name, (default, _) in SETTINGS.items()}
    for name in SETTINGS:
        if getattr(options, name) is not None:
            settings[name] = getattr(options, name)
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
        engine=engine,
    )


def resume(
    options: Namespace, documents: Sequence[str], engine: EngineType
) -> Run:
    """Load a run; settings may be given once more, but not be changed."""
    run = load_run(options.resume, documents, engine)
    config = run.config
    sizes = (
        config.n_layer,
        config.n_head,
        config.n_embd,
        config.block_size,
    )
    for name, value in zip(
        SETTINGS,
        (run.num_steps, run.seed, run.batch_size, *sizes),
        strict=True,
    ):
        given = getattr(options, name)
        if given not in (None, value):
            raise UsageError(
                f"{options.resume} was begun with --{name} {value}"
            )
    return run


def check_targets(options: Namespace) -> None:
    """Refuse files that cannot be written, or that something else is read from."""
    paths = [p for p in (options.docs, options.save, options.losses) if p]
    if len({os.path.realpath(path) for path in paths}) < len(paths):
        raise UsageError(
            "--docs, --save and --losses must be different files"
        )
    for path in (options.save, options.losses):
        try:
            if path:
                check_writable(path)
        except OSError as error:
            raise OSError(
                f"cannot write {path}: {error.strerror}"
            ) from None


def describe(run: Run) -> None:
    """Say what is trained on what."""
    context = run.config.block_size
    cut = sum(len(document) >= context for document in run.documents)
    print(
        f"{len(run.documents)} documents | vocabulary {run.tokenizer.vocab_size}"
        f" | {run.config.num_parameters} parameters"
    )
    if cut:
        print(
            f"{cut} documents do not fit a context of {context} tokens and are cut"
        )


def proceed(
    run: Run, stop: int, log: LossLog | None, save: str | None
) -> int:
    """Train, log and save; return the number of the signal that ended it, or 0."""
    bar = Progress(run.num_steps, run.step)
    with Interruption() as interruption:
        try:
            for loss in run.train(stop):
                if log:
                    log.write(run.step, loss)
                bar.clear()
                line = f"step {run.step:4d} / {run.num_steps:4d} | loss {loss:.4f}"
                print(line, flush=True)
                bar.draw(run.step)
                if interruption.signal:
                    break
                if save and run.step % SAVE_EVERY == 0:
                    save_run(save, run)
        except BrokenPipeError:
            if save:
                save_run(save, run)
            raise
        finally:
            bar.clear()
        if save:
            save_run(save, run)
    return interruption.signal
