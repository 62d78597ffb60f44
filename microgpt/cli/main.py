"""The program `microgpt`: do what was asked for, or say why not."""

import io
import os
import sys
from argparse import Namespace
from collections.abc import Sequence

from microgpt.cli.options import UsageError
from microgpt.cli.parser import parse_command_line
from microgpt.cli.train import SIGNAL_EXIT_BASE

# What a shell reports of any program that a signal has ended
INTERRUPTED = SIGNAL_EXIT_BASE + 2
READER_LEFT = SIGNAL_EXIT_BASE + 13


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; return its exit status."""
    if sys.stderr is None:  # closed; errors must not go to the output
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (for good)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return run_command(parse_command_line(arguments))


def run_command(options: Namespace) -> int:
    """Run a command, or say in one sentence why not; return the status."""
    try:
        status: int = options.run(options)
        # To nowhere, if the caller has closed the stream
        print(end="", flush=True)
        return status
    except BrokenPipeError:
        reason, status = None, READER_LEFT
    except KeyboardInterrupt:
        reason, status = "interrupted", INTERRUPTED
    except (ValueError, ArithmeticError, MemoryError, OSError) as error:
        reason = "; ".join(
            [
                f"error: {reason_for(error)}",
                *getattr(error, "__notes__", []),
            ]
        )
        status = 2 if isinstance(error, UsageError) else 1
    if reason:
        print(f"microgpt: {reason}", file=sys.stderr)
    try:
        print(end="", flush=True)
    except OSError:  # or Python fails once more on what it cannot write
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def reason_for(error: Exception) -> str:
    """Return what went wrong in the words of a sentence."""
    match error:
        case MemoryError():
            return (
                "there is not enough memory: try a smaller model or --batch"
            )
        case OverflowError():
            return "a number became too large to compute with"
        case OSError(strerror=str(reason)):
            named = f"{error.filename}: " if error.filename else ""
            return f"{named}{reason}"
    return str(error)
