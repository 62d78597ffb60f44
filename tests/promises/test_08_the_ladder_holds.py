"""Each step's program runs, alone as well, and steps that should agree do."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.promises.site import ROOT

STEPS = ("step1", "step2", "step3", "step4", "step5")


def losses_of(program: list[str], folder: Path) -> list[float]:
    """Run a program for ten steps in a folder of its own; return its losses."""
    folder.mkdir(exist_ok=True)
    out = folder / "losses.jsonl"
    command = [sys.executable, *program, "--steps", "10", "--losses", str(out)]
    run = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("| loss ") == 10
    samples = [line for line in run.stdout.splitlines() if line.startswith("sample")]
    (folder / "samples").write_text("\n".join(samples), encoding="utf-8")
    lines = out.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["loss"] for line in lines]


def test_steps_1_and_2_give_the_same_losses(tmp_path: Path) -> None:
    by_hand, by_graph = (
        losses_of([str(ROOT / "snippets" / f"{step}.py")], tmp_path / step)
        for step in ("step1", "step2")
    )
    assert by_graph == pytest.approx(by_hand, rel=0, abs=1e-12)


def test_the_last_step_the_package_and_the_one_file_give_the_same(
    tmp_path: Path,
) -> None:
    """Losses and samples of step5.py, step6.py, the command line and microgpt.py."""
    alone = tmp_path / "alone"
    alone.mkdir()
    for source in ("docs/downloads/microgpt.py", "microgpt/names.txt"):
        (alone / Path(source).name).write_bytes((ROOT / source).read_bytes())
    programs = {
        "alone": ["-I", "-S", str(alone / "microgpt.py")],
        "package": ["-m", "microgpt", "train"],
        "step6": [str(ROOT / "snippets" / "step6.py")],
        "step5": [str(ROOT / "snippets" / "step5.py")],
    }
    losses, samples = {}, {}
    for name, program in programs.items():
        folder = tmp_path / name
        losses[name] = losses_of(program, folder)
        samples[name] = (folder / "samples").read_text(encoding="utf-8").splitlines()
    assert losses["alone"] == losses["package"] == losses["step6"]
    assert losses["step5"] == pytest.approx(losses["package"], rel=0, abs=1e-12)
    assert len(samples["package"]) == 20
    assert all(found == samples["package"] for found in samples.values())


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe\n"])
def test_the_one_file_says_in_a_sentence_what_is_wrong_with_its_names(
    content: bytes | None, tmp_path: Path
) -> None:
    program = ROOT / "docs/downloads/microgpt.py"
    (tmp_path / "microgpt.py").write_bytes(program.read_bytes())
    names = tmp_path / "names.txt"
    if content is not None:
        names.write_bytes(content)
    run = subprocess.run(
        [sys.executable, "-I", "-S", "microgpt.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert run.returncode != 0
    assert run.stdout == ""
    (said,) = run.stderr.splitlines()
    assert said.startswith("error: ")
    assert str(names) in said


@pytest.mark.parametrize("step", STEPS)
def test_a_downloaded_step_runs_without_the_package(step: str, tmp_path: Path) -> None:
    folder = tmp_path / "download"
    folder.mkdir()
    for source in (f"docs/downloads/{step}.py", "microgpt/names.txt"):
        file = ROOT / source
        (folder / file.name).write_bytes(file.read_bytes())
    # -I and -S: neither this tree nor installed packages can be imported.
    alone = losses_of(["-I", "-S", str(folder / f"{step}.py")], folder)
    whole = losses_of([str(ROOT / "snippets" / f"{step}.py")], tmp_path / "whole")
    assert alone == whole


@pytest.mark.parametrize(
    ("step", "later"),
    [
        ("step2", ("class GPT", "class Config", "def attend", "class Run")),
        ("step3", ("class GPT", "class Config", "class Run")),
        ("step5", ("class Run",)),
    ],
)
def test_a_download_holds_nothing_of_later_steps(
    step: str, later: tuple[str, ...]
) -> None:
    text = (ROOT / "docs/downloads" / f"{step}.py").read_text(encoding="utf-8")
    assert not [name for name in later if name in text]
