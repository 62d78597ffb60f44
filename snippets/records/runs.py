"""Whole runs of Steps 3 to 5, in a third of the time that the programs need.

Models, optimizers and names are the same; the engine `lists` computes.
tests/snippets/test_ladder.py checks that these runs begin as the programs do.
"""

import random
from collections.abc import Callable, Collection, Iterator
from copy import copy
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from microgpt import GPT, SGD, Adam, Config, Value, linear_decay, sample
from microgpt.engines import lists
from microgpt.nn import Matrix
from snippets import step0, step1, step3
from snippets.ready import load_shuffled_names
from snippets.ready.losses import loss_per_token

LossFunction = Callable[[list[int]], float]  # of a document, per token


class FastRun:
    """A fast run of a step; the matrices named in `without` are 0 and stay 0."""

    def __init__(
        self, step: str, docs: Path | None = None, without: Collection[str] = ()
    ) -> None:
        self.names, self.tokenizer, self.rng = load_shuffled_names(docs)
        vocab_size = self.tokenizer.vocab_size
        if step == "step3":
            self.model = one_head_gpt(step3.initial_weights(vocab_size, self.rng))
        else:
            self.model = GPT(Config(vocab_size), self.rng)
        weights = self.model.weights
        weights.update({name: zeros_like(weights[name]) for name in without})
        trainable = [matrix for name, matrix in weights.items() if name not in without]
        parameters = [p for matrix in trainable for row in matrix for p in row]
        self.optimizer = (Adam if step == "step5" else SGD)(parameters)

    def train(self, num_steps: int = 1000) -> Iterator[float]:
        """Take the first `num_steps` of 1,000; yield each loss before its update."""
        rate = 0.01 if isinstance(self.optimizer, Adam) else 0.1
        for step, name in enumerate(self.names[:num_steps]):
            yield lists.accumulate_gradient(self.model, self.tokenizer.document(name))
            self.optimizer.step(linear_decay(rate, step, 1000))
            self.optimizer.zero_grad()

    def held_out_loss(self, model: GPT) -> float:
        """Return a model's loss per token on the names after the first 1,000."""
        documents = [self.tokenizer.document(name) for name in self.names[1000:]]
        loss = loss_per_token(partial(lists.document_loss, model), documents)
        return round_to_six_digits(loss)


@cache
def train_whole_run(
    step: str, docs: Path | None = None, without: tuple[str, ...] = ()
) -> tuple[FastRun, list[float]]:
    """Train a step for 1,000 steps; return the run and its losses, cached."""
    run = FastRun(step, docs, without)
    return run, list(run.train())


def one_head_gpt(weights: dict[str, Matrix]) -> GPT:
    """Return the model of Step 3 as the package's, with one head and one layer."""
    model = GPT(Config(n_head=1), random.Random())
    for name in model.weights:
        model.weights[name] = weights[name.removeprefix("layer0.")]
    return model


def zeros_like(matrix: Matrix) -> Matrix:
    """Return a matrix of zeros of the same shape."""
    return [[Value(0.0) for _ in row] for row in matrix]


def measure_steps(docs: Path | None = None, limit: int | None = None) -> dict[str, Any]:
    """Train every step's model on 1,000 names; return its losses, to six digits.

    `first` and `last` are losses of one name, `last_100` is the mean over the last
    hundred names, and `held_out` is per token on the names after the first 1,000, at
    most `limit`.
    """
    names, tokenizer, rng = load_shuffled_names(docs)
    documents = [tokenizer.document(name) for name in names[1000:][:limit]]
    counts = step0.zero_counts(tokenizer.vocab_size)
    weights = step1.initial_weights(tokenizer.vocab_size, rng)
    models: dict[str, tuple[list[float], LossFunction]] = {
        "step0": (
            list(step0.train(names, tokenizer, counts, 1000)),
            partial(step0.mean_loss, counts=counts),
        ),
        "step1": (
            list(step1.train(names, tokenizer, weights, 1000)),
            partial(step1.mean_loss, weights=weights),
        ),
    }
    for step in ("step3", "step4", "step5"):
        run, losses = train_whole_run(step, docs)
        models[step] = losses, partial(lists.document_loss, run.model)
    rng = copy(run.rng)
    samples = [sample(run.model, run.tokenizer, rng) for _ in range(20)]
    results: dict[str, Any] = {
        step: {
            "first": round_to_six_digits(losses[0]),
            "last": round_to_six_digits(losses[-1]),
            "last_100": round_to_six_digits(sum(losses[-100:]) / 100),
            "held_out": round_to_six_digits(loss_per_token(loss_of, documents)),
        }
        for step, (losses, loss_of) in models.items()
    }
    return {**results, "names": len(names), "samples": samples}


def measure_constant_rate() -> float:
    """Return the held-out loss of Step 1's network, trained at a rate that stays at 1."""
    names, tokenizer, rng = load_shuffled_names()
    weights = step1.initial_weights(tokenizer.vocab_size, rng)
    for name in names[:1000]:
        step1.train_step(tokenizer.document(name), weights, 1.0)
    documents = [tokenizer.document(name) for name in names[1000:]]
    loss = loss_per_token(partial(step1.mean_loss, weights=weights), documents)
    return round_to_six_digits(loss)


def measure_heads() -> dict[str, dict[str, float]]:
    """Return held-out losses of the weights of Steps 4 and 5, used in three ways.

    The ways are four heads, one head, and queries of 0, so that attention is uniform.
    The losses have six digits.
    """
    losses, queries = {}, "layer0.attn_wq"
    for step in ("step4", "step5"):
        run, _ = train_whole_run(step)
        four, one, equal = (copy(run.model) for _ in range(3))
        one.config = replace(four.config, n_head=1)
        equal.weights = four.weights | {queries: zeros_like(four.weights[queries])}
        models = {"four": four, "one": one, "equal": equal}
        losses[step] = {name: run.held_out_loss(m) for name, m in models.items()}
    return losses


def round_to_six_digits(x: float) -> float:
    """Round a number to six significant digits, as in records."""
    return float(f"{x:.6g}")
