"""Sessions: commands on a shell's command line, and what each of them prints."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from weave.corrections import Finding, correct_fence_body, first_new_line
from weave.guide import Guide
from weave.json_process import python_environment
from weave.kinds.shown import Shown
from weave.results import RunResults

TIME_LIMIT = 120  # seconds for a command
SHELL = 'microgpt() { "$PYTHON" -m microgpt "$@"; }; (exit "$LAST"); '


class Session(Shown):
    """Lines that begin with `$ ` are commands; what stands below each is its output.

    They run one after the other in an empty folder; `microgpt` is the program of this
    project.
    """

    language = name = "session"
    highlighted = "console"
    directive = ""

    @property
    def typed(self) -> list[str]:
        """The commands."""
        return [line[2:] for line in self.fence.body if line.startswith("$ ")]

    def read(self) -> None:
        """Refuse output without a command above it."""
        if not self.fence.text.startswith("$ "):
            raise self.error("a session begins with '$ ' and a command")

    def check(self, guide: Guide, results: RunResults) -> Iterator[Finding]:
        """Compare the session with what its commands print today."""
        told = results.session_outputs.get(self.line)
        if told is not None and self.fence.text != told:
            new = first_new_line(self.fence.text, told)
            message = f"the session prints something else: {new}"
            yield correct_fence_body(self.fence, self.page.path, told, message)

    def run(self, root: Path) -> str:
        """Return the session with what its commands print today."""
        shown, settings = "", {"PYTHON": sys.executable, "COLUMNS": "74", "LAST": "0"}
        settings["PYTHONUNBUFFERED"] = "1"  # output and errors in the order of writing
        with tempfile.TemporaryDirectory() as folder:
            for command in self.typed:
                try:
                    done = subprocess.run(
                        ["sh", "-c", SHELL + command],
                        cwd=folder,
                        stdin=subprocess.DEVNULL,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.STDOUT,
                        text=True,
                        encoding="utf-8",
                        timeout=TIME_LIMIT,
                        check=False,
                        env=python_environment(root) | settings,
                    )
                except subprocess.TimeoutExpired:
                    message = f"{command!r} ran for more than {TIME_LIMIT} s"
                    raise self.error(message) from None
                settings["LAST"], printed = str(done.returncode), done.stdout
                end = "" if printed.endswith("\n") or not printed else "\n"
                shown += f"$ {command}\n{printed}{end}"
        return shown
