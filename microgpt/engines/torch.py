"""The model in PyTorch, which finds the gradients and knows Adam."""

from __future__ import annotations

import math
import random
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from microgpt.autograd import Value
from microgpt.engines.protocol import (
    SMALLEST,
    Documents,
    State,
    check_documents,
    check_tokens,
    first_state,
    model_of,
)
from microgpt.model import GPT, Config
from microgpt.nn import Vector

PADDING = -100  # a target where a shorter document has ended
# Of the weights: bfloat16 is for what is computed from them
TYPES = {
    "float64": torch.float64,
    "float32": torch.float32,
    "bfloat16": torch.float32,
}
# What PyTorch's allocators say: of cards, and of the processor
OUT_OF_MEMORY = ("out of memory", "DefaultCPUAllocator: ")


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

    def __init__(self, engine: Engine) -> None:
        self.config, self.weights = engine.config, {}
        self.device = engine.device
        self.module = deepcopy(engine.module)

    def new_cache(self) -> list[Any]:
        """Return a cache with no tokens read yet."""
        return []

    @torch.inference_mode()
    def forward(self, token: int, cache: list[Any]) -> Vector:
        """Read one more token; return a logit for each next one."""
        check_tokens([token], self.config)
        if len(cache) >= (room := self.config.block_size):
            raise ValueError(f"the model reads at most {room} tokens")
        cache.append(token)
        tokens = torch.tensor([cache], device=self.device)
        return [Value(x) for x in self.module(tokens)[0, -1].tolist()]


class Engine:
    """A module, and an optimizer that moves its parameters.

    `device` is where it computes: see `find_device`. `compiled` lets
    PyTorch translate the module first.
    """

    def __init__(
        self,
        config: Config,
        rng: random.Random,
        *,
        device: str = "cpu",
        precision: str = "float64",
        compiled: bool = False,
    ) -> None:
        self.config = config
        self.precision = precision
        self.compiled = compiled
        dtype = TYPES[precision]
        self.device = find_device(device, dtype)
        with failures_explained():
            self.module = Transformer(config).to(self.device, dtype)
            self.logits = self.module
            if compiled:
                # After several shapes it would give up, without a word
                torch.compiler.reset()
                self.logits = torch.compile(self.module, dynamic=False)
            self.optimizer = torch.optim.Adam(
                self.module.parameters(), fused=True
            )
            self.restore(first_state(config, rng))

    @property
    def model(self) -> GPT:
        """The model as it is now, made of `Value`s."""
        weights = self.numbers(self.module.parameters())
        return model_of(self.config, weights)

    @property
    def reader(self) -> Reader:
        """The model as it is now, to sample from."""
        return Reader(self)

    def step(self, documents: Documents, learning_rate: float) -> float:
        """Learn from a batch; return the mean loss before the step."""
        check_documents(documents, self.config)
        tokens, targets = self.batch(documents)
        rounded = self.precision == "bfloat16"
        with failures_explained():
            with torch.autocast(
                self.device.type, torch.bfloat16, enabled=rounded
            ):
                losses = document_losses(self.logits(tokens), targets)
            loss = losses.mean()
            loss.backward()
            mean = self.mean_of_all(loss.item())
            for group in self.optimizer.param_groups:
                group["lr"] = learning_rate
            if math.isfinite(mean):
                self.optimizer.step()
                self.steps += 1
            self.optimizer.zero_grad()
        return mean

    def mean_of_all(self, loss: float) -> float:
        """Return the mean loss of all processes: there is one."""
        return loss

    def batch(self, documents: Documents) -> tuple[Tensor, Tensor]:
        """Return what is read and what follows, a row per document."""
        context = self.config.block_size
        cut = [list(tokens[: context + 1]) for tokens in documents]
        longest = context + 1 if self.compiled else max(map(len, cut))
        rows = torch.tensor(
            [row + [PADDING] * (longest - len(row)) for row in cut],
            device=self.device,
        )
        return rows[:, :-1].clamp(min=0), rows[:, 1:]

    def state(self) -> State:
        """Return all that has been learnt."""
        (group,) = self.optimizer.param_groups
        weights = self.numbers(group["params"])
        first = self.numbers(self.means("exp_avg"))
        second = self.numbers(self.means("exp_avg_sq"))
        settings = self.steps, *group["betas"], group["eps"]
        return State(weights, first, second, *settings)

    def restore(self, state: State) -> None:
        """Go on from a state."""
        self.steps = state.steps
        (group,) = self.optimizer.param_groups
        group["betas"] = (state.beta1, state.beta2)
        group["eps"] = state.epsilon
        steps = torch.tensor(float(state.steps), device=self.device)
        for parameter in group["params"]:
            self.optimizer.state[parameter] = {
                "step": steps.clone(),
                "exp_avg": torch.empty_like(parameter),
                "exp_avg_sq": torch.empty_like(parameter),
            }
        self.fill(group["params"], state.weights)
        self.fill(self.means("exp_avg"), state.first)
        self.fill(self.means("exp_avg_sq"), state.second)

    def means(self, name: str) -> list[Tensor]:
        """Return one of Adam's two means, for each parameter."""
        return [
            self.optimizer.state[parameter][name]
            for parameter in self.module.parameters()
        ]

    def numbers(self, tensors: Iterable[Tensor]) -> array[float]:
        """Write the numbers of all tensors in a row."""
        flat = torch.cat([x.detach().flatten().cpu() for x in tensors])
        copy = array("d", bytes(8 * len(flat)))
        torch.frombuffer(copy, dtype=torch.float64).copy_(flat)
        return copy

    @torch.no_grad()
    def fill(
        self, tensors: Sequence[Tensor], numbers: Sequence[float]
    ) -> None:
        """Fill tensors, in turn, with numbers that lie in a row."""
        flat = torch.frombuffer(array("d", numbers), dtype=torch.float64)
        parts = flat.split([tensor.numel() for tensor in tensors])
        for tensor, part in zip(tensors, parts, strict=True):
            tensor.copy_(part.view_as(tensor).to(tensor.dtype))


def find_device(
    name: str, dtype: torch.dtype = torch.float32
) -> torch.device:
    """Return a device by name, such as `cpu`, `cuda`, `cuda:1`, `mps`.

    `auto` is the accelerator of this machine, or `cpu` if it has none.
    Raise ValueError for a device that is not there.
    """
    device: torch.device | str | None = name
    if name == "auto":
        device = torch.accelerator.current_accelerator(True) or "cpu"
    try:
        torch.zeros(1, dtype=dtype, device=device).item()
    except (RuntimeError, AssertionError):
        raise ValueError(
            f"PyTorch finds no device {name!r} on this machine"
        ) from None
    except TypeError:
        raise ValueError(
            f"{device} has no float64: add --precision float32"
        ) from None
    return torch.device(device)


@contextmanager
def failures_explained() -> Iterator[None]:
    """Report what PyTorch lacks in this package's own words."""
    try:
        yield
    except RuntimeError as error:
        if any(text in str(error) for text in OUT_OF_MEMORY):
            raise MemoryError from error
        if "InvalidCxxCompiler" in str(error):
            raise ValueError(
                "PyTorch finds no C++ compiler to compile with"
            ) from None
        raise
