"""Every message that a user of the command line can meet, word for word.

Read them aloud: each says what was expected, what came instead, and what to type.
"""

import ast
import re
import shlex
from pathlib import Path

import pytest

from .helpers import ROOT, run_microgpt

EXPECTED_INTEGER = "expected a whole number of at least 1, got"
LONG_TEXT = "x" * 9999

# Mistakes in one option or argument; each message ends with where the help is.
WRONG_ARGUMENTS = {
    "": "expected a command: train, sample or graph",
    "tain": "expected the command train, sample or graph, got 'tain'; did you mean train?",
    "fly": "expected the command train, sample or graph, got 'fly'",
    "--steps 5": "expected the command train, sample or graph, got '5'",
    # train
    "train --steps 0": f"--steps: {EXPECTED_INTEGER} '0'",
    "train --steps 1.5": f"--steps: {EXPECTED_INTEGER} '1.5'",
    "train --max-iters 1e3": f"--max-iters: {EXPECTED_INTEGER} '1e3'",
    "train --heads four": f"--heads: {EXPECTED_INTEGER} 'four'",
    "train --batch-size 0": f"--batch-size: {EXPECTED_INTEGER} '0'",
    "train --layers 0": f"--layers: {EXPECTED_INTEGER} '0'",
    "train --width -4": f"--width: {EXPECTED_INTEGER} '-4'",
    "train --context 0": f"--context: {EXPECTED_INTEGER} '0'",
    "train --stop-after 0": f"--stop-after: {EXPECTED_INTEGER} '0'",
    "train --save-every 0": f"--save-every: {EXPECTED_INTEGER} '0'",
    f"train --steps {'9' * 5000}": f"--steps: {EXPECTED_INTEGER} '999",
    "train --learning-rate 0": (
        "--learning-rate: expected a number above 0 and at most 1, got '0'"
    ),
    "train --lr fast": "--lr: expected a number above 0 and at most 1, got 'fast'",
    "train --seed x": "--seed: expected a whole number, got 'x'",
    f"train --seed {LONG_TEXT}": "--seed: expected a whole number, got 'xxx",
    "train --docs ''": "--docs: expected the name of a file, got ''",
    "train --save ''": "--save: expected the name of a file, got ''",
    "train --losses ''": "--losses: expected the name of a file, got ''",
    "train --resume ''": "--resume: expected the name of a file, got ''",
    "train --engine gpu": (
        "--engine: expected value, dot, lists, numpy, torch or c, got 'gpu';"
        " to use a GPU, type --engine torch --device auto"
    ),
    "train --engine jax": (
        "--engine: expected value, dot, lists, numpy, torch or c, got 'jax'"
    ),
    "train --precision int8": (
        "--precision: expected float64, float32 or bfloat16, got 'int8';"
        " add --engine torch, or for the first two --engine c"
    ),
    "train --steps": (
        "--steps: expected a value after it;"
        " if that begins with a dash, type --steps=-…"
    ),
    "train --compile=yes": "--compile: expected no value, got 'yes'",
    "train names": "unexpected argument 'names'; to train on a file, type --docs FILE",
    "train --batch-sise 4": "unrecognized option --batch-sise; did you mean --batch?",
    "train --learning 1": "unrecognized option --learning; did you mean --learning-rate?",
    "train --rate=1": "unrecognized option --rate; did you mean --learning-rate?",
    "train --max_iter 9": "unrecognized option --max_iter; did you mean --steps?",
    "train --colour red": "unrecognized option --colour",
    "train --temperature 1": (
        "unrecognized option --temperature; it is an option of microgpt sample"
    ),
    "train --cuda": (
        "unrecognized option --cuda; to use a GPU, type --engine torch --device auto"
    ),
    "train --epochs 3": (
        "unrecognized option --epochs; count steps instead, with --steps N and --batch N"
    ),
    "train --init_from resume": (
        "unrecognized option --init_from; to go on with a run, type --resume FILE"
    ),
    "train --out_dir=out": (
        "unrecognized option --out_dir; to save to a file, type --save FILE"
    ),
    "train --wandb_log": (
        "unrecognized option --wandb_log;"
        " to write the losses to a file, type --losses FILE"
    ),
    "train --shard": (
        "unrecognized option --shard; a run is one process, which holds the whole model"
    ),
    # sample
    "sample --temperature 0": (
        "--temperature: expected a number from 0.001 to 1000, got '0'"
    ),
    "sample --temperature -1": (
        "--temperature: expected a number from 0.001 to 1000, got '-1'"
    ),
    "sample --temp hot": "--temp: expected a number from 0.001 to 1000, got 'hot'",
    "sample --temp nan": "--temp: expected a number from 0.001 to 1000, got 'nan'",
    "sample --top-k 0": f"--top-k: {EXPECTED_INTEGER} '0'",
    "sample --top-p 1.5": "--top-p: expected a number above 0 and at most 1, got '1.5'",
    "sample --count -3": f"--count: {EXPECTED_INTEGER} '-3'",
    "sample --prompt -x": (
        "--prompt: expected a value after it;"
        " if that begins with a dash, type --prompt=-…"
    ),
    "sample emma": "unexpected argument 'emma'; to begin documents with it, type --prompt TEXT",
    "sample --steps 3": "unrecognized option --steps; it is an option of microgpt train",
    "sample --max_new_tokens 9": (
        "unrecognized option --max_new_tokens;"
        " a document ends where the model ends it, or its context"
    ),
    "sample --greedy": "unrecognized option --greedy; type --top-k 1",
    # graph
    "graph": (
        'expected an expression, such as "a = 2; a * 3";'
        " if it begins with a dash, type -- before it"
    ),
    "graph -3*2": (
        'expected an expression, such as "a = 2; a * 3";'
        " if it begins with a dash, type -- before it"
    ),
    "graph 1 + 2": "unexpected argument '+'; put the whole expression in quotes",
    "graph 1 --form text": "unrecognized option --form; did you mean --format?",
    "graph 1 --format svg": "--format: expected mermaid or text, got 'svg'",
}

# Options that do not go together, or not with the files that they name.
CONFLICTING_OPTIONS = {
    "train --width 18": "--width 18 is not a multiple of --heads 4: try --width 20",
    "train --device cuda": (
        "--device needs --engine torch, not dot: add --engine torch, or leave out --device"
    ),
    "train --engine lists --compile": (
        "--compile needs --engine torch, not lists:"
        " add --engine torch, or leave out --compile"
    ),
    "train --engine numpy --precision float64": (
        "--precision needs --engine torch or c, not numpy:"
        " add --engine torch, or leave out --precision"
    ),
    "train --docs names --steps 5 --stop-after 6": (
        "--stop-after: expected a step from 1 to 5, got 6; --steps N sets the last one"
    ),
    "train --docs names --resume model --stop-after 1": (
        "--stop-after: expected a step from 2 to 2, got 1; model has taken 2"
    ),
    "train --docs names --resume model --steps 3": (
        "model was trained with --steps 2, not 3:"
        " leave out --steps to go on with it, or --resume to begin a new run"
    ),
    "train --docs names --resume model --n-head 1": (
        "model was trained with --heads 2, not 1:"
        " leave out --heads to go on with it, or --resume to begin a new run"
    ),
    "train --docs names --save new --losses new": (
        "--losses and --save are the same file, new: give --losses another name"
    ),
    "train --docs names --losses linked": (
        "--docs and --losses are the same file, names: give --losses another name"
    ),
    "train --docs names --resume model --losses model": (
        "--losses and --resume are the same file, model: give --losses another name"
    ),
    "train --docs names --save names": (
        "--docs and --save are the same file, names: give --save another name"
    ),
}

# What the command line alone does not show.
FAILURES = {
    "train --docs nowhere": "cannot read nowhere: no such file: check its name and folder",
    "train --docs no/where": "cannot read no/where: the folder 'no' does not exist",
    "train --docs folder": "cannot read folder: it is a folder, not a file",
    "train --docs empty": "expected a name per line in empty, got none",
    "train --docs latin": (
        "latin is not UTF-8 text: line 2 has the byte 0xEB; save it as UTF-8"
    ),
    "train --docs utf16": "utf16 has NUL characters; save it as UTF-8",
    "train --docs names --save no/model": "cannot write no/model: the folder 'no' does not exist: create it first",
    "train --docs names --save folder": "cannot write folder: it is a folder, not a file",
    f"train --docs names --save {'m' * 256}": (
        f"cannot write {'m' * 256}: File name too long"
    ),
    "train --docs names --save other": (
        "other is not a model file of microgpt: give --save a new file name"
    ),
    "train --docs names --resume model --save other": (
        "other is not a model file of microgpt: give --save a new file name"
    ),
    "train --docs names --losses no/losses": (
        "cannot write no/losses: the folder 'no' does not exist: create it first"
    ),
    "train --docs names --losses .": "cannot write .: it is a folder, not a file",
    "train --docs names --resume model --losses other": (
        "other is not a file of losses (see its line 1): give --losses a new file name"
    ),
    "train --docs names --resume nowhere": (
        "cannot read nowhere: no such file: check its name and folder;"
        " to begin a new run, add --or-begin"
    ),
    "train --docs names --resume names": (
        "names is damaged or not a model file:"
        " expected the JSON that microgpt train --save writes"
    ),
    "train --docs names --resume alone": (
        "alone has a model but no run to resume:"
        " expected a file that microgpt train --save wrote"
    ),
    "train --docs other --resume model": (
        "model was trained on other documents:"
        " give --docs the file that it was trained on, unchanged,"
        " or leave out --resume to begin a new run"
    ),
    "train --docs names --engine c --precision bfloat16": (
        "expected the precision float64 or float32, got bfloat16 (only torch has it)"
    ),
    "sample --model nowhere": "cannot read nowhere: no such file: check its name and folder",
    "sample --model cut": (
        "cut is damaged or not a model file:"
        " expected the JSON that microgpt train --save writes"
    ),
    "sample --model json": (
        "json is not a model file of microgpt:"
        " expected one that microgpt train --save wrote"
    ),
    "sample --model newer": (
        "expected version 1 of the format in newer, got 99:"
        " load it with the version of microgpt that wrote it"
    ),
    "sample --model partial": "partial is damaged: it has no 'config'",
    "sample --model model --prompt annaanna": (
        "--prompt: expected at most 7 characters,"
        " which is all that the model can read, got 8"
    ),
    "sample --prompt Emma": (
        "the tokenizer does not know the character 'E';"
        " it knows 'abcdefghijklmnopqrstuvwxyz'"
    ),
    # graph
    "graph ''": 'expected an expression such as "a = 2; a * 3", got none',
    "graph 'a = 2; a *'": "character 11: expected a number or a name, got the end",
    "graph '2 +* 3'": (
        "character 4: cannot read '* 3': expected an expression, or name = expression"
    ),
    "graph '(1'": "character 1: '(' was never closed",
    "graph '3 = a'": "character 1: expected a single name before =",
    "graph 'a, b = 1, 2'": (
        "character 1: expected a single name before =, got 'a, b = 1, 2'"
    ),
    "graph '1; 2'": (
        "character 1: expected name = expression,"
        " as only the last part needs no name, got '1'"
    ),
    "graph 'import os'": (
        "character 1: expected an expression, or name = expression, got 'import os'"
    ),
    "graph 'a + b'": 'character 1: a has no value: put "a = 1;" before it',
    "graph 'sin(1)'": "character 1: expected the function log, exp or relu, got 'sin'",
    "graph 'log(1, 2)'": (
        "character 1: expected one number in the brackets of log, got 'log(1, 2)'"
    ),
    "graph '1 < 2'": (
        "character 1: expected a number, a name, + - * / **, log, exp or relu,"
        " got '1 < 2'"
    ),
    "graph '1 # one'": (
        "character 3: expected a number, a name, + - * / **, log, exp or relu, got '#'"
    ),
    "graph 'a = 2; b = 3; a ** b'": (
        "character 20: expected a plain number as exponent:"
        " write exp(b * log(a)) for a ** b"
    ),
    "graph 'a = 1; b = 0; a / b'": (
        "character 19: expected a divisor other than 0, got 'b'"
    ),
    "graph 'log(0)'": "character 1: expected a positive number in log, got 0",
    "graph '(-8) ** 0.5'": "character 1: (-8) ** 0.5 is not a real number",
    "graph '0 ** 0.5'": "character 1: 0 ** 0.5 has no finite slope",
    "graph 'exp(1000)'": (
        "character 1: expected a finite value and gradient, got 'exp(1000)'"
    ),
    f"graph '{'1 + ' * 300}1'": "expected at most 1,000 characters, got 1,201",
    f"graph -- {'-' * 900}1": (
        "the expression is nested too deeply: give parts of it a name"
    ),
    f"graph '{'+'.join(['(1+2*3)'] * 60)}'": (
        "a graph of 359 nodes is too large to draw; the limit is 200 nodes"
    ),
}
MESSAGES = WRONG_ARGUMENTS | CONFLICTING_OPTIONS | FAILURES

# What nobody would say, or what does not tell what to type
BANNED_WORDS = re.compile(
    r"\bis no\b|none of|so many|as long|domain error|invalid|Traceback|argument -|None"
)


@pytest.fixture
def message_folder(model_folder: Path) -> Path:
    """A folder with a dataset, a saved run and files that cannot be used."""
    whole = (model_folder / "model").read_text()
    texts = {
        "empty": "\n",
        "other": "emma\n",
        "json": "{}",
        "cut": whole[:2000],
        "alone": re.sub(r', "run": .*', "}", whole),
        "newer": '{"format": "microgpt", "version": 99}',
        "partial": '{"format": "microgpt", "version": 1, "weights": {}}',
    }
    for name, text in texts.items():
        (model_folder / name).write_text(text)
    (model_folder / "latin").write_bytes("anna\nzoë\n".encode("latin-1"))
    (model_folder / "utf16").write_bytes("anna\n".encode("utf-16-le"))
    (model_folder / "linked").hardlink_to(model_folder / "names")
    (model_folder / "folder").mkdir()
    return model_folder


@pytest.mark.parametrize(
    "command_line", MESSAGES, ids=lambda command_line: command_line[:50]
)
def test_wrong_command_gets_its_message_and_changes_nothing(
    message_folder: Path, command_line: str
) -> None:
    files = [path for path in message_folder.iterdir() if path.is_file()]
    before = {path: path.read_bytes() for path in files}
    result = run_microgpt(*shlex.split(command_line), cwd=message_folder)
    first = command_line.partition(" ")[0]
    command = first if first in ("train", "sample", "graph") else ""
    program = f"microgpt {command}".strip()
    end = f" (see {program} --help)\n" if command_line in WRONG_ARGUMENTS else "\n"
    message = result.stderr.removeprefix("microgpt: error: ").removesuffix(end)
    assert result.stderr == f"microgpt: error: {message}{end}"
    if "…" in message and len(message) > 300:  # what was typed was too long to repeat
        assert message.startswith(MESSAGES[command_line])
    else:
        assert message == MESSAGES[command_line]
    assert "\n" not in message and len(message) < 400
    assert not BANNED_WORDS.search(message)
    assert not re.search(r"[.!]( [A-Z]|$)", message)  # one sentence, without its dot
    assert result.returncode == (1 if command_line in FAILURES else 2)
    assert result.stdout == ""
    files = [path for path in message_folder.iterdir() if path.is_file()]
    assert {path: path.read_bytes() for path in files} == before


def find_messages(source: str) -> list[str]:
    """Return the pieces of text in what a program raises or exits with."""
    nodes = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Raise)
        or (isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".error"))
    ]
    return [
        part.value.strip()
        for node in nodes
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]


def test_every_message_of_the_command_line_is_tested() -> None:
    programs = [*ROOT.glob("microgpt/cli/*.py"), ROOT / "microgpt/expression.py"]
    pieces = {p for file in programs for p in find_messages(file.read_text("utf-8"))}
    table = "\n".join(MESSAGES.values())
    missing = {piece for piece in pieces if len(piece) > 8 and piece not in table}
    assert missing == {"microgpt train is one process: start it without torchrun"}
    assert len(pieces) > 30
