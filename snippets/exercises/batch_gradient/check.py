"""Checks the loss and the gradient of a batch of documents of unequal length."""

import random
from operator import mul

from microgpt import GPT, Config, document_loss
from snippets.exercises import Hint, Program, close, function

THREE = [[4, 0, 1, 4], [4, 2, 4], [4, 3, 1, 1, 0, 2, 4]]
CONFIG = Config(vocab_size=5, n_embd=4, n_head=2, block_size=8)
# What each document's gradient is multiplied with; their lengths are 3, 2 and 6.
MISTAKES: dict[str, list[tuple[float, ...]]] = {
    "Loss and gradients are those of the sum of all documents. With more "
    "documents both grow, and so would the steps.": [(1, 1, 1)],
    "Only the gradient of the last document is left. Those of the others have "
    "been forgotten.": [(0, 0, 1), (0, 0, 1 / 3)],
    "The gradient of the first document is too small: it is in grad already when "
    "the next one is divided, and is divided once more with it.": [
        (1 / 27, 1 / 9, 1 / 3)
    ],
    "A long document counts for more than a short one: this is the mean over all "
    "tokens. Every document should have the same say, so take the mean of their "
    "means.": [(3 / 11, 2 / 11, 6 / 11)],
}


def check(program: Program) -> None:
    """Compare with mixtures of the gradients of each document, taken alone."""
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
    losses, gradients = zip(*map(alone, THREE))

    def has(model: GPT, *shares: float) -> bool:
        """Tell whether a model has this mixture of the gradients."""
        mixture = [
            sum(map(mul, shares, parts)) for parts in zip(*gradients)
        ]
        found = [p.grad for p in model.parameters()]
        return close(found, mixture, rel_tol=1e-6, abs_tol=1e-12)

    is_mean = close(loss, sum(losses) / 3)
    if is_mean and has(model, 1, 1, 1):
        raise Hint(
            "The loss is the mean now, but the gradients are still those of the sum."
        )
    for hint, mixtures in MISTAKES.items():
        if any(has(model, *shares) for shares in mixtures):
            raise Hint(hint)
    if not has(model, 1 / 3, 1 / 3, 1 / 3):
        raise Hint("The gradients are not the mean over the documents.")
    if not is_mean:
        raise Hint(
            "The gradients are right now, but the loss that is returned is not the mean "
            "over the documents."
        )
    other = GPT(CONFIG, random.Random(1))
    learn(other, THREE[:2])
    if not has(other, 1 / 2, 1 / 2):
        raise Hint(
            "For three documents it is right, and for another number of them not."
        )


def alone(tokens: list[int]) -> tuple[float, list[float]]:
    """Return the loss and the gradient of one document."""
    model = GPT(CONFIG, random.Random(1))
    loss = document_loss(model, tokens)
    loss.backward()
    return loss.data, [p.grad for p in model.parameters()]
