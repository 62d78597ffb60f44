"""Programs that answer: each is asked in order, and ends when it is to."""

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.processes import ROOT
from tests.weave.conftest import Project
from weave import process
from weave.guide import Guide
from weave.process import Program, Refused

DRAWS = """\
import { createInterface } from "node:readline";
for await (const line of createInterface(process.stdin))
  console.log(JSON.stringify({ svg: process.pid }));
"""
INTERRUPTED = """\
import signal, sys, time
from pathlib import Path
from weave.guide import Guide

signal.signal(signal.SIGINT, signal.default_int_handler)
guide = Guide(Path.cwd())
asked = guide.answers
asked.ask({"exercise": "tanh", "program": ""}).result()
for seconds in range(60, 63):
    program = f"import time; time.sleep({seconds})"
    asked.ask({"exercise": "tanh", "program": program})
print("ready", flush=True)
for _ in range(600):
    time.sleep(0.1)
"""


def answering(program: str) -> Program:
    return Program(Path(), sys.executable, "-c", program)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_program_that_runs_for_too_long_is_told_by_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def kill_slowly(child: subprocess.Popen[str]) -> None:
        kill(child)
        time.sleep(0.5)

    kill = subprocess.Popen.kill
    monkeypatch.setattr(process, "TIME_LIMIT", 1)
    monkeypatch.setattr(subprocess.Popen, "kill", kill_slowly)
    with pytest.raises(Refused, match=r"^it ran for more than 1 s$"):
        answering("input(); import time; time.sleep(60)").ask({}).result()


@pytest.mark.parametrize("said", ["", "print('{', end='', flush=True); "])
def test_a_program_that_stops_while_it_answers_is_told(said: str) -> None:
    program = answering(f"input(); {said}raise SystemExit(3)")
    with pytest.raises(Refused, match=r"^its program stopped$"):
        program.ask({}).result()


def test_what_waits_when_a_program_is_closed_is_cancelled() -> None:
    program = answering("import time; time.sleep(60)")
    first, second = program.ask(1), program.ask(2)
    while not first.running():
        time.sleep(0.01)
    program.close()
    assert second.cancelled()
    with pytest.raises(Refused, match="its program has ended"):
        program.ask(3)


@pytest.mark.parametrize("end", [Guide.close, lambda guide: None])
def test_programs_end_with_the_guide_that_they_draw_for(
    project: Project, end: Callable[[Guide], None]
) -> None:
    project.write("web/dist/draw.mjs", DRAWS)
    guide = project.guide
    assert guide.drawer
    pid = guide.drawer.ask({}).result()
    assert is_running(pid)
    end(guide)
    del guide
    gc.collect()
    until = time.monotonic() + 10
    while is_running(pid):
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_all_at_once_and_no_child_prints_a_traceback() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert parent.stdout and parent.stdout.readline() == "ready\n"
    os.killpg(parent.pid, signal.SIGINT)
    try:
        _, said = parent.communicate(timeout=20)
    finally:
        parent.kill()
    assert said.count("Traceback") == 1
    assert said.endswith("KeyboardInterrupt\n")
