"""The commands and options of `microgpt`."""

import argparse
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
Command = Callable[[argparse.Namespace], int]
Kinds = dict[str, Callable[[str], float]]
PRECISIONS = ("float64", "float32", "bfloat16")


class Parser(argparse.ArgumentParser):
    """A parser that tells what is wrong in one sentence."""

    def __init__(self, *names: Any, **options: Any) -> None:
        super().__init__(*names, **{"allow_abbrev": False, **options})

    def option(
        self,
        name: str,
        kind: Callable[[str], Any],
        text: str,
        default: Any = None,
    ) -> None:
        """Add an option that takes a number, the name of a file, or text."""
        metavar = METAVARS.get(kind, "N")
        self.add_argument(
            name, type=kind, metavar=metavar, help=text, default=default
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
            message = "a run is one process, which holds the whole model"
        self.exit(
            2, f"microgpt: error: {message} (see {self.prog} --help)\n"
        )


def parser() -> Parser:
    """Describe all commands and options."""
    root = Parser("microgpt", description="A GPT in pure Python.")
    version = f"microgpt {__version__}"
    root.add_argument("--version", action="version", version=version)
    commands = root.add_subparsers(required=True, metavar="COMMAND")

    def command(
        name: str, text: str, run: Command, more: str = ""
    ) -> Parser:
        # Editions of Python break longer usages into lines differently.
        usage = f"%(prog)s [OPTIONS]{more}"
        found = commands.add_parser(
            name, help=text, description=text, usage=usage
        )
        found.set_defaults(command=run)
        return found

    text = "train a model, and let it invent 20 documents"
    train = command("train", text, train_command)
    text = "documents, one per line (default: our names)"
    train.option("--docs", file_name, text)
    text = "what computes it; numpy and torch need the library of that name, c a compiler (default: dot, as taught)"
    train.add_argument(
        "--engine", choices=ENGINES, default="dot", help=text
    )
    text = "for --engine torch: cpu, cuda, mps or another one of PyTorch's, or auto (default: cpu)"
    train.add_argument("--device", metavar="NAME", help=text)
    text = "for --engine torch or c: how exactly it computes (default: float64)"
    train.add_argument("--precision", choices=PRECISIONS, help=text)
    text = "for --engine torch: let PyTorch compile the model first"
    how = "store_const"
    train.add_argument(
        "--compile", dest="compiled", action=how, const=True, help=text
    )
    train.option("--stop-after", positive, "end early, after step N")
    train.option(
        "--losses", file_name, "write every loss to it, as JSON lines"
    )
    text = "save the run, now and then and at its end"
    train.option("--save", file_name, text)
    text = "how often to save: every N steps (default: %(default)s)"
    train.option("--save-every", positive, text, SAVE_EVERY)
    text = "go on with a saved run, on the same --docs"
    train.option("--resume", file_name, text)
    text = "if the file to --resume is not there yet, begin a new run"
    train.add_argument("--or-begin", action="store_true", help=text)
    kinds: Kinds = {"seed": int, "learning_rate": rate}
    for name, (default, meaning) in SETTINGS.items():
        text = f"{meaning} (default: {default})"
        train.option(flag(name), kinds.get(name, positive), text)

    text = "let a saved model invent documents"
    sample = command("sample", text, sample_command)
    text = (
        "what train --save wrote (default: a trained model of the package)"
    )
    sample.option("--model", file_name, text)
    text = f"{MIN_TEMPERATURE} to {MAX_TEMPERATURE} (default: %(default)s)"
    sample.option("--temperature", float, text, 0.5)
    text = "draw from the N likeliest tokens only (default: all)"
    sample.option("--top-k", positive, text)
    text = (
        "draw from the likeliest tokens that have this share (default: all)"
    )
    sample.option("--top-p", rate, text)
    text = "how many to invent (default: %(default)s)"
    sample.option("--count", positive, text, 20)
    sample.option("--prompt", str, "how they begin", "")
    text = "where the random numbers begin (default: %(default)s)"
    sample.option("--seed", int, text, 42)

    text = "show the graph of a formula, with its gradients"
    graph = command("graph", text, graph_command, " EXPRESSION")
    text = 'such as "a = 2; b = 3; (a * b + a).relu() + exp(b / 4)"'
    graph.add_argument("expression", metavar="EXPRESSION", help=text)
    text = "a diagram's source, or a table to read (default: %(default)s)"
    graph.add_argument(
        "--format", choices=FORMATS, default="mermaid", help=text
    )
    return root


def positive(text: str) -> int:
    """Read a whole number of at least 1."""
    if not text.strip().isdecimal() or (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(
            f"expected a whole number of at least 1, got {text!r}"
        )
    return number


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


METAVARS = {file_name: "FILE", float: "T", str: "TEXT"}  # N for the others
