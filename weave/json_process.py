"""A helper process that answers requests, each a line of JSON on its standard input."""

import json
import os
import subprocess
import weakref
from pathlib import Path
from threading import Lock, Timer
from time import monotonic
from typing import Any

TIMEOUT_S = 300  # for one request; what a reader waits for takes far less


class RequestError(ValueError):
    """A helper process could not answer a request; the message says why."""


class JsonProcess:
    """A process that is sent JSON requests, one at a time, and answers each with a line.

    An answer is an object with one entry: `error` with a message, or any other name with
    the result. The process starts with the first request, and ends when this object is
    deleted. Answers are cached, so equal requests are sent once. Threads may share it.
    """

    def __init__(self, root: Path, *command: str | Path) -> None:
        """Store the command, and the folder of the project to run it in."""
        self.root, self.command = root, command
        self._answers: dict[str, tuple[str, Any]] = {}
        self._process: subprocess.Popen[str] | None = None
        self._lock = Lock()

    def request(self, content: object) -> Any:
        """Send a request, anything that JSON can hold, and return the result.

        Raises:
            RequestError: The answer is an error, takes longer than `TIMEOUT_S`, or
                does not come because the process has ended.
        """
        line = json.dumps(content)
        with self._lock:
            if line not in self._answers:
                self._answers[line] = self._send(line)
        name, result = self._answers[line]
        if name == "error":
            raise RequestError(result)
        return result

    def _send(self, line: str) -> tuple[str, Any]:
        if self._process is None or self._process.poll() is not None:
            self._process = self._start()
        process, reply, start = self._process, "", monotonic()
        assert process.stdin and process.stdout
        timer = Timer(TIMEOUT_S, process.kill)
        timer.start()
        try:
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
            reply = process.stdout.readline()
        except OSError:
            pass  # the process has ended: without a whole line, an error is returned
        timer.cancel()
        if reply.endswith("\n"):
            ((name, result),) = json.loads(reply).items()
            return name, result
        _kill(process)
        if monotonic() - start >= TIMEOUT_S:
            return "error", f"it ran for more than {TIMEOUT_S} s"
        return "error", "its process ended before it answered"

    def _start(self) -> subprocess.Popen[str]:
        folders = self.root, self.root / "web", Path(__file__).parents[1]
        process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=self.root,
            start_new_session=True,  # Ctrl-C is for this process, which ends the other
            env=python_environment(*folders),
        )
        weakref.finalize(self, _kill, process)
        return process


def _kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()


def python_environment(*import_paths: Path) -> dict[str, str]:
    """Return the environment variables of this process, changed for a process of Python.

    It imports from these folders first, and prints UTF-8 on every system.
    """
    path = os.pathsep.join(map(str, import_paths))
    return {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
