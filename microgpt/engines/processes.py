"""The model in PyTorch, trained by all processes that torchrun starts.

Each learns from its share of the documents. All take the mean of what
they found, and so the same step.
"""

from __future__ import annotations

import os
import random
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor
from torch.nn.parallel import DistributedDataParallel

from microgpt.engines import torch as one_process
from microgpt.engines.devices import find_device
from microgpt.model import Config
from microgpt.worker import this_worker

T = TypeVar("T")


class Engine(one_process.Engine):
    """Every process has the whole model."""

    def __init__(
        self,
        config: Config,
        rng: random.Random,
        *,
        device: str = "cpu",
        **options: Any,
    ) -> None:
        super().__init__(config, rng, device=join(device), **options)
        # From now on, `backward` ends with the mean of all gradients
        self.logits = DistributedDataParallel(self.logits)

    def step(
        self, documents: Sequence[Sequence[int]], learning_rate: float
    ) -> float:
        """Learn from a batch; return the mean loss from before."""
        with together():
            loss = super().step(share(documents), learning_rate)
            return all_reduce(loss, "sum") / this_worker().count


class Sharded(Engine):
    """Every process has a part of each matrix, and of Adam's means.

    The parts of a layer come together for as long as it computes.
    """

    def __init__(
        self,
        config: Config,
        rng: random.Random,
        *,
        device: str = "cpu",
        **options: Any,
    ) -> None:
        own_device = torch.device(join(device))
        # No card need have room for all of it
        one_process.Engine.__init__(self, config, rng, **options)
        state = self.state()
        self.device = own_device
        everybody = (this_worker().count,)
        mesh = init_device_mesh(own_device.type, everybody)
        for module in (*self.module.children(), self.module):
            fully_shard(module, mesh=mesh)
        self.optimizer = torch.optim.Adam(
            self.module.parameters(), fused=True
        )
        self.restore(state)

    def numbers(self, tensors: Iterable[Tensor]) -> array[float]:
        """Write the numbers of all parts, put together, in a row."""
        with together():
            return super().numbers(
                x.full_tensor() if isinstance(x, DTensor) else x
                for x in tensors
            )

    def fill(
        self, tensors: Sequence[Tensor], numbers: Sequence[float]
    ) -> None:
        """Fill the parts that this process has."""
        whole = [torch.empty(x.shape, dtype=x.dtype) for x in tensors]
        super().fill(whole, numbers)
        for tensor, matrix in zip(tensors, whole, strict=True):
            if isinstance(tensor, DTensor):
                mesh, cut = tensor.device_mesh, tensor.placements
                matrix = matrix.to(tensor.device)
                matrix = distribute_tensor(matrix, mesh, cut)
            with torch.no_grad():
                tensor.copy_(matrix)


def join(device: str) -> str:
    """Meet the other processes; return the device of this one."""
    on_card = device == "cuda" or (
        device == "auto" and torch.cuda.is_available()
    )
    if on_card:
        device = f"cuda:{this_worker().local_rank}"
        find_device(device)
        torch.cuda.set_device(device)
    if not dist.is_initialized():
        dist.init_process_group("nccl" if on_card else "gloo")
    return device if on_card else "cpu"


def share(documents: Sequence[T]) -> Sequence[T]:
    """Return the part of a batch that is for this process."""
    worker = this_worker()
    size, rest = divmod(len(documents), worker.count)
    if rest:
        raise ValueError(
            f"{len(documents)} documents cannot be dealt out evenly"
            f" to {worker.count} processes"
        )
    begin = worker.rank * size
    return documents[begin : begin + size]


def all_reduce(number: float, how: str) -> float:
    """Return the sum, or the largest, of what all processes have."""
    device = "cuda" if dist.get_backend() == "nccl" else "cpu"
    result = torch.tensor(number, dtype=torch.float64, device=device)
    operations = {"sum": dist.ReduceOp.SUM, "max": dist.ReduceOp.MAX}
    dist.all_reduce(result, operations[how])
    return float(result)


@contextmanager
def together() -> Iterator[None]:
    """Say in one sentence that another process has ended."""
    try:
        yield
    except RuntimeError as error:
        if "gloo" not in str(error) and not isinstance(
            error, dist.DistError
        ):
            raise
        raise ConnectionError(
            "another process of this run has ended"
        ) from error


def leave(status: int) -> NoReturn:
    """Wait for the other processes, and end this one.

    It ends at once: threads that still wait for messages can crash a
    Python that tidies up first.
    """
    with together():
        all_reduce(0, "max")
    sys.stdout.flush()
    os._exit(status)
