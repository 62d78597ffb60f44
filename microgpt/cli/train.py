"""`microgpt train`: one run from the command line, logged, saved, interrupted."""

import os
import shlex
import sys
from argparse import Namespace
from contextlib import closing, suppress
from pathlib import Path

from microgpt.cli.files import failure_named
from microgpt.cli.interruption import Interruption
from microgpt.cli.loss_log import LossLog
from microgpt.cli.options import check_targets, last_step, run_for
from microgpt.cli.process_group import ProcessGroup
from microgpt.data import load_names
from microgpt.engines.run import Run
from microgpt.sampling import sample

SAVE_EVERY = 100  # steps
SAMPLES = 20
SIGNALLED = 128  # and the number of the signal


def train(options: Namespace) -> int:
    """Begin a run or go on with one; return the exit status.

    Whatever can be wrong with files and options is found before anything is written.
    """
    group = ProcessGroup()
    run = run_for(options, read_names(options.docs), group.count)
    group.check(run)
    stop = last_step(options, run)
    check_targets(options)
    losses = options.losses or os.devnull
    if not group.is_first:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (for good)
        losses = os.devnull
    with closing(LossLog(losses, run.step)) as log:
        describe(run)
        caught = proceed(
            run, stop, log, options.save, options.save_every, group
        )
    if not caught:
        invent(run, SAMPLES if group.is_first else 0)
    elif group.is_first:
        path = options.save
        advice = f"; go on with --resume {path}" if path else ""
        said = f"microgpt: stopped after step {run.step}{advice}"
        print(said, file=sys.stderr)
    group.largest(0)  # wait until every process has come as far
    return SIGNALLED + caught if caught else 0


def read_names(path: str | None) -> list[str]:
    """Read names as `load_names` does; say in a sentence what is wrong."""
    try:
        with failure_named("read", path):
            names = load_names(path)
    except UnicodeDecodeError as error:
        data = error.object
        lines = data[: error.start + 1].splitlines()
        byte = f"0x{data[error.start]:02X}"
        problem = (
            f"is not UTF-8 text: line {len(lines)} has the byte {byte}"
        )
    else:
        odd = next((name for name in names if "\0" in name), None)
        if odd is None:
            return names
        data = Path(path or "").read_bytes()
        problem = f"is not plain text: {odd[:20]!r} has a NUL character"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif b"\0" in data:
        encoding = "utf-16-be" if data.startswith(b"\0") else "utf-16-le"
    else:
        encoding = "windows-1252"
    if not is_text(data, encoding):
        raise ValueError(
            f"{path} {problem}, and no encoding fits: is it text?"
        )
    # Only a POSIX shell knows single quotes; no path of Windows has double ones
    quoted = shlex.quote(str(path)) if os.name == "posix" else f'"{path}"'
    raise ValueError(
        f"{path} {problem}; if it is {encoding}, convert it with: python -c"
        f" \"import sys; open('utf-8.txt', 'x', encoding='utf-8').write("
        f"open(sys.argv[1], encoding='{encoding}').read())\" {quoted}"
    )


def is_text(data: bytes, encoding: str) -> bool:
    """Say whether bytes in an encoding are text."""
    with suppress(UnicodeDecodeError):
        return "\0" not in data.decode(encoding)
    return False


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
    log: LossLog,
    path: str | None,
    save_every: int,
    group: ProcessGroup,
) -> int:
    """Train, log and save; return the number of the signal that ended it, or 0."""
    with Interruption() as interruption:
        for loss in run.train(stop):
            done = f"{run.step:4d} / {run.num_steps:4d}"
            try:
                log.write(run.step, loss)
                print(f"step {done} | loss {loss:.4f}", flush=True)
            except OSError:
                # The reader has left, the terminal is gone, or a disk is full
                if path and group.count == 1:
                    group.save(path, run)
                raise
            if group.largest(interruption.signal):
                break
            if path and run.step % save_every == 0:
                group.save(path, run)
        if path:
            group.save(path, run)
    return group.largest(interruption.signal)


def invent(run: Run, count: int) -> None:
    """Let the model invent documents, and number them."""
    # A model with a reader may be too large to be made of Values
    model = getattr(run.engine, "reader", None) or run.model
    for i in range(1, count + 1):
        print(f"sample {i:2d}: {sample(model, run.tokenizer, run.rng)}")
