"""Real processes, started by torchrun on this machine."""

import json
import math
import os
import random
import re
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from pathlib import Path
from unittest.mock import Mock

import pytest

from microgpt.cli.checkpoint import load_run
from microgpt.cli.main import main
from microgpt.cli.options import UsageError
from microgpt.cli.process_group import ProcessGroup
from microgpt.engines.run import Run
from microgpt.engines.worker import Worker, this_worker
from microgpt.model import Config
from microgpt.sampling import sample
from tests.processes import python
from tests.thorough import nightly, thorough

from ..helpers import NAMES, ROOT, TINY, environment, microgpt, wait_for

pytest.importorskip("torch", reason="processes meet through PyTorch")
processes = import_module("microgpt.engines.processes")

STEPS = 3000  # more than any test waits for
SAVED = ("--save", "run.json", "--save-every", 10)
CONFIG = Config(27, n_embd=4, n_head=2, block_size=8)  # TINY
CLOSE = 1e-9
LONG = 300  # seconds after which something hangs


@contextmanager
def torchrun(folder, *program, runner=()):
    """Start a program in two processes; leave none of them behind."""
    module = [sys.executable, "-m", "torch.distributed.run"]
    local = ["--standalone", "--nproc-per-node=2", *runner]
    process = subprocess.Popen(
        [*module, *local, *map(str, program)],
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


def workers(process):
    """Return the process numbers of torchrun's workers."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [*map(int, children.read_text().split())]


def train(*options):
    names = ("--docs", "names", "--engine", "torch")
    sizes = (*TINY, "--batch", 4, "--steps", STEPS)
    return ("-m", "microgpt", "train", *names, *sizes, *options)


def without_torchrun(folder, *program):
    """Start two processes as it does, but sooner.

    Return what each prints, what it says, and its status.
    """
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    meeting = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": "2"}
    settings = meeting | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}

    def start(rank):
        place = {"RANK": str(rank), "LOCAL_RANK": str(rank)}
        ran = python(*program, cwd=folder, **settings, **place)
        return ran.stdout, ran.stderr, ran.returncode

    with ThreadPoolExecutor() as pool:
        return [*pool.map(start, range(2))]


def told(folder):
    """Return what the program said, without what torchrun adds."""
    lines = (folder / "errors").read_text().splitlines()
    return [line for line in lines if line.startswith("microgpt: ")]


def logged(folder, name="losses"):
    lines = (folder / name).read_text().splitlines()
    return [json.loads(line)["loss"] for line in lines]


def untouched(count):
    """Return the losses of one process that nothing interrupts."""
    run = Run(NAMES, CONFIG, STEPS, batch_size=4)
    return list(islice(run.train(), count))


@thorough
def test_two_processes_give_the_losses_and_samples_of_one(folder):
    until = ("--stop-after", 12, "--losses", "losses")
    first, second = without_torchrun(folder, *train(*until))
    settings = (*TINY, "--batch", 4, "--steps", STEPS, "--stop-after", 12)
    alone = microgpt("train", "--docs", "names", *settings, folder=folder)
    assert (first[2], second[2]) == (0, 0)
    assert (first[0], second[0]) == (alone.stdout, "")
    assert logged(folder) == pytest.approx(untouched(12), abs=CLOSE)


@nightly
def test_torchrun_itself_can_start_a_killed_run_again(folder):
    again = ("--resume", "run.json", "--or-begin", "--stop-after", 60)
    files = (*SAVED, *again, "--losses", "losses", "--shard")
    with torchrun(folder, *train(*files), runner=["--max-restarts=1"]) as process:
        wait_for(process, 25)
        os.kill(workers(process)[0], signal.SIGKILL)
        output, _ = process.communicate(timeout=LONG)
    assert process.returncode == 0
    first = int(
        re.search(r"^step +(\d+) ", output[output.index("26 doc") :], re.MULTILINE)[1]
    )
    assert first > 20 and first % 10 == 1
    assert logged(folder) == pytest.approx(untouched(60), abs=CLOSE)
    run = load_run(folder / "run.json", NAMES)
    assert output.splitlines()[-20:] == [
        f"sample {i:2d}: {sample(run.model, run.tokenizer, run.rng)}"
        for i in range(1, 21)
    ]


@thorough
def test_a_signal_ends_all_processes_after_the_same_step(folder):
    files = (*SAVED, "--losses", "losses", "--shard")
    with torchrun(folder, *train(*files)) as process:
        wait_for(process, 15)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=LONG)
    assert process.returncode != 0
    step = load_run(folder / "run.json", NAMES).step
    assert step >= 15 and len(logged(folder)) == step
    (sentence,) = told(folder)
    assert sentence == (
        f"microgpt: stopped after step {step}; go on with --resume run.json"
    )


@thorough
def test_one_process_says_what_is_wrong_and_all_end(folder):
    program = train("--batch", 3, "--losses", "losses")
    first, second = without_torchrun(folder, *program)
    assert (first[0], first[2]) == ("", 2)
    assert second[2] == 2 and "microgpt: " not in second[0] + second[1]
    assert first[1].splitlines()[-1] == (
        "microgpt: error: --batch must be a multiple of the number of processes,"
        " and 3 is none of 2"
    )
    assert not (folder / "losses").exists()


@pytest.mark.parametrize("step", [0, 2])
def test_every_machine_needs_the_file_of_a_run_that_goes_on(monkeypatch, step):
    """Where it is not, a run would begin anew, and learn with those that go on."""
    group, run = ProcessGroup(), Mock(step=1)
    monkeypatch.setattr(group, "largest", lambda x: max(x, step if x > 0 else -step))
    with pytest.raises(UsageError, match="every machine needs it"):
        group.check(run)
    monkeypatch.setattr(group, "largest", lambda x: x)
    group.check(run)


PARTS = """
import random
from microgpt.engines.sharded import Engine
from microgpt.engines.processes import all_reduce
from microgpt.model import Config
from microgpt.sampling import sample
from microgpt.cli.process_group import ProcessGroup

config = Config()
engine = Engine(config, random.Random(42))
engine.step([[26, 4, 12, 12, 0, 26]] * 2, 0.01)
for held in (engine.module.parameters(), engine.means("exp_avg_sq")):
    own = sum(part.to_local().numel() for part in held)
    assert own < 0.55 * config.num_parameters, own
    assert all_reduce(own, "sum") == config.num_parameters
print("cut")
ProcessGroup().end(0)
"""


@thorough
def test_each_process_keeps_a_part_of_the_weights_and_of_adams_means(folder):
    (folder / "parts.py").write_text(PARTS)
    ended = without_torchrun(folder, "parts.py")
    assert [(output, status) for output, _, status in ended] == [("cut\n", 0)] * 2


def say(monkeypatch, rank, count, local_rank):
    """Tell this process its place, as torchrun does."""
    monkeypatch.setenv("RANK", str(rank))
    monkeypatch.setenv("WORLD_SIZE", str(count))
    monkeypatch.setenv("LOCAL_RANK", str(local_rank))


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize("fault", [None, AttributeError("nothing")])
def test_a_process_that_fails_beside_others_ends_before_python_tidies_up(
    monkeypatch, capsys, rank, fault
):
    """Threads of PyTorch would crash it there, now and then."""
    ended = []
    monkeypatch.setattr(os, "_exit", ended.append)
    say(monkeypatch, rank, 2, rank)
    if fault:
        monkeypatch.setattr("microgpt.cli.main.attempt", Mock(side_effect=fault))
    main(["train"])
    assert ended == [1 if fault else 2]
    said = capsys.readouterr().err
    if fault:
        assert said.endswith("AttributeError: nothing\n")
    else:
        sentence = "several processes need --engine torch, not dot"
        assert said == ("" if rank else f"microgpt: error: {sentence}\n")


def test_the_processes_deal_out_all_documents(monkeypatch):
    dealt = []
    for rank in range(3):
        say(monkeypatch, rank, 3, 0)
        dealt += processes.share(range(6))
    assert dealt == [0, 1, 2, 3, 4, 5]
    with pytest.raises(ValueError, match="7 documents cannot be dealt out evenly to 3"):
        processes.share(range(7))


def test_no_process_takes_a_step_of_which_another_has_an_infinite_loss(monkeypatch):
    monkeypatch.setattr(processes, "join", lambda device: device)
    monkeypatch.setattr(processes, "DistributedDataParallel", lambda module: module)
    monkeypatch.setattr(processes, "all_reduce", lambda loss, how: math.inf)
    say(monkeypatch, 0, 2, 0)
    engine = processes.Engine(CONFIG, random.Random(1))
    before = engine.state()
    assert engine.step([[26, 0, 26]] * 2, 0.01) == math.inf
    assert engine.state() == before


def test_each_process_takes_the_card_that_has_its_number_on_its_machine(monkeypatch):
    cuda, dist = processes.torch.cuda, processes.dist
    say(monkeypatch, 9, 16, 1)
    backends = []
    monkeypatch.setattr(dist, "is_initialized", lambda: False)
    monkeypatch.setattr(dist, "init_process_group", backends.append)
    monkeypatch.setattr(cuda, "set_device", lambda device: None)
    monkeypatch.setattr(processes, "find_device", lambda name: name)
    monkeypatch.setattr(cuda, "is_available", lambda: True)
    assert [processes.join(x) for x in ("cuda", "auto", "cpu")] == [
        "cuda:1",
        "cuda:1",
        "cpu",
    ]
    monkeypatch.setattr(cuda, "is_available", lambda: False)
    assert processes.join("auto") == "cpu"
    assert backends == ["nccl", "nccl", "gloo", "gloo"]


def test_a_process_knows_its_place_from_what_torchrun_says(monkeypatch):
    for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK"):
        monkeypatch.delenv(name, raising=False)
    assert this_worker() == Worker(0, 1, 0)
    monkeypatch.setenv("RANK", "9")  # of another program
    assert this_worker() == Worker(0, 1, 0)
    say(monkeypatch, 9, 16, 1)
    assert this_worker() == Worker(rank=9, count=16, local_rank=1)
