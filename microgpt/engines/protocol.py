"""What an engine must offer: it holds a model and trains it.

Engines differ in how they compute, not in what: from the same numbers
they give the same losses and the same weights, to rounding.
"""

import random
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from microgpt.model import GPT, Config

Documents = Sequence[Sequence[int]]  # tokens of each


@dataclass
class EngineState:
    """What an engine needs to continue training, as plain numbers.

    `weights`, and Adam's running means of the gradient and its square,
    have a number for each parameter, in the order of `GPT.parameters`.
    """

    weights: Sequence[float]
    first_moments: Sequence[float]
    second_moments: Sequence[float]
    steps_taken: int = 0
    beta1: float = 0.85
    beta2: float = 0.99
    epsilon: float = 1e-8


class Engine(Protocol):
    """A model and its optimizer, in whatever form computes best."""

    @property
    def steps_taken(self) -> int:
        """The number of steps taken."""

    @property
    def model(self) -> GPT:
        """The model as it is now."""

    def step(self, documents: Documents, learning_rate: float) -> float:
        """Take a step of Adam on a batch of documents.

        Args:
            documents: The tokens of each document; those beyond the
                context are cut off.
            learning_rate: The rate of this step.

        Returns:
            The mean of the documents' losses before the step, in nats.
            If it is not finite, no step was taken.

        Raises:
            ValueError: `check_documents` refuses the documents.
        """

    def state(self) -> EngineState:
        """Return what `restore` needs to continue training."""

    def restore(self, state: EngineState) -> None:
        """Continue from a state, whichever engine has reached it."""


# With this probability p or less, a loss is infinite: the slope of its
# logarithm, 1 / p, would not fit into a float.
INFINITE_LOSS_PROBABILITY = 2.0**-1024


def check_documents(documents: Documents, config: Config) -> None:
    """Raise ValueError for a batch that a model cannot learn from."""
    if not documents:
        raise ValueError("expected at least one document, got none")
    for tokens in documents:
        if (count := len(tokens)) < 2:
            raise ValueError(
                f"expected two or more tokens per document, got {count}"
            )
        check_token_range(tokens, config.vocab_size)


def check_token_range(tokens: Sequence[int], vocab_size: int) -> None:
    """Raise ValueError for tokens outside a vocabulary."""
    last = vocab_size - 1
    for token in (min(tokens), max(tokens)):
        if not 0 <= token <= last:
            raise ValueError(
                f"expected tokens from 0 to {last}, got {token}"
            )


# Such a function draws the first weights as `GPT` does.
EngineFactory = Callable[[Config, random.Random], Engine]


def initial_state(config: Config, rng: random.Random) -> EngineState:
    """Return a state with the weights that `GPT` would draw."""
    count = config.num_parameters
    weights = array("d", (rng.gauss(0, 0.08) for _ in range(count)))
    zeros = array("d", bytes(8 * count))
    return EngineState(weights, zeros, zeros[:])


def build_model(config: Config, weights: Sequence[float]) -> GPT:
    """Return a model with these weights, in `GPT.parameters` order."""
    model = GPT(config, random.Random())
    for p, weight in zip(model.parameters(), weights, strict=True):
        p.data = weight
    return model
