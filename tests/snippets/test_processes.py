"""snippets/processes.py under torchrun, with two processes on this machine."""

import subprocess
import sys
from pathlib import Path

import pytest

from microgpt import load_names, load_run
from tests.marks import thorough
from tests.package.helpers import run_microgpt, subprocess_environment

pytest.importorskip("torch", reason="processes meet through PyTorch")

from snippets import processes

SHARDING_PROGRAM = """
import math
import random
import torch.distributed as dist
from microgpt.model import Config
from snippets.processes import ShardedEngine, join_process_group, leave_process_group

config = Config()
device = join_process_group("cpu")
engine = ShardedEngine(config, random.Random(42), device=device)
engine.step([[26, 4, 12, 12, 0, 26]] * 2, 0.01)
for held in (engine.module.parameters(), engine.adam_moments("exp_avg_sq")):
    own = sum(part.to_local().numel() for part in held)
    assert own < 0.55 * config.num_parameters, own
assert engine.mean_over_processes(math.inf if dist.get_rank() else 1.0) == math.inf
leave_process_group()
"""


def run_torchrun(folder: Path, *program: str) -> str:
    """Run a program in two processes; return what it prints."""
    module = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    process = subprocess.Popen(
        [*module, "--nproc-per-node=2", *program],
        cwd=folder,
        env=subprocess_environment(OMP_NUM_THREADS="1"),
        stdout=subprocess.PIPE,
        stderr=(folder / "errors").open("w"),
        text=True,
    )
    try:
        output, _ = process.communicate(timeout=300)
    finally:
        process.terminate()  # which ends its workers, too
    assert process.returncode == 0, (folder / "errors").read_text()
    return output


@thorough
@pytest.mark.parametrize("more", [(), ("--shard",)])
def test_two_processes_give_the_losses_and_samples_of_one(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    options = ("--batch", "4", "--steps", "12")
    program = ("-m", "snippets.processes", *options, "--save", "run.json", *more)
    single = run_microgpt("train", "--engine", "torch", *options, cwd=tmp_path).stdout
    _, expected = single.split("\n", 1)
    assert run_torchrun(tmp_path, *program) == expected
    assert load_run(tmp_path / "run.json", load_names()).steps_taken == 12
    continued = run_torchrun(tmp_path, *program)
    assert continued and expected.endswith(continued) and "step" not in continued


@thorough
def test_each_shard_is_half_and_infinite_loss_is_shared(
    tmp_path: Path,
) -> None:
    (tmp_path / "parts.py").write_text(SHARDING_PROGRAM)
    run_torchrun(tmp_path, "parts.py")


def test_each_process_uses_the_gpu_of_its_local_rank(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    backends: list[str] = []
    monkeypatch.setenv("LOCAL_RANK", "1")
    monkeypatch.setattr("torch.distributed.init_process_group", backends.append)
    monkeypatch.setattr("torch.cuda.set_device", lambda device: None)
    devices = [processes.join_process_group(device) for device in ("cuda", "cpu")]
    assert devices == ["cuda:1", "cpu"]
    assert backends == ["nccl", "gloo"]


def test_batch_size_must_divide_among_processes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WORLD_SIZE", "3")
    assert processes.parse_arguments(["--batch", "6"]).batch == 6
    with pytest.raises(SystemExit):
        processes.parse_arguments(["--batch", "7"])
    assert "--batch must be a multiple of 3" in capsys.readouterr().err
