"""The commands and options of `microgpt`, and what is said of wrong ones."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
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
    join_with_or,
    make_choice_parser,
    make_range_parser,
    parse_file_name,
    parse_fraction,
    parse_integer,
    parse_positive_integer,
)
from microgpt.engines import ENGINE_NAMES

MAX_MESSAGE_LENGTH = 300  # characters; it may repeat what was typed
GPU_HINT = "to use a GPU, type --engine torch --device auto"
NANOGPT_NOTE = "Names from nanoGPT and Hugging Face work too, such as"


@dataclass(frozen=True)
class Command:
    """A command, as its help describes it.

    Attributes:
        run: The function that carries it out and returns the exit status.
        summary: What it does.
        options: Title of a group -> option and what stands for its value -> help.
        defaults: Values of options that are not typed, by name.
        epilog: Examples, for the end of the help.
        argument_hint: What to type in place of an argument that no option takes.
        hints: Options of other programs -> what to type instead.
    """

    run: Callable[[argparse.Namespace], int]
    summary: str
    options: dict[str, dict[str, str]]
    defaults: Mapping[str, Any]
    epilog: str
    argument_hint: str
    hints: dict[str, str] = field(default_factory=dict)


COMMANDS = {
    "train": Command(
        train_command,
        "train a model and print samples from it",
        {
            "data": {
                "--docs FILE": "documents to learn from, one per line, as"
                " UTF-8 text (default: names that come with microgpt)",
            },
            "model": {
                "--layers N": "transformer layers",
                "--heads N": "attention heads in each layer",
                "--width N": "numbers in the vector of a token, a multiple"
                " of --heads",
                "--context N": "tokens that the model reads at most; longer"
                " documents are cut",
            },
            "training": {
                "--steps N": "training steps; each moves all weights once",
                "--batch N": "documents per step",
                "--learning-rate R": "learning rate of the first step, at"
                " most 1; it falls to 0 in equal steps",
                "--seed N": "seed of the random numbers",
                "--stop-after N": "stop early, after step N; --resume can go"
                " on from there (default: the last step)",
            },
            "computation": {
                "--engine NAME": "what computes: value, dot or lists, in pure"
                " Python; numpy or torch, with that library; c, with a C"
                " compiler",
                "--device NAME": "where torch computes: cpu, cuda, mps or"
                " another of PyTorch's, or auto, a GPU if there is one"
                " (default: cpu)",
                "--precision NAME": "numbers that torch or c computes with:"
                " float64, float32 or, with torch, bfloat16"
                " (default: float64)",
                "--compile": "let torch compile the model before the first"
                " step",
            },
            "output": {
                "--save FILE": "file for the model and all that --resume"
                " needs, written every --save-every steps and at the end"
                " (default: none)",
                "--save-every N": "steps from one save to the next",
                "--losses FILE": "file for the loss of each step, a JSON"
                " object per line (default: none)",
            },
            "resuming": {
                "--resume FILE": "go on with the run in this file, which"
                " --save wrote, on the same --docs",
                "--or-begin": "begin a new run if the file to --resume is not"
                " there yet",
            },
        },
        DEFAULT_TRAIN_OPTIONS
        | {"engine": "dot", "save_every": DEFAULT_STEPS_BETWEEN_SAVES},
        f"""\
examples:
  microgpt train --steps 200 --save model.json
  microgpt train --docs names.txt --engine numpy --batch 16
  microgpt train --resume model.json --save model.json

{NANOGPT_NOTE} --lr, --max-iters,
--batch-size, --block-size, --n-layer, --n-head and --n-embd.""",
        "to train on a file, type --docs FILE",
        {
            "--gpu --cuda": GPU_HINT,
            "--epochs --num-epochs --num-train-epochs": "count steps"
            " instead, with --steps N and --batch N",
            "--init-from --load --checkpoint": "to go on with a run, type"
            " --resume FILE",
            "--out-dir --output-dir": "to save to a file, type --save FILE",
            "--log --log-file --wandb-log": "to write the losses to a file,"
            " type --losses FILE",
            "--shard": "a run is one process, which holds the whole model",
        },
    ),
    "sample": Command(
        sample_command,
        "print documents that a trained model invents",
        {
            "model": {
                "--model FILE": "file that microgpt train --save wrote"
                " (default: a trained model that comes with microgpt)",
            },
            "samples": {
                "--count N": "documents to print, one per line",
                "--prompt TEXT": "characters that every document begins with"
                " (default: none)",
                "--seed N": "seed of the random numbers",
            },
            "probabilities, changed in this order": {
                "--temperature T": "below 1, likely tokens become likelier;"
                f" above 1, unlikely ones; from {MIN_TEMPERATURE} to"
                f" {MAX_TEMPERATURE}",
                "--top-k N": "keep only the N likeliest tokens"
                " (default: all)",
                "--top-p P": "keep only the likeliest tokens that together"
                " have a probability of P, at most 1 (default: all)",
            },
        },
        {
            "count": SAMPLES_AFTER_TRAINING,
            "prompt": "",
            "seed": DEFAULT_TRAIN_OPTIONS["seed"],
            "temperature": 0.5,
        },
        f"""\
examples:
  microgpt sample --prompt ma --count 5
  microgpt sample --model model.json --temperature 1 --top-p 0.9

{NANOGPT_NOTE} --start and
--num-samples.""",
        "to begin documents with it, type --prompt TEXT",
        {
            "--max-new-tokens --max-length --max-tokens": "a document ends"
            " where the model ends it, or its context",
            "--greedy --do-sample": "type --top-k 1",
        },
    ),
    "graph": Command(
        graph_command,
        "show the graph of an expression, with its gradients",
        {
            "expression": {
                "EXPRESSION": "names, numbers, + - * / ** and log, exp or"
                " relu, computed as in Python; a semicolon ends each part"
            },
            "output": {
                "--format NAME": "mermaid, the source of a diagram, or text,"
                " a table",
            },
        },
        {"format": "mermaid"},
        """\
examples:
  microgpt graph "a = 2; b = 3; (a * b + a).relu() + exp(b / 4)"
  microgpt graph "a = 2; a ** 3" --format text""",
        "put the whole expression in quotes",
    ),
}
# What people try who know other programs; the help leaves these out
OPTION_ALIASES = {
    "--docs": "--data --dataset",
    "--layers": "--n-layer --n-layers --num-layers",
    "--heads": "--n-head --n-heads --num-heads",
    "--width": "--n-embd --d-model --hidden-size",
    "--context": "--block-size --context-length",
    "--steps": "--max-steps --max-iters --num-steps",
    "--batch": "--batch-size",
    "--learning-rate": "--lr",
    "--precision": "--dtype",
    "--save": "--out --output",
    "--save-every": "--save-steps",
    "--resume": "--resume-from-checkpoint",
    "--model": "--checkpoint",
    "--count": "--num-samples --num-return-sequences",
    "--prompt": "--start",
    "--temperature": "--temp",
}
# By the name of an option, or else by what stands for its value in the help
VALUE_PARSERS: dict[str, Callable[[str], Any]] = {
    "--seed": parse_integer,
    "--engine": make_choice_parser(
        *ENGINE_NAMES, **dict.fromkeys(("gpu", "cuda", "mps"), GPU_HINT)
    ),
    "--precision": make_choice_parser(
        *("float64", "float32", "bfloat16"),
        note="add --engine torch, or for the first two --engine c",
    ),
    "--format": make_choice_parser(*GRAPH_FORMATS),
    "FILE": parse_file_name,
    "N": parse_positive_integer,
    "P": parse_fraction,
    "R": parse_fraction,
    "T": make_range_parser(MIN_TEMPERATURE, MAX_TEMPERATURE),
}


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
        self.canonical_names: dict[str, str] = {}
        self.hints: dict[str, str] = {}
        self.argument_hint = ""

    def add_command(self, command: Command) -> None:
        """Add the options of a command, and all that its help and mistakes say."""
        for names, hint in command.hints.items():
            self.hints |= dict.fromkeys(names.split(), hint)
        self.argument_hint = command.argument_hint
        for title, options in command.options.items():
            group = self.add_argument_group(title)
            for written, text in options.items():
                name, _, value = written.partition(" ")
                default = command.defaults.get(_attribute_name(name))
                if default not in (None, ""):
                    text += f" (default: {default})"
                self._add_option(group, name, value, default, text)
        self.set_defaults(run=command.run, parser=self)

    def _add_option(
        self,
        group: Any,
        name: str,
        placeholder: str,
        default: Any,
        help_text: str,
    ) -> None:
        """Add an option and its other names, each with _ for - too."""
        if not name.startswith("-"):
            group.add_argument(name.lower(), metavar=name, help=help_text)
            return
        settings: dict[str, Any] = {"dest": _attribute_name(name)}
        if placeholder:
            parse = VALUE_PARSERS.get(name) or VALUE_PARSERS.get(
                placeholder, str
            )
            settings |= {"type": parse, "metavar": placeholder}
        else:
            settings["action"] = "store_true"
        group.add_argument(
            name, help=help_text, default=default, **settings
        )
        settings |= dict.fromkeys(("help", "default"), argparse.SUPPRESS)
        names = [name, *OPTION_ALIASES.get(name, "").split()]
        names += [f"--{_attribute_name(each)}" for each in names]
        for alias in dict.fromkeys(names):
            self.canonical_names[alias] = name
            if alias != name:
                group.add_argument(alias, **settings)

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
        if len(message) > MAX_MESSAGE_LENGTH:
            message = f"{message[:MAX_MESSAGE_LENGTH]}…"
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
    commands = join_with_or(tuple(COMMANDS))
    if name is not None and name not in COMMANDS:
        close = get_close_matches(name, COMMANDS, 1)
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
    width = max(map(len, COMMANDS))
    rows = [
        f"  {name:{width}}  {c.summary}" for name, c in COMMANDS.items()
    ]
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
    subparsers = root.add_subparsers(
        prog="microgpt", help=argparse.SUPPRESS
    )
    parsers = {}
    for name, command in COMMANDS.items():
        does = command.summary
        argument = " EXPRESSION" if name == "graph" else ""
        parsers[name] = subparsers.add_parser(
            name,
            # Versions of Python break longer usages into lines differently
            usage=f"microgpt {name} [OPTIONS]{argument}",
            description=f"{does[0].upper()}{does[1:]}.",
            epilog=command.epilog,
        )
        parsers[name].add_command(command)
    # A run that is resumed has its own settings: None stands for "not typed"
    parsers["train"].set_defaults(**dict.fromkeys(DEFAULT_TRAIN_OPTIONS))
    for parser in parsers.values():
        elsewhere = {
            name: f"it is an option of {other.prog}"
            for other in parsers.values()
            for name in other.canonical_names
        }
        parser.hints = elsewhere | parser.hints
    return root


def _attribute_name(option: str) -> str:
    """Return the name of an option's value: `learning_rate` for `--learning-rate`."""
    return option.removeprefix("--").replace("-", "_")
