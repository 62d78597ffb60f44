"""Programs that answer questions: each is a process of its own, asked line by line.

The project's Python answers in one that imports it anew, because this process may know an
older state of it; `weave.answers` is what runs there.
"""

import atexit
import json
import os
import subprocess
import sys
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from weave.bundle import PACKAGES
from weave.files import State, state

TIME_LIMIT = 300  # seconds; what a reader waits for is far shorter


class Refused(ValueError):
    """A program gives no answer to a question; says why."""


class Program:
    """A program that gets questions in JSON and answers each with a line of it.

    An answer is an object with one entry; if that is its `error`, there is none. The
    process starts with the first question, and each question is asked once.
    """

    def __init__(self, root: Path, *command: str | Path) -> None:
        self.root, self.command = root, command
        self._line = ThreadPoolExecutor(1)  # where questions wait
        self._asked: dict[str, Future[Any]] = {}
        self._process: subprocess.Popen[str] | None = None

    def ask(self, question: object) -> Future[Any]:
        """Return what will be answered; its `result()` may raise Refused."""
        line = json.dumps(question)
        if line not in self._asked:
            self._asked[line] = self._line.submit(self._answer, line)
        return self._asked[line]

    def close(self) -> None:
        """End the process, and forget what nobody has waited for."""
        self._line.shutdown(wait=False, cancel_futures=True)
        if self._process is not None:
            self._process.kill()

    def _answer(self, question: str) -> Any:
        process = self._process
        if process is None or process.poll() is not None:
            process = self._process = self._start()
        assert process.stdin and process.stdout
        late = threading.Timer(TIME_LIMIT, process.kill)
        late.start()
        try:
            process.stdin.write(f"{question}\n")
            process.stdin.flush()
            reply = process.stdout.readline()
        except BrokenPipeError:
            reply = ""
        finally:
            in_time = not late.finished.is_set()
            late.cancel()
        if not reply:
            process.wait()
            limit = f"it ran for more than {TIME_LIMIT} s"
            raise Refused("its program stopped" if in_time else limit)
        ((name, answer),) = json.loads(reply).items()
        if name == "error":
            raise Refused(answer)
        return answer

    def _start(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=self.root,
            env=environment(self.root, self.root / "web", Path(__file__).parents[1]),
        )
        atexit.register(process.kill)
        return process


def environment(*paths: Path) -> dict[str, str]:
    """Return this process's environment, with what Python is to import from."""
    path = os.pathsep.join(map(str, paths))
    return {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}


_latest: tuple[tuple[Path, State], Program] | None = None


def answers(root: Path) -> Program:
    """Return what answers for the Python of a project as it stands now."""
    global _latest
    now = root, state(root, *PACKAGES, "docs/data", "web/pictures")
    if _latest is None or _latest[0] != now:
        if _latest is not None:
            _latest[1].close()
        _latest = now, Program(root, sys.executable, "-m", "weave.answers")
    return _latest[1]
