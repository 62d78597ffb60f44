"""A model to sample from, without a `Value` for each weight."""

from array import array
from collections.abc import Sequence
from typing import Any

import torch
from torch.nn.utils import vector_to_parameters

from microgpt.autograd import Value
from microgpt.engines.modules import Transformer
from microgpt.model import GPT, Config
from microgpt.nn import Vector


class Reader(GPT):
    """A model that PyTorch computes, one token at a time.

    Its logits have no graph behind them: it can be sampled from, and
    not be trained. A cache is the tokens read so far.
    """

    def __init__(
        self,
        config: Config,
        weights: Sequence[float],
        device: torch.device | str = "cpu",
        dtype: torch.dtype = torch.float64,
    ) -> None:
        self.config = config
        self.weights = {}
        self.device = device
        self.module = Transformer(config)
        copy = array("d", weights)
        numbers = torch.frombuffer(copy, dtype=torch.float64)
        vector_to_parameters(numbers, self.module.parameters())
        self.module.to(device, dtype)

    def new_cache(self) -> list[Any]:
        """Return a cache with no tokens read yet."""
        return []

    @torch.inference_mode()
    def forward(self, token: int, cache: list[Any]) -> Vector:
        """Read one more token; return a logit for each next one."""
        if len(cache) >= self.config.block_size:
            room = self.config.block_size
            raise ValueError(f"the model reads at most {room} tokens")
        cache.append(token)
        tokens = torch.tensor([cache], device=self.device)
        return [Value(x) for x in self.module(tokens)[0, -1].tolist()]
