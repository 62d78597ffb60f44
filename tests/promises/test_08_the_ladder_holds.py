"""Each step's program runs without the package, too, and steps that should agree do."""

import json
import shutil
from itertools import islice
from pathlib import Path

import pytest

from snippets import step1, step2
from tests.marks import thorough
from tests.models import set_up_program
from tests.processes import ROOT, run_python
from weave.guide import Guide

LOSSES_ARGS: tuple[str, str] = ("--losses", "losses.jsonl")


def copy_download(program: str, folder: Path) -> list[str]:
    """Copy a download with its names to a folder; return the arguments to run it.

    With -I and -S, neither this tree nor installed packages can be imported.
    """
    folder.mkdir()
    for source in (f"docs/downloads/{program}.py", "microgpt/names.txt"):
        shutil.copy(ROOT / source, folder)
    return ["-I", "-S", str(folder / f"{program}.py")]


def read_logged_losses(folder: Path) -> list[float]:
    lines = (folder / LOSSES_ARGS[1]).read_text("utf-8").splitlines()
    return [json.loads(line)["loss"] for line in lines]


def run_ten_steps(program: list[str], folder: Path) -> tuple[list[str], list[str]]:
    """Run a program for ten steps; return the losses and the samples that it prints."""
    folder.mkdir(exist_ok=True)
    run = run_python(*program, "--steps", "10", cwd=folder)
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    losses = [line.partition("| loss ")[2] for line in lines if "| loss " in line]
    assert len(losses) == 10
    return losses, [line for line in lines if line.startswith("sample")]


def test_steps_1_and_2_give_the_same_losses() -> None:
    by_hand, by_graph = (
        [*islice(set_up_program(step)[1], 30)] for step in (step1, step2)
    )
    assert by_graph == pytest.approx(by_hand, rel=0, abs=1e-12)


@thorough
def test_step5_step6_package_and_gpt_py_print_the_same(tmp_path: Path) -> None:
    programs = {
        "alone": copy_download("gpt", tmp_path / "alone"),
        "package": ["-m", "microgpt", "train", *LOSSES_ARGS],
        "step6": [str(ROOT / "snippets" / "step6.py")],
        "step5": [str(ROOT / "snippets" / "step5.py"), *LOSSES_ARGS],
    }
    outputs = {n: run_ten_steps(words, tmp_path / n) for n, words in programs.items()}
    assert len(outputs["package"][1]) == 20
    assert all(output == outputs["package"] for output in outputs.values())
    exact, by_step5 = (read_logged_losses(tmp_path / n) for n in ("package", "step5"))
    assert by_step5 == pytest.approx(exact, rel=0, abs=1e-12)


def test_gpt_py_contains_the_excerpt_of_its_page(guide: Guide) -> None:
    text = (ROOT / "docs/downloads/gpt.py").read_text("utf-8")
    page = guide.read_page(Path("docs/inference/single-file.md"))
    _, excerpt = (fence.text for fence in page.fences if fence.directive("unchecked"))
    assert excerpt in text


def test_gpt_py_reports_a_bad_names_file_in_one_line(tmp_path: Path) -> None:
    command = copy_download("gpt", tmp_path / "alone")
    names = tmp_path / "alone" / "names.txt"
    for content in (b"", b"\xff\xfe\n", None):
        names.write_bytes(content) if content is not None else names.unlink()
        run = run_python(*command, cwd=tmp_path)
        (message,) = run.stderr.splitlines()
        assert message.startswith("error: ") and names.name in message
        assert run.returncode != 0 and run.stdout == ""


@pytest.mark.parametrize("number", range(6))
def test_downloaded_step_runs_without_the_package(number: int, tmp_path: Path) -> None:
    alone, whole = tmp_path / "alone", tmp_path / "whole"
    run_ten_steps([*copy_download(f"step{number}", alone), *LOSSES_ARGS], alone)
    checks = ["--check"] * (number == 1)
    program = str(ROOT / "snippets" / f"step{number}.py")
    run_ten_steps([program, *LOSSES_ARGS, *checks], whole)
    assert read_logged_losses(alone) == read_logged_losses(whole)
