"""The model in PyTorch, trained by all processes that torchrun starts.

Each learns from its share of the documents. All take the mean of what
they found, and so the same step.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from microgpt.engines import torch as one_process
from microgpt.engines.devices import find_device
from microgpt.engines.worker import this_worker
from microgpt.model import Config

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
        with together():
            self.logits = DistributedDataParallel(self.logits)

    def step(
        self, documents: Sequence[Sequence[int]], learning_rate: float
    ) -> float:
        """Learn from a batch; return the mean loss before the step."""
        with together():
            return super().step(share(documents), learning_rate)

    def mean_of_all(self, loss: float) -> float:
        """Return the mean loss, by which all take the step, or none."""
        return all_reduce(loss, "sum") / this_worker().count


def join(device: str) -> str:
    """Meet the other processes; return the device of this one.

    Raise ValueError for a device that only one of them could have.
    """
    if device not in ("auto", "cpu", "cuda"):
        raise ValueError(
            f"several processes cannot share {device}:"
            " the device may be cpu, cuda or auto"
        )
    on_card = device == "cuda" or (
        device == "auto" and torch.cuda.is_available()
    )
    device = "cpu"
    if on_card:
        device = f"cuda:{this_worker().local_rank}"
        torch.cuda.set_device(find_device(device))
    if not dist.is_initialized():
        with together():
            dist.init_process_group("nccl" if on_card else "gloo")
    return device


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
        is_lost = isinstance(error, dist.DistError)
        if not is_lost and "gloo" not in str(error).lower():
            raise
        raise ConnectionError(
            "another process of this run has ended"
        ) from error
