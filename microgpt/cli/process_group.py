"""The processes that train one model, and what they do as one."""

import os
import sys
from contextlib import suppress
from importlib import import_module

from microgpt.cli.checkpoint import CheckpointError, save_run
from microgpt.cli.options import UsageError, check_is_model
from microgpt.engines.run import Run
from microgpt.engines.worker import this_worker


class ProcessGroup:
    """All processes of a run, as one of them sees it, or that one alone.

    What calls it must do so in each of them.
    """

    def __init__(self) -> None:
        worker = this_worker()
        self.count = worker.count
        self.is_first = worker.rank == 0  # the one that prints and writes

    def largest(self, number: int) -> int:
        """Return the largest number that any process has."""
        if self.count == 1:
            return number
        processes = import_module("microgpt.engines.processes")
        with processes.together():
            return int(processes.all_reduce(number, "max"))

    def check(self, run: Run) -> None:
        """Refuse processes that are not at the same step of the run."""
        if self.largest(run.step) != -self.largest(-run.step):
            raise UsageError(
                "some processes have the file to --resume and others do not:"
                " every machine needs it"
            )

    def save(self, path: str, run: Run) -> None:
        """Let the first process write what all put together.

        If something else has come to stand there, write beside it.
        """
        if not self.is_first:
            run.engine.state()
            return
        try:
            check_is_model(path)
            save_run(path, run)
        except (CheckpointError, OSError) as error:
            beside = f"{path.rstrip(os.sep)}-step-{run.step}"
            with suppress(OSError):
                save_run(beside, run)
                error.add_note(f"the run is saved as {beside}")
            raise

    def end(self, status: int) -> int:
        """Return the exit status of the only process; of several, end this one.

        It ends at once: threads that still hold tensors can crash a Python that
        tidies up first (https://github.com/pytorch/pytorch/pull/179291).
        """
        if self.count > 1:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        return status
