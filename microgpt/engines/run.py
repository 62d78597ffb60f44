"""A training run that can be saved and resumed, with any engine."""

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

DEFAULT_LEARNING_RATE = 0.01


class Run:
    """A training run, with all that it needs to be resumed.

    One generator, seeded once, shuffles the documents, draws the first
    weights and later the samples, in that order.

    Args:
        documents: Texts to learn from, such as names.
        config: The sizes of the model; `vocab_size` must be that of
            the documents.
        num_steps: The steps after which the learning rate is 0.
        seed: The seed of the generator.
        batch_size: The number of documents in a step.
        learning_rate: The rate of the first step.
        engine: What computes; `microgpt.engines.load_engine` loads
            others.

    Raises:
        ValueError: There are no documents, or `batch_size` is less
            than 1, or `config` does not fit the documents' vocabulary.
    """

    def __init__(
        self,
        documents: Sequence[str],
        config: Config,
        num_steps: int,
        seed: int = 42,
        *,
        batch_size: int = 1,
        learning_rate: float = DEFAULT_LEARNING_RATE,
        engine: EngineFactory = dot.Engine,
    ) -> None:
        if not documents:
            raise ValueError("expected at least one document, got none")
        if batch_size < 1:
            raise ValueError(
                f"expected batch_size of at least 1, got {batch_size}"
            )
        self.seed = seed
        self.rng = random.Random(seed)
        self.documents = list(documents)
        self.rng.shuffle(self.documents)
        self.tokenizer = Tokenizer(documents)
        if config.vocab_size != self.tokenizer.vocab_size:
            raise ValueError(
                f"expected vocab_size {self.tokenizer.vocab_size} for"
                f" these documents, got {config.vocab_size}"
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
    def steps_taken(self) -> int:
        """The number of steps taken."""
        return self.engine.steps_taken

    step = steps_taken  # its name until version 0.2

    def train(self, stop: int | None = None) -> Iterator[float]:
        """Take the steps that remain, and yield the loss of each.

        Args:
            stop: The step of the run after which to stop.

        Raises:
            FloatingPointError: A loss is not finite. The run stays as
                it was before that step.
        """
        last = self.num_steps
        if stop is not None:
            last = min(stop, last)
        while self.steps_taken < last:
            with pause_garbage_collection():
                loss = self.train_step()
            yield loss

    def train_step(self) -> float:
        """Learn from the next batch; return its mean loss before that."""
        initial_rate = self.learning_rate
        rate = linear_decay(initial_rate, self.steps_taken, self.num_steps)
        loss = self.engine.step(self.next_batch(), rate)
        if not math.isfinite(loss):
            step = self.steps_taken + 1
            raise FloatingPointError(
                f"the loss is not finite at step {step}:"
                f" begin a new run with a learning rate below"
                f" {self.learning_rate:g}"
            )
        return loss

    def next_batch(self) -> list[list[int]]:
        """Return the documents of the next step, as tokens.

        After the last document the first comes again.
        """
        count = len(self.documents)
        begin = self.steps_taken * self.batch_size
        return [
            self.tokenizer.document(self.documents[i % count])
            for i in range(begin, begin + self.batch_size)
        ]


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Keep Python from looking for cycles, which `Value`s never form.

    Its collector would visit all nodes again and again, and free none.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
