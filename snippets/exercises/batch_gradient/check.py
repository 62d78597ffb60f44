"""Checks the loss and the gradient of a batch of documents of unequal length."""

import math
import random

from microgpt import GPT, Config, document_loss
from snippets.exercises import Hint, Program, close, function

THREE = [[4, 0, 1, 4], [4, 2, 4], [4, 3, 1, 1, 0, 2, 4]]
CONFIG = Config(vocab_size=5, n_embd=4, n_head=2, block_size=8)


def check(program: Program) -> None:
    """Compare with the losses and gradients of each document, taken alone."""
    learn = function(program, "learn")
    model = GPT(CONFIG, random.Random(1))
    before = [p.data for p in model.parameters()]
    loss = learn(model, THREE)
    if not isinstance(loss, (int, float)):
        raise Hint("Return the loss of the batch, as a number.")
    if [p.data for p in model.parameters()] != before:
        raise Hint(
            "The weights of the model have changed. Only the gradients should."
        )
    found = [p.grad for p in model.parameters()]
    third = 1 / 3
    mean_loss, mean = mixed(THREE, [third, third, third])
    if not alike(found, mean):
        raise explained(found, math.isclose(loss, mean_loss))
    if not math.isclose(loss, mean_loss):
        raise Hint(
            "The gradients are right now, but the loss that is returned is not the mean "
            "over the documents."
        )
    other = GPT(CONFIG, random.Random(1))
    learn(other, THREE[:2])
    if not alike(
        [p.grad for p in other.parameters()],
        mixed(THREE[:2], [0.5, 0.5])[1],
    ):
        raise Hint(
            "For three documents it is right, and for another number of them not."
        )


def explained(found: list[float], loss_is_mean: bool) -> Hint:
    """Return what these gradients tell about how they were found."""
    if alike(found, mixed(THREE, [1, 1, 1])[1]):
        if loss_is_mean:
            return Hint(
                "The loss is the mean now, but the gradients are still those of the sum."
            )
        return Hint(
            "Loss and gradients are those of the sum of all documents. With more "
            "documents both grow, and so would the steps."
        )
    if any(
        alike(found, mixed(THREE, [0, 0, share])[1])
        for share in (1, 1 / 3)
    ):
        return Hint(
            "Only the gradient of the last document is left. Those of the others have "
            "been forgotten."
        )
    if alike(found, mixed(THREE, [1 / 27, 1 / 9, 1 / 3])[1]):
        return Hint(
            "The gradient of the first document is too small: it is in grad already when "
            "the next one is divided, and is divided once more with it."
        )
    lengths = [len(tokens) - 1 for tokens in THREE]
    shares = [length / sum(lengths) for length in lengths]
    if alike(found, mixed(THREE, shares)[1]):
        return Hint(
            "A long document counts for more than a short one: this is the mean over all "
            "tokens. Every document should have the same say, so take the mean of their "
            "means."
        )
    return Hint("The gradients are not the mean over the documents.")


def mixed(
    documents: list[list[int]], shares: list[float]
) -> tuple[float, list[float]]:
    """Return loss and gradients of a mixture of the documents' losses."""
    model = GPT(CONFIG, random.Random(1))
    loss = 0.0
    for tokens, share in zip(documents, shares, strict=True):
        part = document_loss(model, tokens) * share
        part.backward()
        loss += part.data
    return loss, [p.grad for p in model.parameters()]


def alike(a: list[float], b: list[float]) -> bool:
    """Tell whether two gradients are equal but for rounding."""
    return close(a, b, rel_tol=1e-6, abs_tol=1e-12)
