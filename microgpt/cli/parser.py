"""The commands and options of `microgpt`, and messages about wrong ones."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NoReturn

from microgpt import __version__
from microgpt.cli import commands, values
from microgpt.cli.options import DEFAULT_OPTIONS, DEFAULT_RUN_OPTIONS
from microgpt.cli.train import train_command
from microgpt.engines import ENGINE_NAMES

MAX_ERROR_CHARACTERS = 300  # an error may repeat what was typed
GPU_HINT = "to use a GPU, type --engine torch --device auto"
NANOGPT_NAMES_HELP = "Names from nanoGPT and Hugging Face work too, such as"


@dataclass(frozen=True)
class Command:
    """A command, as its help and the messages about its options describe it.

    Attributes:
        run: The function that carries it out and returns the exit status.
        summary: What it does.
        options: Title of a group -> names of an option and its metavar -> help.
        epilog: Examples, for the end of the help.
        argument_hint: What to type in place of an argument that no option takes; {!r} is it.
        hints: Options of other programs -> what to type instead.
    """

    run: Callable[[argparse.Namespace], int]
    summary: str
    options: dict[str, dict[str, str]]
    epilog: str
    argument_hint: str
    hints: dict[str, str] = field(default_factory=dict)


# The help shows the first name of an option; the others are those of other programs
TRAIN_OPTIONS = {
    "data": {
        "--docs --data --dataset FILE": "documents to learn from, one per"
        " line, as UTF-8 text (default: names that come with microgpt)",
    },
    "model": {
        "--layers --n-layer --n-layers --num-layers N": "transformer"
        " layers",
        "--heads --n-head --n-heads --num-heads N": "attention heads in"
        " each layer",
        "--width --n-embd --d-model --hidden-size N": "numbers in the"
        " vector of a token, a multiple of --heads",
        "--context --block-size --context-length N": "tokens that the"
        " model reads at most; longer documents are cut",
    },
    "training": {
        "--steps --max-steps --max-iters --num-steps N": "training steps;"
        " each moves all weights once",
        "--batch --batch-size N": "documents per step",
        "--learning-rate --lr R": "learning rate of the first step, at"
        " most 1; it falls to 0 in equal steps",
        "--seed N": "seed of the random numbers",
        "--stop-after N": "stop early, after step N; --resume can go on"
        " from there (default: the last step)",
    },
    "computation": {
        "--engine NAME": "what computes: value, dot or lists, in pure"
        " Python; numpy or torch, with that library; c, with a C compiler",
        "--device NAME": "where torch computes: cpu, cuda, mps or another"
        " of PyTorch's, or auto, a GPU if there is one (default: cpu)",
        "--precision --dtype NAME": "numbers that torch or c computes"
        " with: float64, float32 or, with torch, bfloat16 (default:"
        " float64)",
        "--compile": "let torch compile the model before the first step",
    },
    "output": {
        "--save --out --output FILE": "file for the model and all that"
        " --resume needs, written every --save-every steps and at the end"
        " (default: none)",
        "--save-every --save-steps N": "steps from one save to the next",
        "--losses FILE": "file for the loss of each step, a JSON object"
        " per line (default: none)",
    },
    "resuming": {
        "--resume --resume-from-checkpoint FILE": "go on with the run in"
        " this file, which --save wrote, on the same --docs",
        "--or-begin": "begin a new run if the file to --resume is not"
        " there yet",
    },
}
SAMPLE_OPTIONS = {
    "model": {
        "--model --checkpoint FILE": "file that microgpt train --save"
        " wrote (default: a trained model that comes with microgpt)",
    },
    "samples": {
        "--count --num-samples --num-return-sequences N": "documents to"
        " print, one per line",
        "--prompt --start TEXT": "characters that every document begins"
        " with (default: none)",
        "--seed N": "seed of the random numbers",
    },
    "probabilities, changed in this order": {
        "--temperature --temp T": "below 1, likely tokens become likelier;"
        f" above 1, unlikely ones; from {values.MIN_TEMPERATURE} to"
        f" {values.MAX_TEMPERATURE}",
        "--top-k N": "keep only the N likeliest tokens (default: all)",
        "--top-p P": "keep only the likeliest tokens that together have a"
        " probability of P, at most 1 (default: all)",
    },
}
GRAPH_OPTIONS = {
    "expression": {
        "EXPRESSION": "names, numbers, + - * / ** and log, exp or relu,"
        " computed as in Python; a semicolon ends each part",
    },
    "output": {
        "--format NAME": "mermaid, the source of a diagram, or text, a"
        " table",
    },
}
COMMANDS = {
    "train": Command(
        train_command,
        "train a model and print samples from it",
        TRAIN_OPTIONS,
        f"""\
examples:
  microgpt train --steps 200 --save model.json
  microgpt train --docs names.txt --engine numpy --batch 16
  microgpt train --resume model.json --save model.json

{NANOGPT_NAMES_HELP} --lr, --max-iters,
--batch-size, --block-size, --n-layer, --n-head and --n-embd.""",
        "to train on it, type --docs {!r}",
        {
            "--gpu --cuda": GPU_HINT,
            "--epochs --num-epochs --num-train-epochs": "count steps"
            " instead, with --steps N: one step reads --batch documents",
            "--init-from --load --checkpoint": "to go on with a run, type"
            " --resume FILE",
            "--out-dir --output-dir": "to save to a file, type --save FILE",
            "--log --log-file --wandb-log": "to write the losses to a file,"
            " type --losses FILE",
            "--shard": "leave it out: one process holds the whole model",
        },
    ),
    "sample": Command(
        commands.sample_command,
        "print documents that a trained model invents",
        SAMPLE_OPTIONS,
        f"""\
examples:
  microgpt sample --prompt ma --count 5
  microgpt sample --model model.json --temperature 1 --top-p 0.9

{NANOGPT_NAMES_HELP} --start and
--num-samples.""",
        "to start each sample with it, type --prompt {!r}",
        {
            "--steps": "for N samples, type --count N",
            "--max-new-tokens --max-length --max-tokens": "leave it"
            " out: the model ends each document itself",
            "--greedy --do-sample": "type --top-k 1",
        },
    ),
    "graph": Command(
        commands.graph_command,
        "show the graph of an expression, with its gradients",
        GRAPH_OPTIONS,
        """\
examples:
  microgpt graph "a = 2; b = 3; (a * b + a).relu() + exp(b / 4)"
  microgpt graph "a = 2; a ** 3" --format text""",
        "put the whole expression in quotes",
    ),
}
# By the first name of an option, or else by its metavar
VALUE_PARSERS: dict[str, Callable[[str], Any]] = {
    "--seed": values.parse_integer,
    "--engine": values.make_choice_parser(
        *ENGINE_NAMES, **dict.fromkeys(("gpu", "cuda", "mps"), GPU_HINT)
    ),
    "--precision": values.make_choice_parser(
        *("float64", "float32", "bfloat16"),
        note="type --precision float32 with --engine torch or c, or"
        " --precision bfloat16 with --engine torch",
    ),
    "--format": values.make_choice_parser(*commands.GRAPH_FORMATS),
    "FILE": values.parse_file_name,
    "N": values.parse_positive_integer,
    "P": values.parse_fraction,
    "R": values.parse_fraction,
    "T": values.parse_temperature,
}


class Parser(argparse.ArgumentParser):
    """A parser of options that reports a mistake in one sentence.

    Attributes:
        main_names: The name in the help, by each name that an option has.
    """

    def __init__(self, prog: str, **settings: Any) -> None:
        settings["formatter_class"] = argparse.RawDescriptionHelpFormatter
        super().__init__(prog, allow_abbrev=False, **settings)
        self.main_names: dict[str, str] = {}

    def add_option(
        self, group: Any, option: str, help_text: str, command: str
    ) -> None:
        """Add an option of a command, under each of its names and with _ for -."""
        words = option.split()
        names = [word for word in words if word.startswith("--")]
        names += [f"--{each[2:].replace('-', '_')}" for each in names]
        settings: dict[str, Any] = {"action": "store_true"}
        if (value := words[-1]) not in names:
            parse = VALUE_PARSERS.get(words[0], VALUE_PARSERS.get(value))
            settings = {"metavar": value, "type": parse}
        if not names:  # EXPRESSION; parse_command_line requires it
            settings["nargs"] = "?"
        action = group.add_argument(*names or [option.lower()], **settings)
        action.option_strings = names[:1]  # those in the help
        action.default = DEFAULT_OPTIONS[command].get(action.dest)
        if action.default not in (None, ""):
            help_text += f" (default: {action.default})"
        action.help = help_text
        self.main_names |= dict.fromkeys(names, words[0])

    def error(self, message: str) -> NoReturn:
        """Print a message of argparse in the words of this program, and exit."""
        message = message.removeprefix("argument ")
        option, _, problem = message.partition(": ")
        if problem == "expected one argument":
            value = self._option_string_actions[option].metavar
            message = f"{option}: expected {value}, got none"
            message += f"; type {option} {value}"
            if value == "TEXT":
                message += f", or {option}=TEXT if it begins with a dash"
        elif problem.startswith("ignored explicit argument"):
            message = (
                f"{option}: expected no value, got {problem.split()[-1]};"
                f" type {option} alone"
            )
        elif option in ("--top-k", "--top-p"):
            message += "; leave it out to keep all tokens"
        if len(message) > MAX_ERROR_CHARACTERS:
            message = f"{message[:MAX_ERROR_CHARACTERS]}…"
        self.exit(
            2, f"microgpt: error: {message} (see {self.prog} --help)\n"
        )


def parse_command_line(
    arguments: Sequence[str] | None = None,
) -> argparse.Namespace:
    """Parse what was typed, or exit with a sentence and status 2.

    Args:
        arguments: The words after `microgpt`; those of this process by default.

    Returns:
        The values of all options; `run`, the function of the command, takes them.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    name = words[0] if words else ""
    if name not in COMMANDS:
        root = build_root_parser()
        root.parse_known_args(words[:1])  # which answers --help
        expected = values.join_with_or(tuple(COMMANDS))
        got = repr(name) if name else "none"
        root.error(f"expected the command {expected}, got {got}")
    parser = build_command_parser(name)
    options, unknown = parser.parse_known_args(words[1:])
    if name == "graph" and options.expression is None:
        problem = 'expected an expression such as "a = 2; a * 3", got none'
        if unknown:
            problem = f"{unknown[0]!r} was read as an option"
        advice = "put -- before an expression that begins with a dash"
        parser.error(f"{problem}; {advice}")
    if unknown:
        parser.error(describe_unknown_argument(name, unknown))
    return options


def describe_unknown_argument(command: str, unknown: Sequence[str]) -> str:
    """Return the message about arguments that no option of a command takes."""
    options = [word for word in unknown if word.startswith("-")]
    if not options:
        hint = COMMANDS[command].argument_hint.format(unknown[0])
        return f"unrecognized argument {unknown[0]!r}; {hint}"
    typed = options[0].partition("=")[0]
    name = typed.replace("_", "-")
    fragment = f"-{name.strip('-').lower()}"
    main_names = build_command_parser(command).main_names
    similar = [known for known in main_names if fragment in known]
    similar += get_close_matches(f"-{fragment}", main_names, 1, 0.7)
    hints = [
        hint
        for names, hint in COMMANDS[command].hints.items()
        if name in names.split()
    ]
    printable = typed if typed.isprintable() else ascii(typed)
    for other in COMMANDS:
        if name in build_command_parser(other).main_names:
            advice = [*hints, "leave it out"][0]
            owner = f"microgpt {other}, not of {command}"
            return f"{printable} is an option of {owner}: {advice}"
    hints += [f"did you mean {main_names[each]}?" for each in similar]
    return f"unrecognized option {printable}; {[*hints, 'leave it out'][0]}"


def build_root_parser() -> Parser:
    """Return the parser of what may stand before a command: `--help`, `--version`."""
    rows = [f"\n  {name:6}  {c.summary}" for name, c in COMMANDS.items()]
    root = Parser(
        "microgpt",
        usage="microgpt COMMAND [OPTIONS]",
        description=f"A GPT in pure Python.\n\ncommands:{''.join(rows)}",
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
    return root


def build_command_parser(name: str) -> Parser:
    """Return the parser of a command's options."""
    command = COMMANDS[name]
    parser = Parser(
        f"microgpt {name}",
        # Versions of Python break longer usages into lines differently
        usage=f"%(prog)s [OPTIONS]{' EXPRESSION' * (name == 'graph')}",
        description=f"{command.summary.capitalize()}.",
        epilog=command.epilog,
    )
    for title, options in command.options.items():
        group = parser.add_argument_group(title)
        for option, help_text in options.items():
            parser.add_option(group, option, help_text, name)
    parser.set_defaults(run=command.run)
    if name == "train":  # a resumed run has its own: None for "not typed"
        parser.set_defaults(**dict.fromkeys(DEFAULT_RUN_OPTIONS))
    return parser
