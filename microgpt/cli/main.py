"""The program `microgpt`: run a command, and turn errors into messages."""

import io
import os
import sys
from argparse import Namespace
from collections.abc import Sequence

from microgpt.cli.options import UsageError
from microgpt.cli.parser import parse_command_line
from microgpt.cli.train import SIGNAL_EXIT_STATUS_BASE

# What a shell reports of a program that SIGINT or SIGPIPE has ended
INTERRUPTED_EXIT_STATUS = SIGNAL_EXIT_STATUS_BASE + 2
BROKEN_PIPE_EXIT_STATUS = SIGNAL_EXIT_STATUS_BASE + 13


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program, and return its exit status."""
    if sys.stderr is None:  # closed; errors must not go to the output
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (for good)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return run_command(parse_command_line(arguments))


def run_command(options: Namespace) -> int:
    """Run a command, print its error if it fails, and return the exit status."""
    try:
        status: int = options.run(options)
        # If the caller has closed the output, this writes nothing
        print(end="", flush=True)
        return status
    except BrokenPipeError:
        reason, status = None, BROKEN_PIPE_EXIT_STATUS
    except KeyboardInterrupt:
        reason, status = "interrupted", INTERRUPTED_EXIT_STATUS
    except (ValueError, ArithmeticError, MemoryError, OSError) as error:
        notes = getattr(error, "__notes__", [])
        reason = "; ".join([f"error: {describe_error(error)}", *notes])
        status = 2 if isinstance(error, UsageError) else 1
    if reason:
        print(f"microgpt: {reason}", file=sys.stderr)
    try:
        print(end="", flush=True)
    except OSError:  # or Python fails once more on what it cannot write
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def describe_error(error: Exception) -> str:
    """Return the message of an error, in place of Python's own where that is cryptic."""
    match error:
        case MemoryError():
            return (
                "there is not enough memory: try a smaller model or --batch"
            )
        case OverflowError():
            return "a number is too large: try smaller ones"
        case OSError(strerror=str(reason)):
            prefix = f"{error.filename}: " if error.filename else ""
            return f"{prefix}{reason}"
    return str(error)
