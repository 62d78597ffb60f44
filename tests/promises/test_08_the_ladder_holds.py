"""Each step's program runs, alone as well, and steps that should agree do."""

import json
import shutil
from pathlib import Path

import pytest

from snippets import step1, step2
from tests.marks import thorough
from tests.models import InitializedProgram
from tests.processes import run_python
from tests.promises.site import ROOT
from weave.guide import Guide

STEPS = ("step0", "step1", "step2", "step3", "step4", "step5")
LOGGING = ("--losses", "losses.jsonl")


def output_of(command: list[str], folder: Path) -> str:
    """Run a program in a folder of its own; return what it prints."""
    folder.mkdir(exist_ok=True)
    run = run_python(*command, cwd=folder)
    assert run.returncode == 0, run.stderr
    return run.stdout


def downloaded(program: str, folder: Path) -> list[str]:
    """Download a program with its names; return how to run it there.

    With -I and -S, neither this tree nor installed packages can be imported.
    """
    folder.mkdir()
    for source in (f"docs/downloads/{program}.py", "microgpt/names.txt"):
        shutil.copy(ROOT / source, folder)
    return ["-I", "-S", str(folder / f"{program}.py")]


def logged(folder: Path) -> list[float]:
    lines = (folder / LOGGING[1]).read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["loss"] for line in lines]


def printed(program: list[str], folder: Path) -> tuple[list[str], list[str]]:
    """Run a program for ten steps; return the losses and the samples that it prints."""
    lines = output_of([*program, "--steps", "10"], folder).splitlines()
    losses = [line.partition("| loss ")[2] for line in lines if "| loss " in line]
    assert len(losses) == 10
    return losses, [line for line in lines if line.startswith("sample")]


def test_steps_1_and_2_give_the_same_losses() -> None:
    by_hand, by_graph = (
        InitializedProgram(program).losses(30) for program in (step1, step2)
    )
    assert by_graph == pytest.approx(by_hand, rel=0, abs=1e-12)


@thorough
def test_step5_step6_package_and_gpt_py_print_the_same_losses_and_samples(
    tmp_path: Path,
) -> None:
    """Losses and samples of step5.py, step6.py, the command line and gpt.py."""
    programs = {
        "alone": downloaded("gpt", tmp_path / "alone"),
        "package": ["-m", "microgpt", "train", *LOGGING],
        "step6": [str(ROOT / "snippets" / "step6.py")],
        "step5": [str(ROOT / "snippets" / "step5.py"), *LOGGING],
    }
    outputs = {n: printed(program, tmp_path / n) for n, program in programs.items()}
    assert len(outputs["package"][1]) == 20
    assert all(found == outputs["package"] for found in outputs.values())
    exact, by_step5 = (logged(tmp_path / n) for n in ("package", "step5"))
    assert by_step5 == pytest.approx(exact, rel=0, abs=1e-12)


def test_gpt_py_contains_its_page_excerpt_and_no_engine_code(
    guide: Guide,
) -> None:
    text = (ROOT / "docs/downloads/gpt.py").read_text(encoding="utf-8")
    assert not [word for word in ("Engine", "class Run", "State", "gc") if word in text]
    page = guide.read_page(Path("docs/inference/single-file.md"))
    _, excerpt = (fence.text for fence in page.fences if fence.directive("shown"))
    assert excerpt in text


def test_gpt_py_reports_a_bad_names_file_in_one_line(
    tmp_path: Path,
) -> None:
    command = downloaded("gpt", tmp_path / "alone")
    names = tmp_path / "alone" / "names.txt"
    for content in (b"", b"\xff\xfe\n", None):
        names.write_bytes(content) if content is not None else names.unlink()
        run = run_python(*command, cwd=tmp_path)
        (said,) = run.stderr.splitlines()
        assert said.startswith("error: ") and names.name in said
        assert run.returncode != 0 and run.stdout == ""


@pytest.mark.parametrize("step", STEPS)
def test_downloaded_step_program_runs_without_the_package(
    step: str, tmp_path: Path
) -> None:
    alone, whole = tmp_path / "alone", tmp_path / "whole"
    printed([*downloaded(step, alone), *LOGGING], alone)
    checks = ["--check"] * (step == "step1")
    printed([str(ROOT / "snippets" / f"{step}.py"), *LOGGING, *checks], whole)
    assert logged(alone) == logged(whole)
