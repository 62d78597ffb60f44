"""Programs that answer questions: each is a process of its own, asked line by line."""

import json
import os
import subprocess
import weakref
from pathlib import Path
from threading import Lock, Timer
from time import monotonic
from typing import Any

TIMEOUT_S = 300  # seconds; what a reader waits for is far shorter


class RequestError(ValueError):
    """A program gives no answer to a question; says why."""


class JsonProcess:
    """A program that gets questions in JSON and answers each with a line of it.

    An answer is an object with one entry; if that is its `error`, there is none. The
    process starts with the first question, each question is asked once, and it ends with
    whoever asks.
    """

    def __init__(self, root: Path, *command: str | Path) -> None:
        self.root, self.command = root, command
        self._answers: dict[str, tuple[str, Any]] = {}
        self._process: subprocess.Popen[str] | None = None
        self._lock = Lock()

    def request(self, question: object) -> Any:
        """Return what is answered; raise Refused if nothing is."""
        line = json.dumps(question)
        with self._lock:
            if line not in self._answers:
                self._answers[line] = self._send(line)
        name, answer = self._answers[line]
        if name == "error":
            raise RequestError(answer)
        return answer

    def _send(self, question: str) -> tuple[str, Any]:
        if self._process is None or self._process.poll() is not None:
            self._process = self._start()
        process, reply, begun = self._process, "", monotonic()
        assert process.stdin and process.stdout
        timer = Timer(TIMEOUT_S, process.kill)
        timer.start()
        try:
            process.stdin.write(f"{question}\n")
            process.stdin.flush()
            reply = process.stdout.readline()
        except OSError:
            pass  # which is told below
        timer.cancel()
        if reply.endswith("\n"):
            ((name, answer),) = json.loads(reply).items()
            return name, answer
        _kill(self._process)
        if monotonic() - begun >= TIMEOUT_S:
            return "error", f"it ran for more than {TIMEOUT_S} s"
        return "error", "its program stopped"

    def _start(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=self.root,
            start_new_session=True,  # Ctrl-C is for this process, which ends the other
            env=environment_with_imports(
                self.root, self.root / "web", Path(__file__).parents[1]
            ),
        )
        weakref.finalize(self, _kill, process)
        return process


def _kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()


def environment_with_imports(*paths: Path) -> dict[str, str]:
    """Return this process's environment, with what Python is to import from."""
    path = os.pathsep.join(map(str, paths))
    return {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
