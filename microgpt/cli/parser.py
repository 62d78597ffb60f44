"""The commands and options of `microgpt`."""

import argparse
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

from microgpt import __version__
from microgpt.cli.commands import (
    FORMATS,
    MAX_TEMPERATURE,
    MIN_TEMPERATURE,
    graph_command,
    sample_command,
)
from microgpt.cli.options import SETTINGS, flag
from microgpt.cli.train import SAVE_EVERY, train_command
from microgpt.engines import ENGINES

MAX_MESSAGE = 300  # characters of a message that repeats what was typed
PRECISIONS = ("float64", "float32", "bfloat16")


class Parser(argparse.ArgumentParser):
    """A parser that tells what is wrong in one sentence."""

    def __init__(self, *names: Any, **options: Any) -> None:
        super().__init__(*names, **{"allow_abbrev": False, **options})

    def parse_known_args(
        self, args: Any = None, namespace: Any = None
    ) -> Any:
        """Refuse `--save=--`, which Python 3.11 takes for no value at all."""
        for typed in sys.argv[1:] if args is None else args:
            if typed.startswith("--") and typed.endswith("=--"):
                self.error(f"expected a value after {typed[:-2]}, got '--'")
        return super().parse_known_args(args, namespace)

    def file(self, name: str, text: str) -> None:
        """Add an option that names a file."""
        self.add_argument(name, type=file_name, metavar="FILE", help=text)

    def number(
        self,
        name: str,
        text: str,
        kind: Callable[[str], float],
        default: float | None = None,
    ) -> None:
        """Add an option that takes a number."""
        self.add_argument(
            name, type=kind, metavar="N", help=text, default=default
        )

    def error(self, message: str) -> NoReturn:
        """Exit with status 2."""
        if len(message) > MAX_MESSAGE:
            message = f"{message[:MAX_MESSAGE]}…"
        if message.endswith("expected one argument"):
            option = message.split()[1].rstrip(":")
            message += f"; if it begins with a dash, type {option}=-…"
        elif message.endswith("required: EXPRESSION"):
            message += "; if it begins with a dash, type -- before it"
        elif message == "unrecognized arguments: --shard":
            message = "to shard a model, train with snippets/processes.py"
        self.exit(
            2, f"microgpt: error: {message} (see {self.prog} --help)\n"
        )


def parser() -> Parser:
    """Describe all commands and options."""
    root = Parser("microgpt", description="A GPT in pure Python.")
    version = f"microgpt {__version__}"
    root.add_argument("--version", action="version", version=version)
    commands = root.add_subparsers(required=True, metavar="COMMAND")

    text = "train a model, and let it invent 20 documents"
    # Editions of Python break longer usages into lines differently.
    usage = "%(prog)s [OPTIONS]"
    train = commands.add_parser(
        "train", help=text, description=text, usage=usage
    )
    train.set_defaults(command=train_command)
    train.file("--docs", "documents, one per line (default: our names)")
    text = "what computes it; numpy and torch need the library of that name, c a compiler (default: dot, as taught)"
    train.add_argument(
        "--engine", choices=ENGINES, default="dot", help=text
    )
    text = "for --engine torch: cpu, cuda, mps or another one of PyTorch's, or auto (default: cpu)"
    train.add_argument("--device", metavar="NAME", help=text)
    text = "for --engine torch or c: how exactly it computes (default: float64)"
    train.add_argument("--precision", choices=PRECISIONS, help=text)
    text = "for --engine torch: let PyTorch compile the model first"
    train.add_argument(
        "--compile",
        dest="compiled",
        action="store_const",
        const=True,
        help=text,
    )
    train.number("--stop-after", "end early, after step N", positive)
    train.file("--losses", "write every loss to it, as JSON lines")
    train.file("--save", "save the run, now and then and at its end")
    text = "how often to save: every N steps (default: %(default)s)"
    train.number("--save-every", text, positive, SAVE_EVERY)
    train.file("--resume", "go on with a saved run, on the same --docs")
    text = "if the file to --resume is not there yet, begin a new run"
    train.add_argument("--or-begin", action="store_true", help=text)
    kinds: dict[str, Callable[[str], float]] = {
        "seed": int,
        "learning_rate": rate,
    }
    for name, (default, meaning) in SETTINGS.items():
        text = f"{meaning} (default: {default})"
        train.number(flag(name), text, kinds.get(name, positive))

    text = "let a saved model invent documents"
    sample = commands.add_parser(
        "sample", help=text, description=text, usage=usage
    )
    sample.set_defaults(command=sample_command)
    sample.file(
        "--model",
        "what train --save wrote (default: a trained model of the package)",
    )
    sample.add_argument(
        "--temperature",
        type=float,
        default=0.5,
        metavar="T",
        help=f"{MIN_TEMPERATURE} to {MAX_TEMPERATURE} (default: %(default)s)",
    )
    text = "how many to invent (default: %(default)s)"
    sample.number("--count", text, positive, 20)
    text = "how they begin"
    sample.add_argument("--prompt", default="", metavar="TEXT", help=text)
    text = "where the random numbers begin (default: %(default)s)"
    sample.number("--seed", text, int, 42)

    text = "show the graph of a formula, with its gradients"
    graph = commands.add_parser(
        "graph", help=text, description=text, usage=f"{usage} EXPRESSION"
    )
    graph.set_defaults(command=graph_command)
    text = 'such as "a = 2; b = 3; (a * b + a).relu() + exp(b / 4)"'
    graph.add_argument("expression", metavar="EXPRESSION", help=text)
    graph.add_argument(
        "--format",
        choices=FORMATS,
        default="mermaid",
        help="a diagram's source, or a table to read (default: %(default)s)",
    )

    return root


def positive(text: str) -> int:
    """Read a whole number of at least 1."""
    digits = text.strip()
    if len(digits) > 18 and digits.isdecimal():
        raise argparse.ArgumentTypeError(f"{digits[:18]}… is too large")
    if not digits.isdecimal() or int(digits) < 1:
        raise argparse.ArgumentTypeError(
            f"expected a whole number of at least 1, got {text!r}"
        )
    return int(digits)


def rate(text: str) -> float:
    """Read a number above 0 and at most 1."""
    with suppress(ValueError):
        if 0 < float(text) <= 1:
            return float(text)
    raise argparse.ArgumentTypeError(
        f"expected a number above 0 and at most 1, got {text!r}"
    )


def file_name(text: str) -> str:
    """Read the name of a file: an empty one is a variable that was never set."""
    if not text:
        raise argparse.ArgumentTypeError("the name of a file is empty")
    return text
