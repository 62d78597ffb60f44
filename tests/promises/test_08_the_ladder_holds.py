"""Each step's program runs, alone as well, and steps that should agree do."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.promises.site import ROOT

STEPS = ("step1", "step2")


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
    lines = out.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["loss"] for line in lines]


def test_steps_1_and_2_give_the_same_losses(tmp_path: Path) -> None:
    by_hand, by_graph = (
        losses_of([str(ROOT / "snippets" / f"{step}.py")], tmp_path / step)
        for step in STEPS
    )
    assert by_graph == pytest.approx(by_hand, rel=0, abs=1e-12)


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


def test_the_download_of_step_2_holds_nothing_of_later_steps() -> None:
    text = (ROOT / "docs/downloads/step2.py").read_text(encoding="utf-8")
    for later in ("class GPT", "class Config", "def attend", "class Run"):
        assert later not in text
