"""Shell sessions: commands on a command line, and what each of them prints."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from weave.corrections import first_new_line
from weave.errors import WeaveError
from weave.fences.base import TypedFence
from weave.guide import Guide
from weave.json_process import python_environment
from weave.results import RunResults

COMMAND_TIMEOUT_S = 120  # of one command
MICROGPT_SHELL_FUNCTION = 'microgpt() { "$PYTHON" -m microgpt "$@"; }'


class ShellSession(TypedFence):
    """Commands on lines that begin with `$ `, each above the output that it prints.

    They run one after the other in an empty folder, where `microgpt` is the command of
    this project.
    """

    language = "session"
    highlight_language = "console"

    @property
    def commands(self) -> list[str]:
        """The commands, in order, without `$ `."""
        return [line[2:] for line in self.fence.body if line.startswith("$ ")]

    def validate(self) -> None:
        """Refuse output without a command above it."""
        if not self.fence.text.startswith("$ "):
            raise self.error(
                "expected '$ ' and a command on the first line of a session, got "
                f"{self.fence.text.partition(chr(10))[0]!r}"
            )

    def check(self, guide: Guide, results: RunResults) -> Iterator[WeaveError]:
        """Compare the session with what its commands print today."""
        transcript = results.session_outputs.get(self.line)
        if transcript is not None and self.fence.text != transcript:
            new = first_new_line(self.fence.text, transcript)
            yield self.correct_body(
                transcript, f"the session prints something else today: {new}"
            )

    def run_in_empty_folder(self, project_root: Path) -> str:
        """Run the commands and return the session with what they print today.

        Raises:
            WeaveError: A command takes longer than `COMMAND_TIMEOUT_S`.
        """
        transcript = ""
        variables = {"PYTHON": sys.executable, "COLUMNS": "74", "LAST": "0"}
        variables["PYTHONUNBUFFERED"] = "1"  # keeps output and errors in order
        # Each command has a shell of its own, whose `$?` is the last command's status.
        preamble = f'{MICROGPT_SHELL_FUNCTION}; (exit "$LAST"); '
        with tempfile.TemporaryDirectory() as folder:
            for command in self.commands:
                try:
                    completed = subprocess.run(
                        ["sh", "-c", preamble + command],
                        cwd=folder,
                        stdin=subprocess.DEVNULL,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.STDOUT,
                        text=True,
                        encoding="utf-8",
                        timeout=COMMAND_TIMEOUT_S,
                        check=False,
                        env=python_environment(project_root) | variables,
                    )
                except subprocess.TimeoutExpired:
                    raise self.error(
                        f"the command {command!r} ran for more than "
                        f"{COMMAND_TIMEOUT_S} s: use one that ends sooner"
                    ) from None
                variables["LAST"], printed = str(completed.returncode), completed.stdout
                end = "" if printed.endswith("\n") or not printed else "\n"
                transcript += f"$ {command}\n{printed}{end}"
        return transcript
