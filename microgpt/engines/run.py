"""A training run that can stop, be saved and go on, with any engine."""

import gc
import math
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from microgpt.engines import dot
from microgpt.engines.protocol import Engine, EngineFactory
from microgpt.model import GPT, Config
from microgpt.optim import linear_decay
from microgpt.tokenizer import Tokenizer

LEARNING_RATE = 0.01


class Run:
    """A training run: all that it needs to go on from where it is.

    One generator, seeded once, shuffles the documents, draws the first
    weights and later the samples, in that order. Each step learns from
    `batch_size` documents. Raise ValueError if there is nothing to
    learn from, or if `config` has another vocabulary.
    """

    def __init__(
        self,
        documents: Sequence[str],
        config: Config,
        num_steps: int,
        seed: int = 42,
        *,
        batch_size: int = 1,
        learning_rate: float = LEARNING_RATE,
        engine: EngineFactory = dot.Engine,
    ) -> None:
        if not documents or batch_size < 1:
            raise ValueError("each step needs a document to learn from")
        self.seed = seed
        self.rng = random.Random(seed)
        self.documents = list(documents)
        self.rng.shuffle(self.documents)
        self.tokenizer = Tokenizer(documents)
        if config.vocab_size != self.tokenizer.vocab_size:
            raise ValueError(
                f"vocab_size must be {self.tokenizer.vocab_size} for"
                f" these documents, not {config.vocab_size}"
            )
        self.config = config
        self.num_steps = num_steps
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.engine: Engine = engine(config, self.rng)

    @property
    def model(self) -> GPT:
        """The model as it is now."""
        return self.engine.model

    @property
    def step(self) -> int:
        """How many steps were taken."""
        return self.engine.steps

    def train(self, stop: int | None = None) -> Iterator[float]:
        """Take the steps that remain, or those up to `stop`.

        Yield the loss of each. Raise FloatingPointError at the first
        loss that is not finite; the run stays as it was before.
        """
        last = self.num_steps
        if stop is not None:
            last = min(stop, last)
        while self.step < last:
            with pause_garbage_collection():
                loss = self.train_step()
            yield loss

    def train_step(self) -> float:
        """Learn from a batch; return its mean loss before the step."""
        first = self.learning_rate
        rate = linear_decay(first, self.step, self.num_steps)
        loss = self.engine.step(self.next_batch(), rate)
        if not math.isfinite(loss):
            step = self.step + 1
            raise FloatingPointError(
                f"the loss is not finite at step {step}:"
                " begin a new run with a smaller learning rate"
            )
        return loss

    def next_batch(self) -> list[list[int]]:
        """Return the documents of the step to come, as tokens.

        After the last document the first comes again.
        """
        count = len(self.documents)
        begin = self.step * self.batch_size
        return [
            self.tokenizer.document(self.documents[i % count])
            for i in range(begin, begin + self.batch_size)
        ]


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Keep Python from looking for cycles: `Value`s form none.

    Its collector would visit all nodes again and again, and free none.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
