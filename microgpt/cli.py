"""The command line: what can be asked for, and how a failure is told."""

from __future__ import annotations

import argparse
import io
import os
import random
import sys
import traceback
from argparse import Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.resources import files
from typing import NoReturn

from microgpt import __version__, download, session
from microgpt.checkpoint import load_model
from microgpt.data import load_names
from microgpt.engine import model_of
from microgpt.engines import ENGINES, load_engine
from microgpt.expression import evaluate
from microgpt.graph import mermaid, table
from microgpt.model import GPT, Config
from microgpt.options import SETTINGS, UsageError, flag
from microgpt.progress import Progress
from microgpt.sampling import sample
from microgpt.team import Team
from microgpt.worker import this_worker

PRECISIONS = ("float64", "float32", "bfloat16")
FORMATS = {"mermaid": mermaid, "text": table}
# What a shell reports of any program that a signal has ended
INTERRUPTED = session.SIGNALLED + 2
READER_LEFT = session.SIGNALLED + 13


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; return its exit status, or, of several processes, end this one."""
    open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    options = parser().parse_args(arguments)
    team = Team(this_worker())
    try:
        status = attempt(options)
    except Exception:
        if team.count == 1:
            raise
        traceback.print_exc()  # all that Python would do, but for tidying up
        status = 1
    return team.end(status)


def attempt(options: Namespace) -> int:
    """Do what was asked for, or say in one sentence why not; return the status."""
    try:
        status: int = options.command(options)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("microgpt: interrupted", file=sys.stderr)
        discard_output()
        return INTERRUPTED
    except BrokenPipeError:
        discard_output()
        return READER_LEFT
    except (ValueError, ArithmeticError, MemoryError, OSError) as error:
        if this_worker().local_rank == 0:  # one sentence is enough
            print(f"microgpt: error: {reason(error)}", file=sys.stderr)
        discard_output()
        return 2 if isinstance(error, UsageError) else 1


def open_closed_streams() -> None:
    """Write to nowhere what was to go where the caller has closed the stream."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (for good)
            setattr(sys, name, nowhere)


def reason(error: Exception) -> str:
    """Return what went wrong in the words of a sentence."""
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    if isinstance(error, ArithmeticError):
        return "a number became too large to compute with"
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror}"
    return str(error)


def discard_output() -> None:
    """Keep Python from failing once more on output that it could not write."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def invent(options: Namespace) -> int:
    """`microgpt sample`: print documents that a saved model invents."""
    build: Callable[[Config, Sequence[float]], GPT] = model_of
    if options.engine == "torch":
        load_engine("torch")  # or say what to install
        build = import_module("microgpt.engines.reader").Reader
    model, tokenizer = load_model(options.model, build)
    rng = random.Random(options.seed)
    for _ in range(options.count):
        print(
            sample(
                model,
                tokenizer,
                rng,
                options.temperature,
                options.prompt,
            )
        )
    return 0


def show_graph(options: Namespace) -> int:
    """`microgpt graph`: show the graph of an expression, with its gradients."""
    value, names = evaluate(options.expression)
    value.backward()
    print(FORMATS[options.format](value, names))
    return 0


def show_names(options: Namespace) -> int:
    """`microgpt names`: print the path of a dataset, and tell about it."""
    path = str(files("microgpt") / "names.txt")
    if options.download:
        bar = Progress(download.SIZE)
        try:
            path = str(
                download.download_names(options.url, report=bar.draw)
            )
        finally:
            bar.clear()
    found = load_names(path)
    letters = sorted(set("".join(found)))
    print(
        f"{len(found):,} names, {len(set(found)):,} of them different; "
        f"{len(letters)} characters; the longest has {max(map(len, found))}",
        file=sys.stderr,
    )
    print(path)
    return 0


def parser() -> argparse.ArgumentParser:
    """Describe all commands and options."""
    root = Parser(
        "microgpt",
        description="A GPT in pure Python.",
        allow_abbrev=False,
    )
    version = f"microgpt {__version__}"
    root.add_argument("--version", action="version", version=version)
    commands = root.add_subparsers(required=True, metavar="COMMAND")

    text = "train a model, and let it invent 20 documents"
    train = commands.add_parser("train", help=text, description=text)
    train.set_defaults(command=session.train)
    option = train.add_argument
    option(
        "--docs",
        type=file_name,
        metavar="FILE",
        help="documents, one per line (default: our names)",
    )
    option(
        "--engine",
        choices=ENGINES,
        default="dot",
        help="what computes it; numpy and torch need a library of that name (default: dot, as taught)",
    )
    option(
        "--device",
        metavar="NAME",
        help="for --engine torch: cpu, cuda, mps or another one of PyTorch's, or auto (default: cpu)",
    )
    option(
        "--precision",
        choices=PRECISIONS,
        help="for --engine torch: how exactly it computes (default: float64)",
    )
    option(
        "--compile",
        dest="compiled",
        action="store_true",
        default=None,
        help="for --engine torch: let PyTorch compile the model first",
    )
    option(
        "--stop-after",
        type=positive,
        metavar="N",
        help="end early, after step N",
    )
    option(
        "--losses",
        type=file_name,
        metavar="FILE",
        help="write every loss to it, as JSON lines",
    )
    option(
        "--save",
        type=file_name,
        metavar="FILE",
        help="save the run, now and then and at its end",
    )
    option(
        "--save-every",
        type=positive,
        default=session.SAVE_EVERY,
        metavar="N",
        help="how often to save: every N steps (default: %(default)s)",
    )
    option(
        "--resume",
        type=file_name,
        metavar="FILE",
        help="go on with a saved run, on the same --docs",
    )
    option(
        "--or-begin",
        action="store_true",
        help="if the file to --resume is not there yet, begin a new run",
    )
    option(
        "--shard",
        action="store_true",
        help="cut the model in parts, one for each process of torchrun",
    )
    kinds: dict[str, Callable[[str], float]] = {
        "seed": int,
        "learning_rate": rate,
    }
    for name, (default, text) in SETTINGS.items():
        option(
            flag(name),
            type=kinds.get(name, positive),
            metavar="N",
            help=f"{text} (default: {default})",
        )

    text = "let a saved model invent documents"
    sample = commands.add_parser("sample", help=text, description=text)
    sample.set_defaults(command=invent)
    option = sample.add_argument
    option(
        "--model",
        type=file_name,
        metavar="FILE",
        help="what train --save wrote (default: a trained model of the package)",
    )
    option(
        "--engine",
        choices=("dot", "torch"),
        default="dot",
        help="torch computes large models sooner (default: dot, as taught)",
    )
    option(
        "--temperature",
        type=float,
        default=0.5,
        metavar="T",
        help="0.001 to 1000",
    )
    option(
        "--count",
        type=positive,
        default=20,
        metavar="N",
        help="how many",
    )
    option("--prompt", default="", metavar="TEXT", help="how they begin")
    option(
        "--seed",
        type=int,
        default=42,
        metavar="N",
        help="for other ones",
    )

    text = "show the graph of a formula, with its gradients"
    graph = commands.add_parser("graph", help=text, description=text)
    graph.set_defaults(command=show_graph)
    text = 'such as "a = 2; b = 3; (a * b + a).relu() + exp(b / 4)"'
    graph.add_argument("expression", metavar="EXPRESSION", help=text)
    graph.add_argument(
        "--format",
        choices=FORMATS,
        default="mermaid",
        help="a diagram's source, or a table to read (default: %(default)s)",
    )

    text = "print the path of the names that ship with microgpt"
    names = commands.add_parser("names", help=text, description=text)
    names.set_defaults(command=show_names)
    text = "fetch the 32,033 names of the original, once, and print their path for --docs"
    names.add_argument("--download", action="store_true", help=text)
    text = "another place where the same file is to be had"
    names.add_argument("--url", default=download.URL, help=text)
    return root


class Parser(argparse.ArgumentParser):
    """A parser that tells what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Exit with status 2."""
        if this_worker().local_rank:
            self.exit(2)
        self.exit(
            2, f"microgpt: error: {message} (see {self.prog} --help)\n"
        )


def positive(text: str) -> int:
    """Read a whole number of at least 1."""
    digits = text.strip()
    if digits.isdecimal() and len(digits) > 18:
        raise argparse.ArgumentTypeError(f"{digits[:18]}… is too large")
    if not digits.isdecimal() or int(digits) < 1:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no whole number of at least 1"
        )
    return int(digits)


def rate(text: str) -> float:
    """Read a number above 0 and at most 1."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= 1:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no number above 0 and at most 1"
        )
    return number


def file_name(text: str) -> str:
    """Read the name of a file: an empty one is a variable that was never set."""
    if not text:
        raise argparse.ArgumentTypeError("the name of a file is empty")
    return text
