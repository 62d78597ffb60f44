"""The model in PyTorch, with its autograd and Adam."""

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
    INFINITE_LOSS_PROBABILITY,
    Documents,
    EngineState,
    build_model,
    check_documents,
    check_token_range,
    initial_state,
)
from microgpt.model import GPT, Config
from microgpt.nn import Vector

PADDING_TARGET = -100  # where a shorter document has ended
# With bfloat16, the weights stay float32: only results are rounded.
WEIGHT_DTYPES = {
    "float64": torch.float64,
    "float32": torch.float32,
    "bfloat16": torch.float32,
}
# In the messages of PyTorch's allocators, of cards and of the processor
OUT_OF_MEMORY_PHRASES = ("out of memory", "DefaultCPUAllocator: ")


class Transformer(nn.Module):
    """The lesson's model as a module, with its matrices by name.

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
            self.split_heads(functional.linear(normed, weight))
            for weight in (self.attn_wq, self.attn_wk, self.attn_wv)
        )
        gathered = functional.scaled_dot_product_attention(
            queries, keys, values, is_causal=True
        )
        joined = gathered.transpose(1, 2).flatten(2)
        x = functional.linear(joined, self.attn_wo) + x
        hidden = functional.linear(rmsnorm(x), self.mlp_fc1)
        return functional.linear(hidden.relu(), self.mlp_fc2) + x

    def split_heads(self, x: Tensor) -> Tensor:
        """Return (documents, heads, length, head_dim)."""
        return x.unflatten(2, (self.n_head, -1)).transpose(1, 2)


def rmsnorm(x: Tensor) -> Tensor:
    """Scale each vector to a root mean square of 1."""
    return functional.rms_norm(x, x.shape[-1:], eps=1e-5)


def document_losses(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the mean of −log p(target) of each document, in nats.

    A loss is infinite where the other engines' loss is.
    """
    losses = functional.cross_entropy(
        logits.transpose(1, 2),
        targets,
        ignore_index=PADDING_TARGET,
        reduction="none",
    )
    losses = losses.masked_fill(
        losses > -math.log(INFINITE_LOSS_PROBABILITY), math.inf
    )
    return losses.sum(1) / (targets != PADDING_TARGET).sum(1)


class InferenceModel(GPT):
    """A copy of an engine's model, to sample from: PyTorch computes it.

    Its logits have no graph, so it cannot be trained. Its cache is the
    list of tokens read so far.
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
        check_token_range([token], self.config.vocab_size)
        if len(cache) >= (context := self.config.block_size):
            raise ValueError(f"expected at most {context} tokens")
        cache.append(token)
        tokens = torch.tensor([cache], device=self.device)
        return [Value(x) for x in self.module(tokens)[0, -1].tolist()]


class Engine:
    """An engine of PyTorch's modules, gradients and Adam.

    `device` is where it computes: see `find_device`. `compile` lets
    PyTorch translate the module first.
    """

    def __init__(
        self,
        config: Config,
        rng: random.Random,
        *,
        device: str = "cpu",
        precision: str = "float64",
        compile: bool = False,
    ) -> None:
        self.config = config
        self.precision = precision
        self.compile = compile
        dtype = WEIGHT_DTYPES[precision]
        self.device = find_device(device, dtype)
        with translate_torch_errors():
            self.module = Transformer(config).to(self.device, dtype)
            self.compute_logits = self.module
            if compile:
                # After several shapes it would give up, without a word
                torch.compiler.reset()
                self.compute_logits = torch.compile(
                    self.module, dynamic=False
                )
            self.optimizer = torch.optim.Adam(
                self.module.parameters(), fused=True
            )
            self.restore(initial_state(config, rng))

    @property
    def model(self) -> GPT:
        """The model as it is now, made of `Value`s."""
        weights = self.flatten(self.module.parameters())
        return build_model(self.config, weights)

    @property
    def inference_model(self) -> InferenceModel:
        """The model as it is now, to sample from."""
        return InferenceModel(self)

    def step(self, documents: Documents, learning_rate: float) -> float:
        """Learn from a batch; return the mean loss before the step."""
        check_documents(documents, self.config)
        tokens, targets = self.build_batch(documents)
        use_bfloat16 = self.precision == "bfloat16"
        with translate_torch_errors():
            with torch.autocast(
                self.device.type, torch.bfloat16, enabled=use_bfloat16
            ):
                losses = document_losses(
                    self.compute_logits(tokens), targets
                )
            loss = losses.mean()
            loss.backward()
            mean = self.mean_over_processes(loss.item())
            for group in self.optimizer.param_groups:
                group["lr"] = learning_rate
            if math.isfinite(mean):
                self.optimizer.step()
                self.steps_taken += 1
            self.optimizer.zero_grad()
        return mean

    def mean_over_processes(self, loss: float) -> float:
        """Return the mean loss of all processes; here, there is one."""
        return loss

    def build_batch(self, documents: Documents) -> tuple[Tensor, Tensor]:
        """Return inputs and targets, (documents, length) both, padded."""
        context = self.config.block_size
        rows = [list(tokens[: context + 1]) for tokens in documents]
        longest = context + 1 if self.compile else max(map(len, rows))
        padded = torch.tensor(
            [row + [PADDING_TARGET] * (longest - len(row)) for row in rows],
            device=self.device,
        )
        return padded[:, :-1].clamp(min=0), padded[:, 1:]

    def state(self) -> EngineState:
        """Return what `restore` needs to continue training."""
        (group,) = self.optimizer.param_groups
        weights = self.flatten(group["params"])
        means = self.flatten(self.adam_moments("exp_avg"))
        mean_squares = self.flatten(self.adam_moments("exp_avg_sq"))
        settings = self.steps_taken, *group["betas"], group["eps"]
        return EngineState(weights, means, mean_squares, *settings)

    def restore(self, state: EngineState) -> None:
        """Continue from a state."""
        self.steps_taken = state.steps_taken
        (group,) = self.optimizer.param_groups
        group["betas"] = (state.beta1, state.beta2)
        group["eps"] = state.epsilon
        step = torch.tensor(float(state.steps_taken), device=self.device)
        for parameter in group["params"]:
            self.optimizer.state[parameter] = {
                "step": step.clone(),
                "exp_avg": torch.empty_like(parameter),
                "exp_avg_sq": torch.empty_like(parameter),
            }
        self.copy_into(group["params"], state.weights)
        means = self.adam_moments("exp_avg")
        self.copy_into(means, state.first_moments)
        mean_squares = self.adam_moments("exp_avg_sq")
        self.copy_into(mean_squares, state.second_moments)

    def adam_moments(self, name: str) -> list[Tensor]:
        """Return one of Adam's two moments, a tensor per matrix.

        `name` is PyTorch's: `exp_avg` or `exp_avg_sq`.
        """
        return [
            self.optimizer.state[parameter][name]
            for parameter in self.module.parameters()
        ]

    def flatten(self, tensors: Iterable[Tensor]) -> array[float]:
        """Return the numbers of all tensors, one after another."""
        flat = torch.cat([x.detach().flatten().cpu() for x in tensors])
        copy = array("d", bytes(8 * len(flat)))
        torch.frombuffer(copy, dtype=torch.float64).copy_(flat)
        return copy

    @torch.no_grad()
    def copy_into(
        self, tensors: Sequence[Tensor], numbers: Sequence[float]
    ) -> None:
        """Fill tensors with numbers, one after another."""
        flat = torch.frombuffer(array("d", numbers), dtype=torch.float64)
        parts = flat.split([tensor.numel() for tensor in tensors])
        for tensor, part in zip(tensors, parts, strict=True):
            tensor.copy_(part.view_as(tensor).to(tensor.dtype))


def find_device(
    name: str, dtype: torch.dtype = torch.float32
) -> torch.device:
    """Return a device by name, such as `cpu`, `cuda`, `cuda:1`, `mps`.

    `auto` is the accelerator of this machine, or `cpu` if it has none.

    Raises:
        ValueError: The machine has no such device, or the device
            does not support `dtype`.
    """
    device: torch.device | str | None = name
    if name == "auto":
        device = torch.accelerator.current_accelerator(True) or "cpu"
    try:
        torch.zeros(1, dtype=dtype, device=device).item()
    except (RuntimeError, AssertionError):
        raise ValueError(
            f"PyTorch finds no device {name!r} on this machine:"
            " type --device auto or --device cpu"
        ) from None
    except TypeError:
        raise ValueError(
            f"{device} has no float64: add --precision float32"
        ) from None
    return torch.device(device)


@contextmanager
def translate_torch_errors() -> Iterator[None]:
    """Replace PyTorch's errors by ones that the command line explains.

    Raises:
        MemoryError: PyTorch has run out of memory.
        ValueError: PyTorch finds no C++ compiler.
    """
    try:
        yield
    except RuntimeError as error:
        if any(text in str(error) for text in OUT_OF_MEMORY_PHRASES):
            raise MemoryError from error
        if "InvalidCxxCompiler" in str(error):
            raise ValueError(
                "PyTorch finds no C++ compiler: install one, or"
                " leave out --compile"
            ) from None
        raise
