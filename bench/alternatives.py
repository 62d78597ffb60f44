"""Build or train the finished model otherwise, to the end: `python -m bench.alternatives`.

Each variant differs in one thing from the model with four heads that Adam trains at
0.01, as `bench.rungs` trains it: with a seed, both learn from the same names in the same
order, from the same first weights. What one rate favours, another may not: so each is
measured once more at its own best rate (", tuned"), beside Adam's. Optimizers have their
best rate anyway. Rates are sought with seeds of their own, in steps of 2, or of √2
without Adam.

What differs is a word or a number in gpt.c, or is done to its weights and gradient from
outside; gpt.c itself, which a page lists, need not know. It takes half an hour on one
core. What is recorded is not trained again, as in `bench.rungs`.
"""

import ctypes
import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from bench.changes import STATEMENTS, Change, changed, hidden
from bench.ends import RECORD
from bench.rungs import Document, Network, Study, record
from microgpt import Config
from microgpt.engines import c
from microgpt.engines.compiler import SOURCE, compiled

VARIANTS_RECORD = RECORD.with_name("variants.json")
SEEN = (30_000, 100_000)
TUNING = range(101, 104)
SIGNATURES = ("gpt_loss", "gpt_gradient", "gpt_predict", "gpt_sgd", "gpt_adam")


@cache
def library(text: str, precision: str) -> ctypes.CDLL:
    """Return a changed gpt.c, whose functions take what those of gpt.c take."""
    usual = c.load(precision)
    real = "double" if precision == "float64" else "float"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, SOURCE.name)
        source.write_text(text, encoding="utf-8")
        found = ctypes.CDLL(str(compiled(f"-DREAL={real}", source=source)))
    for name in SIGNATURES:
        function, like = getattr(found, name), getattr(usual, name)
        function.argtypes, function.restype = like.argtypes, like.restype
    return found


class Engine(c.Engine):
    """The engine in C with a change, and with one matrix for both ends if `tied`.

    The first weights are those of the engine without the change, as far as both have
    them.
    """

    def __init__(
        self,
        config: Config,
        rng: random.Random,
        *,
        change: Change,
        tied: bool = False,
        precision: str = "float32",
        without: Sequence[str] = (),
    ) -> None:
        self.tied = tied
        super().__init__(
            config,
            rng,
            precision=precision,
            without=without,
            library=library(changed(change), precision),
        )
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
        return numbers[: 4 * self.count].reshape(4, -1)

    def gradient(self, documents: Sequence[Sequence[int]]) -> float:
        """Fill the gradient from a batch; return its mean loss.

        Two copies of a matrix that begin equal and are moved by the sum of their
        gradients remain one matrix.
        """
        loss = super().gradient(documents)
        if self.tied:
            first, last = (self.arrays[1, end] for end in self.ends)
            first += last
            last[:] = first
        return loss


@dataclass(frozen=True)
class Variant(Network):
    """A model that differs from the finished one, and how it learns.

    `momentum` is for SGD: how much remains of the last step. `decay` makes Adam AdamW
    (Loshchilov and Hutter, 2019): what a weight loses in a step, times the rate.
    """

    rate: float | None = 0.01
    change: str = ""
    tied: bool = False
    momentum: float = 0.0
    decay: float = 0.0

    @property
    def choices(self) -> tuple[Sequence[float], float]:
        """The rates to try, and the one to begin with."""
        if not self.sgd:
            return (0.00125, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08), 0.01
        # Close together: not far beyond its best rate, SGD breaks down.
        rates = (0.25, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0)
        if self.momentum:  # which adds up steps: ten of them, with 0.9
            return tuple(round(rate * (1 - self.momentum), 5) for rate in rates), 0.1
        return rates, 1.0

    def engine(self, vocab_size: int, rng: random.Random) -> Engine:
        """Return what computes it, with its first weights."""
        return Engine(
            replace(self.config, vocab_size=vocab_size),
            rng,
            change=CHANGES[self.change],
            tied=self.tied,
            without=self.without,
        )

    def learn(
        self, engine: c.Engine, documents: Sequence[Document], rate: float, seen: int
    ) -> None:
        """Take a step, as PyTorch's optimizers of these names do."""
        assert isinstance(engine, Engine)
        weights, gradient, velocity, _ = engine.arrays
        if self.sgd:
            engine.gradient(documents)
            if self.momentum:
                velocity *= self.momentum
                velocity += gradient
                gradient[:] = velocity
            engine.descend(rate)
        else:
            lost = rate * self.decay * weights
            engine.step(documents, rate)
            weights -= lost


CHANGES: dict[str, Change] = {
    "": {},
    **{name: STATEMENTS[name] for name in ("without first norm", "post-norm")},
    **{f"mlp {times}x": hidden(times) for times in (1, 2, 8)},
}
MODELS: dict[str, Variant] = {
    **{name: Variant(change=name) for name in CHANGES if name},
    "tied": Variant(tied=True),
    **{
        f"without {part}": Variant(without=(part,))
        for part in ("mlp", "root", "positions", "residual", "norm")
    },
}
TUNED = {f"{name}, tuned": replace(model, rate=None) for name, model in MODELS.items()}
OPTIMIZERS: dict[str, Variant] = {
    "SGD": Variant(sgd=True, rate=None),
    "momentum": Variant(sgd=True, momentum=0.9, rate=None),
    "AdamW": Variant(decay=0.01, rate=None),  # PyTorch's decay
    "AdamW, decay 0.1": Variant(decay=0.1, rate=None),  # that of GPT-3
}
VARIANTS: dict[str, Variant] = {
    "four heads": Variant(),
    **MODELS,
    "Adam": Variant(rate=None),
    **TUNED,
    **OPTIMIZERS,
}
# By how much the first loses more than the second
DIFFERENCES: dict[str, tuple[str, str]] = {
    **{name: (name, "four heads") for name in (*MODELS, *OPTIMIZERS, "Adam")},
    **{name: (name, "Adam") for name in TUNED},
    **{f"{name}, Adam": (name, "Adam") for name in OPTIMIZERS},
}

variants = partial(
    Study, tuning=TUNING, rungs=VARIANTS, pairs=DIFFERENCES, inventors=()
)


def main() -> None:
    record(__doc__, VARIANTS_RECORD, SEEN, variants)


if __name__ == "__main__":
    main()
