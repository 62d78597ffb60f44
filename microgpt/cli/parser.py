"""The commands and options of `microgpt`, and what is said of wrong ones."""

import argparse
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from microgpt import __version__
from microgpt.cli.commands import (
    GRAPH_FORMATS,
    graph_command,
    sample_command,
)
from microgpt.cli.options import DEFAULT_TRAIN_OPTIONS
from microgpt.cli.train import (
    DEFAULT_STEPS_BETWEEN_SAVES,
    SAMPLES_AFTER_TRAINING,
    train_command,
)
from microgpt.cli.values import (
    MAX_TEMPERATURE,
    MIN_TEMPERATURE,
    join_names,
    make_choice_parser,
    make_range_parser,
    parse_file_name,
    parse_fraction,
    parse_integer,
    parse_positive_integer,
)
from microgpt.engines import ENGINE_NAMES

MAX_MESSAGE_CHARACTERS = (
    300  # characters of a message that repeats what was typed
)
COMMAND_DESCRIPTIONS = {
    "train": "train a model and print samples from it",
    "sample": "print documents that a trained model invents",
    "graph": "show the graph of an expression, with its gradients",
}
PRECISION_NAMES = ("float64", "float32", "bfloat16")
GPU_NAMES_TRIED_AS_ENGINE = ("gpu", "cuda", "mps")
GPU_HINT = "to use a GPU, type --engine torch --device auto"


class Parser(argparse.ArgumentParser):
    """A parser of options that reports a mistake in one sentence.

    Attributes:
        canonical_names: For each name that an option goes by, the one in the help.
        hints: For options of other programs, what to type instead.
        argument_hint: What to type in place of an argument that no option takes.
    """

    def __init__(self, *names: Any, **settings: Any) -> None:
        settings |= {
            "allow_abbrev": False,
            "formatter_class": argparse.RawDescriptionHelpFormatter,
        }
        super().__init__(*names, **settings)
        self.groups: dict[str, Any] = {}
        self.canonical_names: dict[str, str] = {}
        self.hints: dict[str, str] = {}
        self.argument_hint = ""

    def add_option(
        self, group: str, name: str, *aliases: str, **settings: Any
    ) -> None:
        """Add an option, which may be typed with _ for - too.

        Args:
            group: The title in the help that it stands under.
            name: The name in the help, such as `--learning-rate`.
            aliases: More names, which the help leaves out.
            settings: Keyword arguments of `ArgumentParser.add_argument`.
        """
        if group not in self.groups:
            self.groups[group] = self.add_argument_group(group)
        section = self.groups[group]
        shown = section.add_argument(name, **settings)
        typed = [name, *aliases]
        typed += [f"--{x[2:].replace('-', '_')}" for x in typed]
        self.canonical_names |= dict.fromkeys(typed, name)
        hidden = {"dest": shown.dest, "help": argparse.SUPPRESS}
        settings |= hidden | {"default": argparse.SUPPRESS}
        for alias in dict.fromkeys(typed[1:]):
            if alias != name:
                section.add_argument(alias, **settings)

    def error(self, message: str) -> NoReturn:
        """Print a message of argparse in the words of this program, and exit."""
        message = message.removeprefix("argument ")
        option, _, problem = message.partition(": ")
        if problem == "expected one argument":
            message = (
                f"{option}: expected a value after it;"
                f" if that begins with a dash, type {option}=-…"
            )
        elif problem.startswith("ignored explicit argument"):
            message = (
                f"{option}: expected no value, got {problem.split()[-1]}"
            )
        elif message.endswith("required: EXPRESSION"):
            message = (
                'expected an expression, such as "a = 2; a * 3";'
                " if it begins with a dash, type -- before it"
            )
        if len(message) > MAX_MESSAGE_CHARACTERS:
            message = f"{message[:MAX_MESSAGE_CHARACTERS]}…"
        self.exit(
            2, f"microgpt: error: {message} (see {self.prog} --help)\n"
        )

    def reject_unknown(self, unknown: Sequence[str]) -> NoReturn:
        """Exit, and say what to type in place of the first unknown option.

        Args:
            unknown: The arguments that no option takes.
        """
        options = [word for word in unknown if word.startswith("-")]
        if not options:
            self.error(
                f"unexpected argument {unknown[0]!r}; {self.argument_hint}"
            )
        name = options[0].partition("=")[0]
        shown = name if name.isprintable() else ascii(name)
        message = f"unrecognized option {shown}"
        if advice := self.hints.get(name.replace("_", "-")):
            message += f"; {advice}"
        elif similar := self.find_similar_option(name):
            message += f"; did you mean {similar}?"
        self.error(message)

    def find_similar_option(self, name: str) -> str | None:
        """Return the option that a person most likely meant, or None."""
        word = name.lower().strip("-").replace("_", "-")
        known = {
            name.strip("-"): shown
            for name, shown in self.canonical_names.items()
        }
        similar = [each for each in known if word in each.split("-")]
        if len(word) > 1:
            similar += [each for each in known if each.startswith(word)]
        similar += get_close_matches(word, known, 1, 0.7)
        return known[similar[0]] if similar else None


def parse_command_line(
    arguments: Sequence[str] | None = None,
) -> argparse.Namespace:
    """Parse what was typed, or exit with a sentence and status 2.

    Args:
        arguments: The words after `microgpt`; those of this process by default.

    Returns:
        The values of all options; `run`, the function of the command, takes them.
    """
    if arguments is None:
        arguments = sys.argv[1:]
    root = build_parser()
    words = (word for word in arguments if not word.startswith("-"))
    name = next(words, None)
    commands = join_names(tuple(COMMAND_DESCRIPTIONS))
    if name is not None and name not in COMMAND_DESCRIPTIONS:
        close = get_close_matches(name, COMMAND_DESCRIPTIONS, 1)
        hint = f"; did you mean {close[0]}?" if close else ""
        root.error(f"expected the command {commands}, got {name!r}{hint}")
    options, unknown = root.parse_known_args(arguments)
    if name is None:
        root.error(f"expected a command: {commands}")
    if unknown:
        options.parser.reject_unknown(unknown)
    return options


def build_parser() -> Parser:
    """Return the parser of the program, with its commands and their options."""
    width = max(map(len, COMMAND_DESCRIPTIONS))
    rows = (
        f"  {name:{width}}  {does}"
        for name, does in COMMAND_DESCRIPTIONS.items()
    )
    root = Parser(
        "microgpt",
        usage="microgpt COMMAND [OPTIONS]",
        description="\n".join(
            ["A GPT in pure Python.", "", "commands:", *rows]
        ),
        epilog="""\
examples:
  microgpt sample --prompt ma
  microgpt train --steps 200 --save model.json
  microgpt sample --model model.json
  microgpt graph "a = 2; b = 3; a * b + a"

microgpt COMMAND --help describes the options of a command.""",
    )
    root.add_argument(
        "--version",
        action="version",
        version=f"microgpt {__version__}",
        help="show the version and exit",
    )
    # Listed above: argparse itself would take three lines more
    commands = root.add_subparsers(prog="microgpt", help=argparse.SUPPRESS)
    parsers = []
    for name, describe in (
        ("train", add_train_options),
        ("sample", add_sample_options),
        ("graph", add_graph_options),
    ):
        does = COMMAND_DESCRIPTIONS[name]
        its_parser = commands.add_parser(
            name, description=f"{does[0].upper()}{does[1:]}."
        )
        describe(its_parser)
        its_parser.set_defaults(parser=its_parser)
        parsers.append(its_parser)
    for its_parser in parsers:
        others = {
            name: f"it is an option of {other.prog}"
            for other in parsers
            for name in other.canonical_names
            if name not in its_parser.canonical_names
        }
        its_parser.hints = others | its_parser.hints
    return root


def add_train_options(train: Parser) -> None:
    """Describe the options of `microgpt train`."""
    train.set_defaults(run=train_command)
    # Editions of Python break longer usages into lines differently
    train.usage = "microgpt train [OPTIONS]"
    train.add_option(
        "data",
        "--docs",
        *("--data", "--dataset"),
        type=parse_file_name,
        metavar="FILE",
        help="documents to learn from, one per line, as UTF-8 text"
        " (default: names that come with microgpt)",
    )

    def add_setting(
        group: str,
        name: str,
        *aliases: str,
        text: str,
        type: Callable[[str], float] = parse_positive_integer,
    ) -> None:
        """Add an option for a key of DEFAULT_TRAIN_OPTIONS."""
        setting = name.removeprefix("--").replace("-", "_")
        about = f"{text} (default: {DEFAULT_TRAIN_OPTIONS[setting]})"
        train.add_option(
            group, name, *aliases, type=type, metavar="N", help=about
        )

    add_setting(
        *("model", "--layers", "--n-layer", "--n-layers", "--num-layers"),
        text="transformer layers",
    )
    add_setting(
        *("model", "--heads", "--n-head", "--n-heads", "--num-heads"),
        text="attention heads in each layer",
    )
    add_setting(
        *("model", "--width", "--n-embd", "--d-model", "--hidden-size"),
        text="numbers in the vector of a token, a multiple of --heads",
    )
    add_setting(
        *("model", "--context", "--block-size", "--context-length"),
        text="tokens that the model reads at most; longer documents are cut",
    )
    add_setting(
        *(
            "training",
            "--steps",
            "--max-steps",
            "--max-iters",
            "--num-steps",
        ),
        text="training steps; each moves all weights once",
    )
    add_setting(
        *("training", "--batch", "--batch-size"),
        text="documents per step",
    )
    add_setting(
        *("training", "--learning-rate", "--lr"),
        type=parse_fraction,
        text="learning rate of the first step, at most 1; it falls to 0"
        " in equal steps",
    )
    add_setting(
        *("training", "--seed"),
        type=parse_integer,
        text="seed of the random numbers",
    )
    train.add_option(
        "training",
        "--stop-after",
        type=parse_positive_integer,
        metavar="N",
        help="stop early, after step N; --resume can go on from there"
        " (default: the last step)",
    )
    train.add_option(
        "computation",
        "--engine",
        type=make_choice_parser(
            *ENGINE_NAMES,
            **dict.fromkeys(GPU_NAMES_TRIED_AS_ENGINE, GPU_HINT),
        ),
        metavar="NAME",
        default="dot",
        help="what computes: value, dot or lists, in pure Python; numpy or"
        " torch, with that library; c, with a C compiler (default: dot)",
    )
    train.add_option(
        "computation",
        "--device",
        metavar="NAME",
        help="where torch computes: cpu, cuda, mps or another of PyTorch's,"
        " or auto, a GPU if there is one (default: cpu)",
    )
    train.add_option(
        "computation",
        "--precision",
        "--dtype",
        type=make_choice_parser(*PRECISION_NAMES),
        metavar="NAME",
        help="numbers that torch or c computes with: float64, float32 or,"
        " with torch, bfloat16 (default: float64)",
    )
    train.add_option(
        "computation",
        "--compile",
        dest="compiled",
        action="store_const",
        const=True,
        help="let torch compile the model before the first step",
    )
    train.add_option(
        "output",
        "--save",
        *("--out", "--output"),
        type=parse_file_name,
        metavar="FILE",
        help="file for the model and all that --resume needs, written every"
        " --save-every steps and at the end (default: none)",
    )
    train.add_option(
        "output",
        "--save-every",
        "--save-steps",
        type=parse_positive_integer,
        metavar="N",
        default=DEFAULT_STEPS_BETWEEN_SAVES,
        help="steps from one save to the next (default: %(default)s)",
    )
    train.add_option(
        "output",
        "--losses",
        type=parse_file_name,
        metavar="FILE",
        help="file for the loss of each step, a JSON object per line"
        " (default: none)",
    )
    train.add_option(
        "going on",
        "--resume",
        "--resume-from-checkpoint",
        type=parse_file_name,
        metavar="FILE",
        help="go on with the run in this file, which --save wrote, on the"
        " same --docs",
    )
    train.add_option(
        "going on",
        "--or-begin",
        action="store_true",
        help="begin a new run if the file to --resume is not there yet",
    )
    train.epilog = """\
examples:
  microgpt train --steps 200 --save model.json
  microgpt train --docs names.txt --engine numpy --batch 16
  microgpt train --resume model.json --save model.json

Names from nanoGPT and Hugging Face work too, such as --lr, --max-iters,
--batch-size, --block-size, --n-layer, --n-head and --n-embd."""
    train.argument_hint = "to train on a file, type --docs FILE"
    train.hints = {
        **dict.fromkeys(("--gpu", "--cuda"), GPU_HINT),
        **dict.fromkeys(
            ("--epochs", "--num-epochs", "--num-train-epochs"),
            "count steps instead, with --steps N and --batch N",
        ),
        **dict.fromkeys(
            ("--init-from", "--load", "--checkpoint"),
            "to go on with a run, type --resume FILE",
        ),
        **dict.fromkeys(
            ("--out-dir", "--output-dir"),
            "to save to a file, type --save FILE",
        ),
        **dict.fromkeys(
            ("--log", "--log-file", "--wandb-log"),
            "to write the losses to a file, type --losses FILE",
        ),
        "--shard": "a run is one process, which holds the whole model",
    }


def add_sample_options(sample: Parser) -> None:
    """Describe the options of `microgpt sample`."""
    sample.set_defaults(run=sample_command)
    sample.usage = "microgpt sample [OPTIONS]"
    sample.add_option(
        "model",
        "--model",
        "--checkpoint",
        type=parse_file_name,
        metavar="FILE",
        help="file that microgpt train --save wrote"
        " (default: a trained model that comes with microgpt)",
    )
    sample.add_option(
        "samples",
        "--count",
        *("--num-samples", "--num-return-sequences"),
        type=parse_positive_integer,
        metavar="N",
        default=SAMPLES_AFTER_TRAINING,
        help="documents to print, one per line (default: %(default)s)",
    )
    sample.add_option(
        "samples",
        "--prompt",
        "--start",
        metavar="TEXT",
        default="",
        help="characters that every document begins with (default: none)",
    )
    sample.add_option(
        "samples",
        "--seed",
        type=parse_integer,
        metavar="N",
        default=DEFAULT_TRAIN_OPTIONS["seed"],
        help="seed of the random numbers (default: %(default)s)",
    )
    sample.add_option(
        "probabilities, changed in this order",
        "--temperature",
        "--temp",
        type=make_range_parser(MIN_TEMPERATURE, MAX_TEMPERATURE),
        metavar="T",
        default=0.5,
        help="below 1, likely tokens become likelier; above 1, unlikely"
        f" ones; from {MIN_TEMPERATURE} to {MAX_TEMPERATURE}"
        " (default: %(default)s)",
    )
    sample.add_option(
        "probabilities, changed in this order",
        "--top-k",
        type=parse_positive_integer,
        metavar="N",
        help="keep only the N likeliest tokens (default: all)",
    )
    sample.add_option(
        "probabilities, changed in this order",
        "--top-p",
        type=parse_fraction,
        metavar="P",
        help="keep only the likeliest tokens that together have a"
        " probability of P, at most 1 (default: all)",
    )
    sample.epilog = """\
examples:
  microgpt sample --prompt ma --count 5
  microgpt sample --model model.json --temperature 1 --top-p 0.9

Names from nanoGPT and Hugging Face work too, such as --start and
--num-samples."""
    sample.argument_hint = "to begin documents with it, type --prompt TEXT"
    sample.hints = {
        **dict.fromkeys(
            ("--max-new-tokens", "--max-length", "--max-tokens"),
            "a document ends where the model ends it, or its context",
        ),
        **dict.fromkeys(("--greedy", "--do-sample"), "type --top-k 1"),
    }


def add_graph_options(graph: Parser) -> None:
    """Describe the options of `microgpt graph`."""
    graph.set_defaults(run=graph_command)
    graph.usage = "microgpt graph [OPTIONS] EXPRESSION"
    graph.add_argument(
        "expression",
        metavar="EXPRESSION",
        help="names, numbers, + - * / ** and log, exp or relu, computed as"
        " in Python; a semicolon ends each part",
    )
    graph.add_option(
        "output",
        "--format",
        type=make_choice_parser(*GRAPH_FORMATS),
        metavar="NAME",
        default="mermaid",
        help="mermaid, the source of a diagram, or text, a table"
        " (default: %(default)s)",
    )
    graph.epilog = """\
examples:
  microgpt graph "a = 2; b = 3; (a * b + a).relu() + exp(b / 4)"
  microgpt graph "a = 2; a ** 3" --format text"""
    graph.argument_hint = "put the whole expression in quotes"
