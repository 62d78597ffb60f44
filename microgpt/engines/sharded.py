"""The model in PyTorch, cut into parts: one for each process."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor, distribute_tensor

from microgpt.engines import processes
from microgpt.engines import torch as one_process
from microgpt.engines.devices import failures_explained
from microgpt.engines.processes import join, together
from microgpt.engines.worker import this_worker
from microgpt.model import Config


class Engine(processes.Engine):
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
        # In the memory of the processor: no card need have room for all
        one_process.Engine.__init__(self, config, rng, **options)
        state = self.state()
        self.device = own_device
        everybody = (this_worker().count,)
        mesh = init_device_mesh(own_device.type, everybody)
        with together(), failures_explained():
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
                matrix = distribute_tensor(matrix, mesh, cut)
            with torch.no_grad():
                tensor.copy_(matrix)
