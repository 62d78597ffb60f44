"""Training, sampling and graphs from the command line, as a shell runs them."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from functools import partial
from pathlib import Path
from signal import SIG_DFL, SIGHUP, SIGINT, SIGKILL, SIGTERM, signal

import pytest

from microgpt.checkpoint import CheckpointError, load_run
from microgpt.cli.parser import parse_command_line
from microgpt.cli.train import save_checkpoint_or_copy
from microgpt.data import load_names
from microgpt.model import Config
from tests.processes import ROOT, CompletedProcess, run_python

from .helpers import (
    NAMES,
    SAMPLE_LABELS,
    SIZE_OPTIONS,
    VOCAB_SIZE,
    microgpt_command,
    run_microgpt,
    subprocess_environment,
    train_argv,
    wait_for_step,
)

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
STEP_LINE_PATTERN = re.compile(r"step +(\d+) / +(\d+) \| loss (\d+\.\d{4})")


def run_train(folder: Path, *options: object) -> CompletedProcess:
    return run_microgpt("train", "--docs", "names", *options, cwd=folder)


def start_training(dataset_folder: Path, *options: object) -> subprocess.Popen[str]:
    """Start `microgpt train` in the background; return the process."""
    return subprocess.Popen(
        train_argv(*options),
        cwd=dataset_folder,
        env=subprocess_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Undo that a shell lets its background processes ignore Ctrl-C.
        preexec_fn=partial(signal, SIGINT, SIG_DFL),  # noqa: PLW1509
    )


def test_infinite_loss_ends_training_and_keeps_files(dataset_folder: Path) -> None:
    diverging = ("--learning-rate", 1, "--steps", 40, "--save-every", 1)
    first = run_train(dataset_folder, *diverging, "--save", "f", "--stop-after", 1)
    assert first.returncode == 0
    before = (dataset_folder / "f").read_bytes()
    result = run_train(dataset_folder, *diverging[:4], "--save", "f", "--losses", "g")
    steps = STEP_LINE_PATTERN.findall(result.stdout)
    message = f"the loss is not finite at step {len(steps) + 1}: begin a new run with"
    assert result.stderr == f"microgpt: error: {message} a learning rate below 1\n"
    assert (result.returncode, "sample" in result.stdout) == (1, False)
    assert (dataset_folder / "f").read_bytes() == before
    lines = (dataset_folder / "g").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [*range(1, len(steps) + 1)]


def test_train_command_prints_each_step_and_20_samples(dataset_folder: Path) -> None:
    result = run_train(
        dataset_folder, *SIZE_OPTIONS, "--steps", 3, "--losses", "losses"
    )
    first, *lines = result.stdout.splitlines()
    assert (result.returncode, result.stderr) == (0, "")
    assert first == "26 documents | vocabulary 27 | 440 parameters"
    logged = map(json.loads, (dataset_folder / "losses").open())
    steps = [f"step {x['step']:4d} /    3 | loss {x['loss']:.4f}" for x in logged]
    assert lines[:3] == steps
    assert [line[:11] for line in lines[3:]] == SAMPLE_LABELS


def test_train_command_says_how_many_documents_are_cut(dataset_folder: Path) -> None:
    result = run_train(dataset_folder, "--context", 4, "--steps", 1)
    longer = sum(len(name) >= 4 for name in NAMES)
    note = f"{longer} of them are longer than --context 4 and are cut"
    assert result.stdout.splitlines()[1] == note


def test_train_options_set_model_sizes_and_run_settings(dataset_folder: Path) -> None:
    sizes = "--layers 2 --heads 3 --width 6 --context 5"
    options = f"{sizes} --seed 7 --batch 3 --learning-rate 0.1 --steps 1 --save model"
    assert run_train(dataset_folder, *options.split()).returncode == 0
    run = load_run(dataset_folder / "model", NAMES)
    assert run.config == Config(VOCAB_SIZE, 2, 6, 3, 5)
    assert (run.seed, run.batch_size, run.learning_rate) == (7, 3, 0.1)


def test_resumed_run_equals_an_uninterrupted_run(dataset_folder: Path) -> None:
    nine_steps = (*SIZE_OPTIONS, "--steps", 9)
    whole = run_train(dataset_folder, *nine_steps, "--losses", "a")
    files = ("--losses", "b", "--save", "model")
    first = run_train(dataset_folder, *nine_steps, "--stop-after", 4, *files)
    resume = ("--resume", "model")
    then = run_train(dataset_folder, *resume, "--stop-after", 6, *files)
    last = run_train(dataset_folder, *resume, "--steps", 9, "--seed", 42, *files)
    lines = whole.stdout.splitlines()
    assert first.stdout.splitlines()[:5] == lines[:5]
    assert then.stdout.splitlines()[:3] == [lines[0], *lines[5:7]]
    assert last.stdout.splitlines() == [lines[0], *lines[7:]]
    assert (dataset_folder / "a").read_bytes() == (dataset_folder / "b").read_bytes()


@pytest.mark.parametrize(
    ("sent", "status"), [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129), (SIGKILL, -9)]
)
def test_run_ended_by_a_signal_resumes_from_its_last_save(
    dataset_folder: Path, sent: int, status: int
) -> None:
    options = ("--steps", 5000, "--losses", "losses")
    saving = ("--save", "model", "--save-every", 10)
    process = start_training(dataset_folder, *options, *saving)
    wait_for_step(process, 14)
    process.send_signal(sent)
    _, errors = process.communicate(timeout=60)
    saved = load_run(dataset_folder / "model", NAMES).steps_taken
    logged = len((dataset_folder / "losses").read_text().splitlines())
    assert process.returncode == status
    if sent == SIGKILL:
        assert errors == ""
        assert saved >= 10 and saved % 10 == 0 and logged >= saved
    else:
        advice = "go on with --resume model"
        assert errors == f"microgpt: stopped after step {saved}; {advice}\n"
        assert logged == saved >= 14
    stop = ("--stop-after", saved + 3)
    resumed = run_train(dataset_folder, "--resume", "model", *options, *stop)
    whole = run_train(
        dataset_folder, *SIZE_OPTIONS, *options[:2], "--losses", "whole", *stop
    )
    assert resumed.stdout.splitlines()[1:] == whole.stdout.splitlines()[saved + 1 :]
    first, second = (dataset_folder / name for name in ("losses", "whole"))
    assert first.read_bytes() == second.read_bytes()


def test_closed_output_pipe_ends_training_without_error(dataset_folder: Path) -> None:
    process = start_training(dataset_folder, "--steps", 300, "--save", "model")
    wait_for_step(process, 5)
    assert process.stdout and process.stderr
    process.stdout.close()
    assert process.wait(timeout=60) == 141
    assert process.stderr.read() == ""
    assert load_run(dataset_folder / "model", NAMES).steps_taken < 300


def test_sample_command_follows_count_prompt_and_seed(model_folder: Path) -> None:
    options = ("sample", "--model", "model", "--temperature", 2)
    five = (*options, "--count", 5, "--prompt", "an", "--seed")
    first, again, other = (
        run_microgpt(*five, seed, cwd=model_folder) for seed in (1, 1, 2)
    )
    assert first.stdout == again.stdout != other.stdout
    lines = first.stdout.splitlines()
    assert len(lines) == 5
    assert all(line.startswith("an") for line in lines)
    assert len(run_microgpt(*options, cwd=model_folder).stdout.splitlines()) == 20


def test_save_keeps_a_foreign_file_and_writes_beside_it(
    model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(model_folder)
    run = load_run("model", load_names("names"))
    Path("other").write_text("step,loss\n")
    with pytest.raises(CheckpointError) as raised:
        save_checkpoint_or_copy("other", run)
    assert Path("other").read_text() == "step,loss\n"
    beside = f"other-step-{run.steps_taken}"
    assert raised.value.__notes__ == [f"the run is saved as {beside}"]
    assert load_run(beside, load_names("names")).steps_taken == run.steps_taken


@pytest.mark.parametrize(
    ("content", "number"),
    [
        ('{"step": 0, "acc": 1}', 1),
        ('{"step": 1, "loss": 3.0, "rate": 0.1}\n', 1),
        ('{"step": 1, "loss": 3.0}\n{"step": 1, "loss": 3.0}\n', 2),
        ('{"step": 5', 1),
        ('{"step": 1, "loss": 3.0}\nwarmer from here', 2),
        ("42", 1),
    ],
)
def test_losses_option_refuses_the_log_of_another_program(
    model_folder: Path, content: str, number: int
) -> None:
    path = model_folder / "log"
    path.write_text(content)
    result = run_train(model_folder, "--resume", "model", "--losses", "log")
    reason = (
        f"log exists and is not a losses file (microgpt did not write line {number})"
    )
    advice = "so it was not overwritten: give --losses a new file name"
    assert result.stderr == f"microgpt: error: {reason}, {advice}\n"
    assert path.read_text() == content


@pytest.mark.parametrize("cut", range(0, 44, 4))
def test_losses_file_with_a_cut_last_line_is_continued_or_restarted(
    model_folder: Path, cut: int
) -> None:
    """Resuming keeps the lines up to the saved step; a new run replaces them all."""
    whole_lines = b'{"step": 1, "loss": 3.0}\n{"step": 2, "loss": null}\n'
    later = b'{"step": 3, "loss": 3.1234567890123457}\n'
    (model_folder / "log").write_bytes(whole_lines + later[: len(later) - cut])
    resumed = run_train(model_folder, "--resume", "model", "--losses", "log")
    assert resumed.returncode == 0
    assert (model_folder / "log").read_bytes() == whole_lines
    new = run_train(model_folder, *SIZE_OPTIONS, "--steps", 1, "--losses", "log")
    assert new.returncode == 0
    assert [json.loads(row)["step"] for row in (model_folder / "log").open()] == [1]


@pytest.mark.parametrize(
    ("command_line", "status", "message"),
    [
        pytest.param("graph 1+2 > /dev/full", 1, "No space left", marks=on_linux),
        ("train --docs names --steps 1 >&-", 0, ""),
        ("train --docs names --steps 1 >&- 2>&-", 0, ""),
        ("sample --model nowhere 2>&-", 1, ""),
    ],
)
def test_command_handles_full_or_closed_output_streams(
    dataset_folder: Path, command_line: str, status: int, message: str
) -> None:
    """A closed output is not an error, and no message goes to the standard output."""
    line = f"{shlex.join(microgpt_command())} {command_line}"
    result = subprocess.run(
        ["sh", "-c", line],
        cwd=dataset_folder,
        env=subprocess_environment(),
        check=False,
        capture_output=True,
        text=True,
    )
    assert (result.returncode, result.stdout) == (status, "")
    assert message in result.stderr and bool(message) == bool(result.stderr)


def test_graph_command_prints_gradients_as_mermaid_or_table(tmp_path: Path) -> None:
    text = "a = 2; b = 3; a * b + a"
    drawn = run_microgpt("graph", text, cwd=tmp_path)
    again = run_microgpt("graph", text, "--format", "mermaid", cwd=tmp_path)
    assert drawn.stdout == again.stdout
    assert '    n0["a<br/>data 2<br/>grad 4"]\n' in drawn.stdout
    table = run_microgpt("graph", text, "--format", "text", cwd=tmp_path)
    assert re.search(r"^n0 +a +2 +4$", table.stdout, re.MULTILINE)


def test_version_option_prints_the_project_version(tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    result = run_microgpt("--version", cwd=tmp_path)
    assert result.stdout == f"microgpt {project['version']}\n"


def test_package_imports_only_the_standard_library() -> None:
    program = """
import sys
before = set(sys.modules)
import microgpt
assert "microgpt.cli" not in sys.modules
import microgpt.cli, pkgutil
for package in (microgpt, microgpt.cli):
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if module.name != "microgpt.__main__":
            __import__(module.name)
roots = {name.partition(".")[0] for name in set(sys.modules) - before}
print(sorted(roots - sys.stdlib_module_names - {"microgpt"}))
"""
    assert run_python("-c", program).stdout == "[]\n"


@pytest.mark.parametrize(
    ("alias", "option"),
    [
        ("train --dataset f", "train --docs f"),
        ("train --max-iters 9", "train --steps 9"),
        ("train --max_steps=9", "train --steps 9"),
        ("train --batch_size 2", "train --batch 2"),
        ("train --lr 0.1", "train --learning-rate 0.1"),
        ("train --learning_rate=0.1", "train --learning-rate 0.1"),
        ("train --n-layer 3", "train --layers 3"),
        ("train --n_head 2", "train --heads 2"),
        ("train --n_embd=8", "train --width 8"),
        ("train --block-size 5", "train --context 5"),
        ("train --dtype float32", "train --precision float32"),
        ("train --out f", "train --save f"),
        ("train --save_steps 4", "train --save-every 4"),
        ("train --stop_after 5", "train --stop-after 5"),
        ("train --resume_from_checkpoint f --or_begin", "train --resume f --or-begin"),
        ("sample --num_samples 3", "sample --count 3"),
        ("sample --start ma", "sample --prompt ma"),
        ("sample --temp 1 --top_k 5", "sample --temperature 1 --top-k 5"),
        ("sample --checkpoint f --top_p 0.9", "sample --model f --top-p 0.9"),
    ],
)
def test_option_names_of_nanogpt_and_hugging_face_are_accepted(
    alias: str, option: str
) -> None:
    parsed = parse_command_line(alias.split())
    assert parsed == parse_command_line(option.split())


def test_top_k_and_top_p_options_remove_unlikely_characters(tmp_path: Path) -> None:
    greedy = run_microgpt("sample", "--top-k", 1, "--count", 3, cwd=tmp_path)
    assert len(set(greedy.stdout.split())) == 1
    narrow = run_microgpt("sample", "--top-p", 0.0001, "--count", 3, cwd=tmp_path)
    assert narrow.stdout == greedy.stdout


@pytest.mark.parametrize("command", ["", "train", "sample", "graph"])
def test_help_text_fits_80_columns_and_shows_no_alias(
    command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    result = run_microgpt(*command.split(), "--help", cwd=tmp_path)
    assert max(map(len, result.stdout.splitlines())) < 80
    options = re.findall(r"^  (-.*?)(?:  |$)", result.stdout, re.MULTILINE)
    assert options[0] == "-h, --help"
    assert not [option for option in options if "_" in option or "--lr" in option]
