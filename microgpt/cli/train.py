"""`microgpt train`: train, log the losses, save, and stop when asked to."""

import os
import sys
from argparse import Namespace
from contextlib import closing, suppress
from signal import Signals

from microgpt.checkpoint import CheckpointError, save_run
from microgpt.cli.interruption import DeferredSignals
from microgpt.cli.loss_log import LossLog
from microgpt.cli.options import (
    DEFAULT_SAMPLE_COUNT,
    UsageError,
    check_output_files,
    last_step,
    refuse_to_replace_foreign_file,
    start_or_resume_run,
)
from microgpt.cli.progress import Progress
from microgpt.data import load_names
from microgpt.engines.run import Run
from microgpt.files import os_errors_as
from microgpt.sampling import sample

SIGNAL_EXIT_STATUS_BASE = 128  # and the number of the signal


def train_command(options: Namespace) -> int:
    """Train a new or a saved run, and print samples; return the exit status.

    Mistakes in options and files are found before anything is written.
    """
    if "TORCHELASTIC_RUN_ID" in os.environ:
        raise UsageError(
            "microgpt train is one process: start it without torchrun"
        )
    run = start_or_resume_run(options, read_names(options.docs))
    stop = last_step(options, run)
    check_output_files(options)
    with closing(
        LossLog(options.losses or os.devnull, run.steps_taken)
    ) as log:
        print_dataset_and_model_size(run)
        signal = train_and_save(
            run, stop, log, options.save, options.save_every
        )
    if signal:
        path = options.save
        advice = f"; go on with --resume {path}" if path else ""
        stopped = f"microgpt: stopped after step {run.steps_taken}{advice}"
        print(stopped, file=sys.stderr)
        return SIGNAL_EXIT_STATUS_BASE + signal
    # A model of PyTorch may be too large to be made of Values
    model = getattr(run.engine, "inference_model", None) or run.model
    for i in range(1, DEFAULT_SAMPLE_COUNT + 1):
        print(f"sample {i:2d}: {sample(model, run.tokenizer, run.rng)}")
    return 0


def read_names(path: str | None) -> list[str]:
    """Read names as `load_names` does, but explain a wrong encoding."""
    try:
        with os_errors_as("read", path):
            names = load_names(path)
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        byte = f"0x{error.object[error.start]:02X}"
        raise ValueError(
            f"{path} is not UTF-8 text: line {line} has the byte {byte};"
            " save it as UTF-8 in a text editor"
        ) from None
    if any("\0" in name for name in names):
        raise ValueError(
            f"{path} has NUL characters; save it as UTF-8 in a text editor"
        )
    return names


def print_dataset_and_model_size(run: Run) -> None:
    """Print how many documents, kinds of tokens and parameters there are."""
    context = run.config.block_size
    cut = sum(len(document) >= context for document in run.documents)
    print(
        f"{len(run.documents)} documents | vocabulary {run.tokenizer.vocab_size}"
        f" | {run.config.num_parameters} parameters"
    )
    if cut:
        print(
            f"{cut} of them are longer than --context {context} and are cut"
        )


def train_and_save(
    run: Run, stop: int, log: LossLog, path: str | None, save_every: int
) -> Signals | None:
    """Take the steps up to `stop`, saving to `path` if there is one.

    Returns:
        The signal that ended it early, or None.
    """
    with (
        DeferredSignals() as signals,
        Progress(run.steps_taken, run.num_steps, stop) as progress,
    ):
        for loss in run.train(stop):
            try:
                log.write(run.steps_taken, loss)
                progress.report_step(run.steps_taken, loss)
            except OSError:
                # The reader has left, the terminal is gone, or a disk is full
                save_checkpoint_or_copy(path, run)
                raise
            if signals.received:
                break
            if run.steps_taken % save_every == 0:
                save_checkpoint_or_copy(path, run)
        save_checkpoint_or_copy(path, run)
    return signals.received


def save_checkpoint_or_copy(path: str | None, run: Run) -> None:
    """Save a run, if there is a path to save to.

    If the path now has a file of another program, or cannot be written, save the run
    beside it, and raise CheckpointError or OSError.
    """
    if not path:
        return
    try:
        refuse_to_replace_foreign_file(path)
        save_run(path, run)
    except (CheckpointError, OSError) as error:
        copy_path = f"{path.rstrip(os.sep)}-step-{run.steps_taken}"
        with suppress(OSError):
            save_run(copy_path, run)
            error.add_note(f"the run is saved as {copy_path}")
        raise
