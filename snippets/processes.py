"""Train one model in all processes that torchrun starts.

Each process learns from its share of the documents. All of them average
their gradients, and so take the same step.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from array import array
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor
from torch.nn.parallel import DistributedDataParallel

from microgpt import Config, Run, Tokenizer, load_names, sample
from microgpt.checkpoint import load_run, save_run
from microgpt.engines import torch as base
from microgpt.engines.protocol import Documents
from microgpt.engines.torch import WEIGHT_DTYPES


class DataParallelEngine(base.Engine):
    """An engine that averages gradients over processes.

    Every process has the whole model.
    """

    def __init__(
        self, config: Config, rng: random.Random, **options: Any
    ) -> None:
        super().__init__(config, rng, **options)
        # From now on, `backward` ends with the mean of all gradients
        self.compute_logits = DistributedDataParallel(self.module)

    def step(self, documents: Documents, learning_rate: float) -> float:
        """Learn from a batch; return the mean loss before the step."""
        size = len(documents) // dist.get_world_size()
        begin = dist.get_rank() * size
        own = documents[begin : begin + size]
        return super().step(own, learning_rate)

    def mean_over_processes(self, loss: float) -> float:
        """Average the loss, so that all take the step, or none."""
        total = torch.tensor(loss, device=self.device)
        dist.all_reduce(total)
        return float(total) / dist.get_world_size()


class ShardedEngine(DataParallelEngine):
    """An engine that keeps a part of each matrix in each process.

    Adam's means are split in the same way. The parts of a layer are
    put together only while it computes.
    """

    def __init__(
        self,
        config: Config,
        rng: random.Random,
        *,
        device: str = "cpu",
        **options: Any,
    ) -> None:
        # In main memory: one card may be too small for the model
        base.Engine.__init__(self, config, rng, **options)
        state = self.state()
        self.device = torch.device(device)
        mesh_shape = (dist.get_world_size(),)
        mesh = init_device_mesh(self.device.type, mesh_shape)
        for module in (*self.module.children(), self.module):
            fully_shard(module, mesh=mesh)
        self.optimizer = torch.optim.Adam(
            self.module.parameters(), fused=True
        )
        self.restore(state)

    def flatten(self, tensors: Iterable[Tensor]) -> array[float]:
        """Put the parts together; return their numbers in a row."""
        return super().flatten(
            x.full_tensor() if isinstance(x, DTensor) else x
            for x in tensors
        )

    def copy_into(
        self, tensors: Sequence[Tensor], numbers: Sequence[float]
    ) -> None:
        """Copy numbers into the parts that this process has."""
        whole = [torch.empty(x.shape, dtype=x.dtype) for x in tensors]
        super().copy_into(whole, numbers)
        for tensor, matrix in zip(tensors, whole, strict=True):
            if isinstance(tensor, DTensor):
                mesh, placements = tensor.device_mesh, tensor.placements
                matrix = distribute_tensor(matrix, mesh, placements)
            with torch.no_grad():
                tensor.copy_(matrix)


def parse_arguments(
    argv: Sequence[str] | None = None,
) -> argparse.Namespace:
    """Parse the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", help="a file with a name per line")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument(
        "--device", choices=("cpu", "cuda"), default="cpu"
    )
    parser.add_argument(
        "--precision", choices=WEIGHT_DTYPES, default="float64"
    )
    parser.add_argument("--shard", action="store_true")
    parser.add_argument("--save", help="file, resumed if it exists")
    parser.add_argument("--save-every", type=int, default=100)
    args = parser.parse_args(argv)
    processes = int(os.environ.get("WORLD_SIZE", "1"))
    if args.batch % processes:
        parser.error(f"--batch must be a multiple of {processes}")
    return args


def join_process_group(device: str) -> str:
    """Join the other processes; return the device of this one."""
    if device == "cuda":
        device = f"cuda:{os.environ['LOCAL_RANK']}"
        torch.cuda.set_device(device)
    dist.init_process_group("gloo" if device == "cpu" else "nccl")
    return device


def main() -> None:
    """Join the other processes, train, and leave them."""
    args = parse_arguments()
    device = join_process_group(args.device)
    train(args, device)
    leave_process_group()


def leave_process_group() -> NoReturn:
    """Leave the other processes, and end this one.

    Caches of sharded tensors keep the threads of the group alive. A
    thread that frees a tensor while Python exits crashes the process.
    """
    dist.destroy_process_group()
    sys.stdout.flush()
    os._exit(0)


def train(args: argparse.Namespace, device: str) -> None:
    """Train, save at intervals, and let the first process print."""
    engine = partial(
        ShardedEngine if args.shard else DataParallelEngine,
        device=device,
        precision=args.precision,
    )
    names, path = load_names(args.docs), Path(args.save or os.devnull)
    if path.is_file():
        run = load_run(path, names, engine)
    else:
        config = Config(Tokenizer(names).vocab_size)
        run = Run(
            names,
            config,
            args.steps,
            batch_size=args.batch,
            engine=engine,
        )
    is_first = dist.get_rank() == 0
    for loss in run.train():
        if is_first:
            done = f"{run.steps_taken:4d} / {run.num_steps:4d}"
            print(f"step {done} | loss {loss:.4f}", flush=True)
        is_due = run.steps_taken % args.save_every == 0
        is_last = run.steps_taken == run.num_steps
        if args.save and (is_due or is_last):
            save_from_first_process(path, run)
    model = run.model  # built by all: each may have only a part
    if is_first:
        for i in range(1, 21):
            invented = sample(model, run.tokenizer, run.rng)
            print(f"sample {i:2d}: {invented}")


def save_from_first_process(path: Path, run: Run) -> None:
    """Put the parts together; let the first process write them."""
    if dist.get_rank() == 0:
        save_run(path, run)
    else:
        run.engine.state()


if __name__ == "__main__":
    main()
