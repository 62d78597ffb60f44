"""Processes that answer requests in JSON: time limit, crash, and end."""

import gc
import os
import sys
import time
from pathlib import Path

import pytest

from tests.weave.conftest import Project
from weave import json_process
from weave.json_process import JsonProcess, RequestError

NODE_PID_PROGRAM = """\
import { createInterface } from "node:readline";
for await (const line of createInterface(process.stdin))
  console.log(JSON.stringify({ svg: process.pid }));
"""


def start_python_process(program: str) -> JsonProcess:
    return JsonProcess(Path(), sys.executable, "-c", program)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_request_fails_after_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_process, "TIMEOUT_S", 1)
    with pytest.raises(RequestError, match=r"^it ran for more than 1 s$"):
        start_python_process("input(); import time; time.sleep(60)").request({})


def test_request_fails_if_the_program_exits_while_answering() -> None:
    text = "input(); print('{', end='', flush=True); raise SystemExit(3)"
    program = start_python_process(text)
    with pytest.raises(RequestError, match=r"^its process ended before it answered$"):
        program.request({})


def test_drawing_program_ends_when_its_guide_is_freed(project: Project) -> None:
    project.write("web/dist/draw.mjs", NODE_PID_PROGRAM)
    guide = project.guide
    assert guide.drawing_process
    pid = guide.drawing_process.request({})
    assert is_running(pid)
    del guide
    gc.collect()
    until = time.monotonic() + 10
    while is_running(pid):
        assert time.monotonic() < until
        time.sleep(0.05)
