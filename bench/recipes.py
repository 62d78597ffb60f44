"""Recipes for networks that learn names, each the finished model with one change.

The change is in a part, which the engine of variants computes, or in the training.
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
from microgpt.engines.variant import VariantChoices

SHORT_RUN_NAME_COUNT = 1000  # read one by one, not in batches
BATCH_SIZE = 32

Document = list[int]
FINISHED_CONFIG = Config()  # that of Step 5
Candidates = tuple[Sequence[float], float]  # values to try, and which to try first
RATE_CANDIDATES: Candidates = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1), 0.01
SGD_RATE_CANDIDATES: Candidates = (0.03, 0.1, 0.3, 1.0, 2.0, 3.0, 10.0), 1.0
# The finished model without one of its parts
ABLATIONS: dict[str, VariantChoices] = {
    "positions": {"positions": "none"},
    "attention": {"attention": "none"},
    "queries": {"attention": "uniform"},
    "root": {"score_scale": "none"},
    "residual": {"residual": "no"},
    "norm": {"norm": "none"},
    "mlp": {"mlp": "no"},
}


class Engine(variant.Engine):
    """The variant engine in float32; if `tied`, embedding and head are one matrix."""

    def __init__(
        self,
        config: Config,
        rng: random.Random,
        *,
        parts: VariantChoices | None = None,
        tied: bool = False,
        precision: str = "float32",
    ) -> None:
        self.tied = tied
        super().__init__(config, rng, parts=parts, precision=precision)
        length = config.vocab_size * config.n_embd
        head_start = length + config.block_size * config.n_embd
        self.tied_slices = slice(length), slice(head_start, head_start + length)
        if tied:
            embedding, head = (self.sections[0, part] for part in self.tied_slices)
            head[:] = embedding

    @property
    def sections(self) -> Any:
        """Weights, gradient and Adam's two means: four rows of C's memory."""
        numbers = np.ctypeslib.as_array(self.memory)
        return numbers[: 4 * self.num_parameters].reshape(4, -1)

    def compute_gradient(self, documents: Sequence[Sequence[int]]) -> float:
        """Fill the gradient from a batch; return its mean loss.

        Tied matrices are two copies. They begin equal, and each moves by the sum of
        both gradients, so they stay equal.
        """
        loss = super().compute_gradient(documents)
        if self.tied:
            embedding, head = (self.sections[1, part] for part in self.tied_slices)
            embedding += head
            head[:] = embedding
        return loss

    def probabilities(self, tokens: Sequence[int]) -> list[float]:
        """Return the probability of each token to come next."""
        return softmax(self.compute_logits(tokens))


class Split:
    """Distinct names, shuffled by a seed, with a tenth held out."""

    def __init__(self, names: Sequence[str], seed: int) -> None:
        self.seed = seed
        distinct = sorted(set(names))
        random.Random(seed).shuffle(distinct)
        self.tokenizer = Tokenizer(distinct)
        count = len(distinct) // 10
        documents = [self.tokenizer.document(name) for name in distinct]
        self.held_out, self.training = documents[:count], documents[count:]

    def training_order(self, count: int) -> list[Document]:
        """Return `count` training documents, shuffled anew in each epoch."""
        rng = random.Random(f"order {self.seed}")
        documents: list[Document] = []
        while len(documents) < count:
            documents += rng.sample(self.training, len(self.training))
        return documents[:count]


@dataclass(frozen=True)
class NetworkRecipe:
    """A network and how it is trained: by Adam, or by gradient descent if `sgd`.

    Attributes:
        config: The sizes of the model.
        parts: The parts that differ from the lesson's.
        tied: Whether one matrix is both embedding and head.
        sgd: Whether gradient descent takes the place of Adam.
        momentum: For `sgd`, the share of the last step that is added to the next.
        decay: The weight decay, which makes Adam AdamW (Loshchilov and Hutter, 2019).
        candidates: Learning rates to try, if none is given.
        learning_rate: The learning rate, if it is given.
        lesson_rate: The lesson's learning rate for 1,000 names, if it has one.
        lesson_sgd: Whether the lesson trains on 1,000 names by gradient descent.
        record_samples: Whether to record names that the network invents.
    """

    config: Config = FINISHED_CONFIG
    parts: VariantChoices = field(default_factory=dict)
    tied: bool = False
    sgd: bool = False
    momentum: float = 0.0
    decay: float = 0.0
    candidates: Candidates = RATE_CANDIDATES
    learning_rate: float | None = None
    lesson_rate: float | None = None
    lesson_sgd: bool = False
    record_samples: bool = False

    def fixed_setting(self, num_names: int) -> float | None:
        """Return the learning rate for a number of names; None if it is to be tuned."""
        is_short = num_names <= SHORT_RUN_NAME_COUNT
        return (is_short and self.lesson_rate) or self.learning_rate

    def build_engine(self, vocab_size: int, rng: random.Random) -> Engine:
        """Return an engine of this model with fresh weights."""
        config = replace(self.config, vocab_size=vocab_size)
        return Engine(config, rng, parts=self.parts, tied=self.tied)

    def train_step(
        self, engine: Engine, documents: Sequence[Document], rate: float, num_names: int
    ) -> None:
        """Take one step, as PyTorch's optimizers would, of training on `num_names`."""
        weights, gradient, velocity, _ = engine.sections
        if self.sgd or (self.lesson_sgd and num_names <= SHORT_RUN_NAME_COUNT):
            engine.compute_gradient(documents)
            if self.momentum:
                velocity *= self.momentum
                velocity += gradient
                gradient[:] = velocity
            engine.sgd_step(rate)
        else:
            decay = rate * self.decay * weights
            engine.step(documents, rate)
            weights -= decay

    def train(self, split: Split, num_names: int, rate: float) -> Engine:
        """Train an engine on `num_names` training names, and return it."""
        documents = split.training_order(num_names)
        batch_size = 1 if num_names <= SHORT_RUN_NAME_COUNT else BATCH_SIZE
        rng = random.Random(f"weights {split.seed}")
        engine = self.build_engine(split.tokenizer.vocab_size, rng)
        num_steps = math.ceil(num_names / batch_size)
        for step in range(num_steps):
            batch = documents[step * batch_size : (step + 1) * batch_size]
            step_rate = linear_decay(rate, step, num_steps)
            self.train_step(engine, batch, step_rate, num_names)
        return engine
