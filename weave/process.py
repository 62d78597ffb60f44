"""Programs that answer questions: each is a process of its own, asked line by line."""

import json
import os
import subprocess
import threading
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from typing import Any

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
        self._waiting: SimpleQueue[tuple[str, Future[Any]] | None] = SimpleQueue()
        self._asked: dict[str, Future[Any]] = {}
        self._process: subprocess.Popen[str] | None = None
        self._closed = False
        # Whoever is interrupted waits for no answer, so it is a daemon.
        threading.Thread(target=self._answer_all, daemon=True).start()

    def ask(self, question: object) -> Future[Any]:
        """Return what will be answered; its `result()` may raise Refused."""
        if self._closed:  # nothing would ever answer
            raise Refused("its program has ended with the build that asked it")
        line = json.dumps(question)
        if line not in self._asked:
            self._asked[line] = Future()
            self._waiting.put((line, self._asked[line]))
        return self._asked[line]

    def close(self) -> None:
        """End the process, and forget what nobody has waited for."""
        self._closed = True
        for answer in self._asked.values():
            answer.cancel()
        self._waiting.put(None)
        if self._process:
            self._process.kill()

    def _answer_all(self) -> None:
        while waiting := self._waiting.get():
            question, answer = waiting
            if answer.set_running_or_notify_cancel():
                try:
                    answer.set_result(self._answer(question))
                except Exception as error:  # noqa: BLE001  (whoever waits is told)
                    answer.set_exception(error)
        if self._process:
            self._process.kill()
            self._process.wait()

    def _answer(self, question: str) -> Any:
        if self._process is None or self._process.poll() is not None:
            self._process = self._start()
        process = self._process
        assert process.stdin and process.stdout
        timer = threading.Timer(TIME_LIMIT, process.kill)
        timer.start()
        try:
            process.stdin.write(f"{question}\n")
            process.stdin.flush()
            reply = process.stdout.readline()
        except OSError:
            reply = ""
        late = not timer.is_alive()
        timer.cancel()
        if not reply.endswith("\n"):
            process.kill()
            process.wait()
            limit = f"it ran for more than {TIME_LIMIT} s"
            raise Refused(limit if late else "its program stopped")
        ((name, answer),) = json.loads(reply).items()
        if name == "error":
            raise Refused(answer)
        return answer

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            cwd=self.root,
            start_new_session=True,  # Ctrl-C is for this process, which ends the other
            env=environment(self.root, self.root / "web", Path(__file__).parents[1]),
        )


def environment(*paths: Path) -> dict[str, str]:
    """Return this process's environment, with what Python is to import from."""
    path = os.pathsep.join(map(str, paths))
    return {**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}
