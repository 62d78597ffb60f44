"""Programs that answer: each is asked in order, and ends when it is to."""

import gc
import os
import sys
import time
from pathlib import Path

import pytest

from tests.weave.conftest import Project
from weave import process
from weave.process import Program, Refused

DRAWS = """\
import { createInterface } from "node:readline";
for await (const line of createInterface(process.stdin))
  console.log(JSON.stringify({ svg: process.pid }));
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
    monkeypatch.setattr(process, "TIME_LIMIT", 1)
    with pytest.raises(Refused, match=r"^it ran for more than 1 s$"):
        answering("input(); import time; time.sleep(60)").ask({})


def test_a_program_that_stops_while_it_answers_is_told() -> None:
    program = answering("input(); print('{', end='', flush=True); raise SystemExit(3)")
    with pytest.raises(Refused, match=r"^its program stopped$"):
        program.ask({})


def test_a_program_ends_with_the_guide_that_it_draws_for(project: Project) -> None:
    project.write("web/dist/draw.mjs", DRAWS)
    guide = project.guide
    assert guide.drawer
    pid = guide.drawer.ask({})
    assert is_running(pid)
    del guide
    gc.collect()
    until = time.monotonic() + 10
    while is_running(pid):
        assert time.monotonic() < until
        time.sleep(0.05)
