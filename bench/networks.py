"""Networks that learn from names, each with one thing other than in the finished model.

What differs is a part, as the engine of variants computes it, or how it learns.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from microgpt import Config, Tokenizer, linear_decay
from microgpt.engines import variant
from microgpt.engines.tape import softmax
from microgpt.engines.variant import Parts

SHORT = 1000  # names, read one by one
BATCH = 32

Document = list[int]
USUAL = Config()  # that of Step 5
Choices = tuple[Sequence[float], float]  # what to try, and what to begin with
RATES: Choices = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1), 0.01
SGD_RATES: Choices = (0.03, 0.1, 0.3, 1.0, 2.0, 3.0, 10.0), 1.0
# The finished model without one of its parts
LEFT_OUT: dict[str, Parts] = {
    "positions": {"positions": "none"},
    "attention": {"attention": "none"},
    "queries": {"attention": "even"},
    "root": {"score_scale": "none"},
    "residual": {"residual": "no"},
    "norm": {"norm": "none"},
    "mlp": {"mlp": "no"},
}


class Engine(variant.Engine):
    """A variant in float32, with one matrix for both ends if `tied`."""

    def __init__(
        self,
        config: Config,
        rng: random.Random,
        *,
        parts: Parts | None = None,
        tied: bool = False,
        precision: str = "float32",
    ) -> None:
        self.tied = tied
        super().__init__(config, rng, parts=parts, precision=precision)
        length = config.vocab_size * config.n_embd
        head = length + config.block_size * config.n_embd
        self.ends = slice(length), slice(head, head + length)
        if tied:
            first, last = (self.arrays[0, end] for end in self.ends)
            last[:] = first

    @property
    def arrays(self) -> Any:
        """The weights, their gradient and Adam's two means, which C sees, too."""
        numbers = np.ctypeslib.as_array(self.memory)
        return numbers[: 4 * self.num_parameters].reshape(4, -1)

    def compute_gradient(self, documents: Sequence[Sequence[int]]) -> float:
        """Fill the gradient from a batch; return its mean loss.

        Two copies of a matrix that begin equal and are moved by the sum of their
        gradients remain one matrix.
        """
        loss = super().compute_gradient(documents)
        if self.tied:
            first, last = (self.arrays[1, end] for end in self.ends)
            first += last
            last[:] = first
        return loss

    def probabilities(self, read: Sequence[int]) -> list[float]:
        """Return the probability of each next token."""
        return softmax(self.predict(read))


class Split:
    """Distinct names, a tenth of them held out, and the order in which others are read."""

    def __init__(self, names: Sequence[str], seed: int) -> None:
        self.seed = seed
        distinct = sorted(set(names))
        random.Random(seed).shuffle(distinct)
        self.tokenizer = Tokenizer(distinct)
        count = len(distinct) // 10
        documents = [self.tokenizer.document(name) for name in distinct]
        self.held_out, self.training = documents[:count], documents[count:]

    def reading(self, count: int) -> list[Document]:
        """Return so many documents: all in one order, then in another, and so on."""
        rng = random.Random(f"order {self.seed}")
        found: list[Document] = []
        while len(found) < count:
            found += rng.sample(self.training, len(self.training))
        return found[:count]


@dataclass(frozen=True)
class Network:
    """A model that learns, and how: by Adam, unless `sgd`; at `rate`, or the best of some.

    `taught` is the rate with which the original would train it on 1,000 names, and
    `taught_sgd` whether that is plain gradient descent. `momentum` is for SGD: how much
    remains of the last step. `decay` makes Adam AdamW (Loshchilov and Hutter, 2019): what
    a weight loses in a step, times the rate. What `invents` names does so at the end.
    """

    config: Config = USUAL
    parts: Parts = field(default_factory=dict)
    tied: bool = False
    sgd: bool = False
    momentum: float = 0.0
    decay: float = 0.0
    choices: Choices = RATES
    rate: float | None = None
    taught: float | None = None
    taught_sgd: bool = False
    invents: bool = False

    def given(self, seen: int) -> float | None:
        """Return the rate for so many names where none is sought."""
        return self.taught if self.taught and seen <= SHORT else self.rate

    def engine(self, vocab_size: int, rng: random.Random) -> Engine:
        """Return what computes it, with its first weights."""
        return Engine(
            replace(self.config, vocab_size=vocab_size),
            rng,
            parts=self.parts,
            tied=self.tied,
        )

    def learn(
        self, engine: Engine, documents: Sequence[Document], rate: float, seen: int
    ) -> None:
        """Take a step of a training on so many names, as PyTorch's optimizers would."""
        weights, gradient, velocity, _ = engine.arrays
        if self.sgd or (self.taught_sgd and seen <= SHORT):
            engine.compute_gradient(documents)
            if self.momentum:
                velocity *= self.momentum
                velocity += gradient
                gradient[:] = velocity
            engine.sgd_step(rate)
        else:
            lost = rate * self.decay * weights
            engine.step(documents, rate)
            weights -= lost

    def model(self, split: Split, seen: int, rate: float) -> Engine:
        """Return what it is after so many names."""
        documents = split.reading(seen)
        batch = 1 if seen <= SHORT else BATCH
        rng = random.Random(f"weights {split.seed}")
        engine = self.engine(split.tokenizer.vocab_size, rng)
        steps = math.ceil(seen / batch)
        for step in range(steps):
            part = documents[step * batch : (step + 1) * batch]
            self.learn(engine, part, linear_decay(rate, step, steps), seen)
        return engine
