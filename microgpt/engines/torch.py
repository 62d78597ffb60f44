"""The model in PyTorch, which finds the gradients and knows Adam."""

from __future__ import annotations

import math
import random
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor

from microgpt.engines.modules import (
    PADDING,
    Reader,
    Transformer,
    document_losses,
)
from microgpt.engines.protocol import (
    State,
    check_documents,
    first_state,
    model_of,
)
from microgpt.model import GPT, Config

# Of the weights: bfloat16 is for what is computed from them
TYPES = {
    "float64": torch.float64,
    "float32": torch.float32,
    "bfloat16": torch.float32,
}
# What PyTorch's allocators say: of cards, and of the processor
OUT_OF_MEMORY = ("out of memory", "DefaultCPUAllocator: ")


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
        weights = self.numbers(self.module.parameters())
        dtype = TYPES[self.precision]
        return Reader(self.config, weights, self.device, dtype)

    def step(
        self, documents: Sequence[Sequence[int]], learning_rate: float
    ) -> float:
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

    def batch(
        self, documents: Sequence[Sequence[int]]
    ) -> tuple[Tensor, Tensor]:
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
        beta1, beta2 = group["betas"]
        return State(
            self.numbers(group["params"]),
            self.numbers(self.means("exp_avg")),
            self.numbers(self.means("exp_avg_sq")),
            self.steps,
            beta1,
            beta2,
            group["eps"],
        )

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
