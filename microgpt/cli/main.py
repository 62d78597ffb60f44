"""The program `microgpt`: do what was asked for, or say why not."""

import io
import os
import sys
import traceback
from argparse import Namespace
from collections.abc import Sequence

from microgpt.cli.files import notes
from microgpt.cli.options import UsageError
from microgpt.cli.parser import parser
from microgpt.cli.process_group import ProcessGroup
from microgpt.cli.train import SIGNALLED
from microgpt.engines.worker import this_worker

# What a shell reports of any program that a signal has ended
INTERRUPTED = SIGNALLED + 2
READER_LEFT = SIGNALLED + 13


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; return its exit status, or, of several processes, end this one."""
    if (
        sys.stderr is None
    ):  # closed by the caller; errors must not go to the output
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (for good)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    options = parser().parse_args(arguments)
    group = ProcessGroup()
    try:
        status = attempt(options)
    except Exception:
        if group.count == 1:
            raise
        traceback.print_exc()  # all that Python would do, but for tidying up
        status = 1
    return group.end(status)


def attempt(options: Namespace) -> int:
    """Do what was asked for, or say in one sentence why not; return the status."""
    try:
        status: int = options.command(options)
        # To nowhere, if the caller has closed the stream
        print(end="", flush=True)
        return status
    except KeyboardInterrupt as error:
        said = "; ".join(["microgpt: interrupted", *notes(error)])
        print(said, file=sys.stderr)
        discard_output()
        return INTERRUPTED
    except BrokenPipeError:
        discard_output()
        return READER_LEFT
    except (ValueError, ArithmeticError, MemoryError, OSError) as error:
        if this_worker().local_rank == 0:  # one sentence is enough
            said = "; ".join([reason(error), *notes(error)])
            print(f"microgpt: error: {said}", file=sys.stderr)
        discard_output()
        return 2 if isinstance(error, UsageError) else 1


def reason(error: Exception) -> str:
    """Return what went wrong in the words of a sentence."""
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    if isinstance(error, FloatingPointError):
        return f"{error}: begin a new run with a smaller --learning-rate"
    if isinstance(error, OverflowError):
        return "a number became too large to compute with"
    if isinstance(error, ZeroDivisionError):
        return "a number was divided by zero"
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror}"
    return str(error)


def discard_output() -> None:
    """Keep Python from failing once more on output that it could not write."""
    try:
        print(end="", flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
