"""`microgpt train`: one run from the command line, logged, saved, interrupted."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from contextlib import closing, nullcontext

from microgpt.data import load_names
from microgpt.interruption import Interruption
from microgpt.losses import LossLog
from microgpt.options import check_targets, last_step, run_for
from microgpt.progress import Progress
from microgpt.sampling import sample
from microgpt.team import Team
from microgpt.training import Run
from microgpt.worker import this_worker

SAVE_EVERY = 100  # steps
SAMPLES = 20
SIGNALLED = 128  # and the number of the signal


def train(options: Namespace) -> int:
    """Begin a run or go on with one; return the exit status.

    Whatever can be wrong with files and options is found before anything is written.
    """
    team = Team(this_worker())
    run = run_for(options, load_names(options.docs), team.count)
    team.check(run)
    stop = last_step(options, run)
    check_targets(options)
    log = None
    if not team.is_first:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (for good)
    elif options.losses:
        log = LossLog(options.losses, run.step)
    describe(run)
    with closing(log) if log else nullcontext():
        caught = proceed(
            run, stop, log, options.save, options.save_every, team
        )
    if caught:
        advice = f"; go on with --resume {options.save}"
        if team.is_first:
            print(
                f"microgpt: stopped after step {run.step}"
                f"{advice if options.save else ''}",
                file=sys.stderr,
            )
    else:
        invent(run, SAMPLES if team.is_first else 0)
    team.wait()
    return SIGNALLED + caught if caught else 0


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
    team: Team,
) -> int:
    """Train, log and save; return the number of the signal that ended it, or 0."""
    bar = Progress(run.num_steps, run.step)
    bar.shown &= team.is_first
    with Interruption() as interruption:
        try:
            for loss in run.train(stop):
                if log:
                    log.write(run.step, loss)
                bar.clear()
                line = f"step {run.step:4d} / {run.num_steps:4d} | loss {loss:.4f}"
                print(line, flush=True)
                bar.draw(run.step)
                if team.largest(interruption.signal):
                    break
                if path and run.step % save_every == 0:
                    team.save(path, run)
        except BrokenPipeError:
            if path and team.count == 1:
                team.save(path, run)
            raise
        finally:
            bar.clear()
        if path:
            team.save(path, run)
    return team.largest(interruption.signal)


def invent(run: Run, count: int) -> None:
    """Let the model invent documents, and number them."""
    # A model with a reader may be too large to be made of Values
    model = getattr(run.engine, "reader", None) or run.model
    for i in range(1, count + 1):
        print(f"sample {i:2d}: {sample(model, run.tokenizer, run.rng)}")
