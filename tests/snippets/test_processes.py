"""The program of several processes, started by torchrun on this machine."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.package.helpers import ROOT, environment, microgpt
from tests.thorough import thorough

pytest.importorskip("torch", reason="processes meet through PyTorch")

LONG = 300  # seconds after which something hangs
PROGRAM = ("-m", "snippets.processes", "--batch", "4")
PARTS = """
import math
import random
import torch.distributed as dist
from microgpt.model import Config
from snippets.processes import Sharded, meet

config = Config()
engine = Sharded(config, random.Random(42), device=meet("cpu"))
engine.step([[26, 4, 12, 12, 0, 26]] * 2, 0.01)
for held in (engine.module.parameters(), engine.means("exp_avg_sq")):
    own = sum(part.to_local().numel() for part in held)
    assert own < 0.55 * config.num_parameters, own
assert engine.mean_of_all(math.inf if dist.get_rank() else 1.0) == math.inf
dist.destroy_process_group()
"""


@contextmanager
def torchrun(
    folder: Path, *program: str, restarts: int = 0
) -> Iterator[subprocess.Popen[str]]:
    """Start a program in two processes; leave none of them behind."""
    module = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    runner = ["--nproc-per-node=2", f"--max-restarts={restarts}"]
    process = subprocess.Popen(
        [*module, *runner, *program],
        cwd=folder,
        # Else PyTorch 2.13 looks for a killed process where it was (issue 135712)
        env=environment(OMP_NUM_THREADS="1", TORCH_DISABLE_SHARE_RDZV_TCP_STORE="1"),
        stdout=subprocess.PIPE,
        stderr=(folder / "errors").open("w"),
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            for pid in [*workers(process), process.pid]:
                os.kill(pid, signal.SIGKILL)
        process.communicate(timeout=LONG)


def workers(process: subprocess.Popen[str]) -> list[int]:
    """Return the process numbers of torchrun's workers."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [*map(int, children.read_text().split())]


def printed_by_one(steps: int) -> str:
    """Return what one process prints in whose way nothing comes."""
    options = ("--engine", "torch", "--batch", 4, "--steps", steps)
    _, lines = microgpt("train", *options, folder=ROOT).stdout.split("\n", 1)
    return lines


@thorough
@pytest.mark.parametrize("more", [(), ("--shard",)])
def test_two_processes_give_the_losses_and_samples_of_one(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    with torchrun(tmp_path, *PROGRAM, "--steps", "12", *more) as process:
        output, _ = process.communicate(timeout=LONG)
    assert process.returncode == 0, (tmp_path / "errors").read_text()
    assert output == printed_by_one(12)


@thorough
def test_each_process_keeps_a_part_and_all_hear_of_an_infinite_loss(
    tmp_path: Path,
) -> None:
    (tmp_path / "parts.py").write_text(PARTS)
    with torchrun(tmp_path, "parts.py") as process:
        process.communicate(timeout=LONG)
    assert process.returncode == 0, (tmp_path / "errors").read_text()


def test_each_process_takes_the_card_that_has_its_number_on_its_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from snippets import processes

    backends: list[str] = []
    for name, number in {"RANK": "9", "WORLD_SIZE": "16", "LOCAL_RANK": "1"}.items():
        monkeypatch.setenv(name, number)
    monkeypatch.setattr("torch.distributed.init_process_group", backends.append)
    monkeypatch.setattr("torch.cuda.set_device", lambda device: None)
    assert [processes.meet(device) for device in ("cuda", "cpu")] == ["cuda:1", "cpu"]
    assert backends == ["nccl", "gloo"]


def test_documents_that_cannot_be_dealt_out_evenly_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from snippets import processes

    monkeypatch.setenv("WORLD_SIZE", "3")
    assert processes.arguments(["--batch", "6"]).batch == 6
    with pytest.raises(SystemExit):
        processes.arguments(["--batch", "7"])
    assert "--batch must be a multiple of 3" in capsys.readouterr().err
