"""`microgpt train`: one run from the command line, logged, saved, interrupted."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext
from functools import partial
from importlib import import_module
from typing import Any

from microgpt.checkpoint import load_run, save_run
from microgpt.data import load_names
from microgpt.engine import Engine, EngineType
from microgpt.engines import load_engine
from microgpt.files import check_writable
from microgpt.interruption import Interruption
from microgpt.losses import LossLog
from microgpt.model import Config
from microgpt.progress import Progress
from microgpt.sampling import sample
from microgpt.tokenizer import Tokenizer
from microgpt.training import LEARNING_RATE, Run
from microgpt.worker import Worker, this_worker

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
TORCH_OPTIONS = ("device", "precision", "compiled")
SAVE_EVERY = 100  # steps
SAMPLES = 20


class UsageError(ValueError):
    """Options that do not go together, and why."""


def train(options: Namespace) -> int:
    """Begin a run or go on with one; return the exit status.

    Whatever can be wrong with files and options is found before anything is written.
    """
    worker = this_worker()
    documents = load_names(options.docs)
    engine = engine_for(options, worker)
    is_new = options.or_begin and not os.path.exists(options.resume or "")
    run = (
        resume(options, documents, engine)
        if options.resume and not is_new
        else begin(options, documents, engine)
    )
    if run.batch_size % worker.count:
        raise UsageError(
            f"--batch must be a multiple of the number of processes,"
            f" and {run.batch_size} is none of {worker.count}"
        )
    stop = options.stop_after or run.num_steps
    least = max(run.step, 1)
    if not least <= stop <= run.num_steps:
        raise UsageError(
            f"--stop-after must be from {least} to {run.num_steps}, not {stop}"
        )
    check_targets(options)
    log = None
    if worker.rank:  # only the first one tells
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (for good)
    elif options.losses:
        log = LossLog(options.losses, run.step)
    describe(run)
    with closing(log) if log else nullcontext():
        caught = proceed(
            run, stop, log, options.save, options.save_every, worker
        )
    status = finish(run, caught, options.save, worker)
    if worker.count > 1:
        import_module("microgpt.engines.processes").leave(status)
    return status


def finish(run: Run, caught: int, path: str | None, worker: Worker) -> int:
    """Say how to go on, or let the model invent; return the exit status."""
    if caught:
        advice = f"; go on with --resume {path}" if path else ""
        if worker.rank == 0:
            print(
                f"microgpt: stopped after step {run.step}{advice}",
                file=sys.stderr,
            )
        return 128 + caught
    # A model with a reader may be too large to be made of Values
    model = getattr(run.engine, "reader", None) or run.model
    for i in range(1, SAMPLES + 1 if worker.rank == 0 else 1):
        print(f"sample {i:2d}: {sample(model, run.tokenizer, run.rng)}")
    return 0


def engine_for(options: Namespace, worker: Worker) -> EngineType:
    """Load the engine asked for, in the form that several processes need."""
    chosen = {
        name: getattr(options, name)
        for name in TORCH_OPTIONS
        if getattr(options, name) is not None
    }
    if chosen and options.engine != "torch":
        raise UsageError(
            "--device, --precision and --compile are for --engine torch"
        )
    alone: Callable[..., Engine] = load_engine(options.engine)
    if worker.count == 1:
        if options.shard:
            raise UsageError(
                "--shard is for several processes: start them with torchrun"
            )
        return partial(alone, **chosen)
    if options.engine != "torch":
        raise UsageError(
            f"several processes need --engine torch, not {options.engine}"
        )
    together: Callable[..., Engine] = load_engine(
        "sharded" if options.shard else "processes"
    )
    return partial(together, **chosen)


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
        learning_rate=settings["learning_rate"],
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
        (
            run.num_steps,
            run.seed,
            run.batch_size,
            run.learning_rate,
            *sizes,
        ),
        strict=True,
    ):
        given = getattr(options, name)
        if given not in (None, value):
            raise UsageError(
                f"{options.resume} was begun with {flag(name)} {value}"
            )
    return run


def flag(name: str) -> str:
    """Return the option that a setting is given by."""
    return f"--{name.replace('_', '-')}"


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
    run: Run,
    stop: int,
    log: LossLog | None,
    path: str | None,
    save_every: int,
    worker: Worker,
) -> int:
    """Train, log and save; return the number of the signal that ended it, or 0."""
    bar = Progress(run.num_steps, run.step)
    bar.shown &= worker.rank == 0
    with Interruption() as interruption:
        try:
            for loss in run.train(stop):
                if log:
                    log.write(run.step, loss)
                bar.clear()
                line = f"step {run.step:4d} / {run.num_steps:4d} | loss {loss:.4f}"
                print(line, flush=True)
                bar.draw(run.step)
                if agreed(interruption.signal, worker):
                    break
                if path and run.step % save_every == 0:
                    save(path, run, worker)
        except BrokenPipeError:
            if path and worker.count == 1:
                save(path, run, worker)
            raise
        finally:
            bar.clear()
        if path:
            save(path, run, worker)
    return agreed(interruption.signal, worker)


def save(path: str, run: Run, worker: Worker) -> None:
    """Let the first process write what all processes put together."""
    if worker.rank == 0:
        save_run(path, run)
    else:
        run.engine.state()


def agreed(signal: int, worker: Worker) -> int:
    """Return the signal that any of the processes was sent, or 0."""
    if worker.count == 1:
        return signal
    processes = import_module("microgpt.engines.processes")
    with processes.together():
        return int(processes.all_reduce(signal, "max"))
