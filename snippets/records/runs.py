"""Whole runs of Steps 3 to 5, in a third of the time that the programs need.

The same models, optimizers and names, with the engine over matrices. That these runs
begin as the programs do is tested in tests/snippets/test_ladder.py.
"""

import random
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from microgpt import (
    GPT,
    SGD,
    Adam,
    Config,
    Value,
    linear_decay,
    sample,
)
from microgpt.engines import lists
from microgpt.nn import Matrix
from snippets import step0, step1, step3
from snippets.ready import begun, per_token

LossOf = Callable[[list[int]], float]


class Quick:
    """A run of a step: its losses, and the model that has learnt.

    The matrices of `without` are 0 and stay so.
    """

    def __init__(
        self,
        step: str,
        docs: Path | None = None,
        num_steps: int = 1000,
        without: Sequence[str] = (),
    ) -> None:
        self.names, self.tokenizer, self.rng = begun(docs)
        vocab_size = self.tokenizer.vocab_size
        if step == "step3":
            self.model = one_head(step3.initial_weights(vocab_size, self.rng))
        else:
            self.model = GPT(Config(vocab_size), self.rng)
        clear(self.model, without)
        learning = [
            parameter
            for name, matrix in self.model.weights.items()
            if name not in without
            for row in matrix
            for parameter in row
        ]
        adam = step == "step5"
        optimizer = (Adam if adam else SGD)(learning)
        self.losses: list[float] = []
        for i in range(num_steps):
            tokens = self.tokenizer.document(self.names[i])
            self.losses.append(lists.gradient(self.model, tokens))
            optimizer.step(linear_decay(0.01 if adam else 0.1, i, 1000))
            optimizer.zero_grad()

    def loss_of(self, tokens: list[int]) -> float:
        """Return the loss of a document."""
        return lists.document_loss(self.model, tokens)

    def held_out(self) -> float:
        """Return the loss per token of the names after the first 1,000."""
        documents = [self.tokenizer.document(name) for name in self.names[1000:]]
        return per_token(self.loss_of, documents)


def clear(model: GPT, names: Sequence[str]) -> None:
    """Set every number of some matrices to 0."""
    for name in names:
        for row in model.weights[name]:
            for parameter in row:
                parameter.data = 0.0


@cache
def whole(step: str, docs: Path | None = None) -> Quick:
    """Return the run of 1,000 steps, computed once."""
    return Quick(step, docs)


def one_head(weights: dict[str, Matrix]) -> GPT:
    """Return the model of Step 3 as the package's, with one head and one layer."""
    model = GPT(Config(n_head=1), random.Random())
    for name in model.weights:
        model.weights[name] = weights[name.removeprefix("layer0.")]
    return model


def without(run: Quick, matrices: Sequence[str]) -> Quick:
    """Return a run of which some matrices of the model are 0."""
    return with_model(
        run,
        run.model.config.n_head,
        {
            name: [[Value(0.0) for _ in row] for row in run.model.weights[name]]
            for name in matrices
        },
    )


def ladder(docs: Path | None = None, count: int | None = None) -> dict[str, Any]:
    """Train every step's model on 1,000 names; return its losses, to six digits.

    `first` and `last` are those of one name, `last_100` is a mean over the last hundred
    names, and `held_out` is per token of the `count` names that follow the first 1,000.
    """
    names, tokenizer, rng = begun(docs)
    documents = [tokenizer.document(name) for name in names[1000:][:count]]
    counts = step0.zero_counts(tokenizer.vocab_size)
    weights = step1.initial_weights(tokenizer.vocab_size, rng)
    models: dict[str, tuple[list[float], LossOf]] = {
        "step0": (
            list(step0.train(names, tokenizer, counts, 1000)),
            lambda tokens: step0.mean_loss(tokens, counts),
        ),
        "step1": (
            list(step1.train(names, tokenizer, weights, 1000)),
            lambda tokens: step1.mean_loss(tokens, weights),
        ),
    }
    for step in ("step3", "step4", "step5"):
        run = whole(step, docs)
        models[step] = run.losses, run.loss_of
    rng = copy(run.rng)
    samples = [sample(run.model, run.tokenizer, rng) for _ in range(20)]
    found: dict[str, Any] = {
        step: {
            "first": six_digits(losses[0]),
            "last": six_digits(losses[-1]),
            "last_100": six_digits(sum(losses[-100:]) / 100),
            "held_out": six_digits(per_token(loss_of, documents)),
        }
        for step, (losses, loss_of) in models.items()
    }
    return {**found, "names": len(names), "samples": samples}


def heads() -> dict[str, dict[str, float]]:
    """Return held-out losses of the weights of Steps 4 and 5, read in three ways.

    As four heads, as one, and as heads that give equal weights to all tokens, since
    their queries are 0; to six digits.
    """
    found = {}
    for step in ("step4", "step5"):
        run = whole(step)
        ways = {
            "four": run,
            "one": with_model(run, 1, {}),
            "equal": without(run, ["layer0.attn_wq"]),
        }
        found[step] = {way: six_digits(of.held_out()) for way, of in ways.items()}
    return found


def with_model(run: Quick, n_head: int, weights: dict[str, Matrix]) -> Quick:
    """Return a run whose model has other heads, or other weights in some places."""
    changed = copy(run)
    changed.model = GPT(replace(run.model.config, n_head=n_head), random.Random())
    changed.model.weights = {**run.model.weights, **weights}
    return changed


def gradients_of_a() -> list[float]:
    """Return the gradients of lm_head[a][0] in the first 100 steps of Step 5."""
    run = Quick("step5", num_steps=0)
    watched = run.model.weights["lm_head"][run.tokenizer.encode("a")[0]][0]
    optimizer = Adam(run.model.parameters())
    found = []
    for step, name in enumerate(run.names[:100]):
        lists.gradient(run.model, run.tokenizer.document(name))
        found.append(watched.grad)
        optimizer.step(linear_decay(0.01, step, 1000))
        optimizer.zero_grad()
    return found


def six_digits(x: float) -> float:
    """Return a number as records have it."""
    return float(f"{x:.6g}")
