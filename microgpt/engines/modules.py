"""The model in PyTorch: a batch of documents at once."""

from __future__ import annotations

import math
from array import array
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils import vector_to_parameters

from microgpt.autograd import Value
from microgpt.engines.protocol import SMALLEST, check_tokens
from microgpt.model import GPT, Config
from microgpt.nn import Vector

PADDING = -100  # a target where a shorter document has ended


class Transformer(nn.Module):
    """The matrices of `Config.shapes`, under the same names.

    `parameters` gives them in the order of `GPT.parameters`.
    """

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config = config
        for name, shape in config.shapes().items():
            matrix = nn.Parameter(torch.empty(shape))
            layer, _, own_name = name.rpartition(".")
            if layer and layer not in self._modules:
                self.add_module(layer, Layer(config.n_head))
            module = self.get_submodule(layer)
            module.register_parameter(own_name, matrix)

    def forward(self, tokens: Tensor) -> Tensor:
        """Return logits after each token of each document.

        From (documents, length) to (documents, length, vocabulary).
        """
        positions = self.wpe[: tokens.shape[1]]
        x = rmsnorm(functional.embedding(tokens, self.wte) + positions)
        for layer in self.children():
            x = layer(x)
        return functional.linear(x, self.lm_head)


class Layer(nn.Module):
    """Attention and MLP, each added to what it reads."""

    def __init__(self, n_head: int) -> None:
        super().__init__()
        self.n_head = n_head

    def forward(self, x: Tensor) -> Tensor:
        """Map (documents, length, width) to the same shape."""
        normed = rmsnorm(x)
        queries, keys, values = (
            self.heads(functional.linear(normed, weight))
            for weight in (self.attn_wq, self.attn_wk, self.attn_wv)
        )
        gathered = functional.scaled_dot_product_attention(
            queries, keys, values, is_causal=True
        )
        joined = gathered.transpose(1, 2).flatten(2)
        x = functional.linear(joined, self.attn_wo) + x
        hidden = functional.linear(rmsnorm(x), self.mlp_fc1)
        return functional.linear(hidden.relu(), self.mlp_fc2) + x

    def heads(self, x: Tensor) -> Tensor:
        """Return (documents, heads, length, head_dim)."""
        return x.unflatten(2, (self.n_head, -1)).transpose(1, 2)


def rmsnorm(x: Tensor) -> Tensor:
    """Scale each vector to a root mean square of 1."""
    return functional.rms_norm(x, x.shape[-1:], eps=1e-5)


def document_losses(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the mean of −log p(target) of each document, in nats.

    It is infinite where that of the other engines is.
    """
    losses = functional.cross_entropy(
        logits.transpose(1, 2),
        targets,
        ignore_index=PADDING,
        reduction="none",
    )
    losses = losses.masked_fill(losses > -math.log(SMALLEST), math.inf)
    return losses.sum(1) / (targets != PADDING).sum(1)


class Reader(GPT):
    """A model that PyTorch computes, one token at a time.

    Its logits have no graph behind them: it can be sampled from, and
    not be trained. A cache is the tokens read so far.
    """

    def __init__(
        self,
        config: Config,
        weights: array[float],
        device: torch.device,
        dtype: torch.dtype,
    ) -> None:
        self.config = config
        self.weights = {}
        self.device = device
        self.module = Transformer(config)
        numbers = torch.frombuffer(weights, dtype=torch.float64)
        vector_to_parameters(numbers, self.module.parameters())
        self.module.to(device, dtype)

    def new_cache(self) -> list[Any]:
        """Return a cache with no tokens read yet."""
        return []

    @torch.inference_mode()
    def forward(self, token: int, cache: list[Any]) -> Vector:
        """Read one more token; return a logit for each next one."""
        check_tokens([token], self.config)
        if len(cache) >= self.config.block_size:
            room = self.config.block_size
            raise ValueError(f"the model reads at most {room} tokens")
        cache.append(token)
        tokens = torch.tensor([cache], device=self.device)
        return [Value(x) for x in self.module(tokens)[0, -1].tolist()]
