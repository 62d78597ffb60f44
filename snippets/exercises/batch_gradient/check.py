"""Check the loss and gradient of batches of unequal documents."""

import random

from microgpt import GPT, Config
from snippets.exercises import Namespace, Results

DOCUMENTS = [[4, 0, 1, 4], [4, 2, 4], [4, 3, 1, 1, 0, 2, 4]]
CASES = {"three documents": DOCUMENTS, "two documents": DOCUMENTS[:2]}


def run_case(namespace: Namespace, case: list[list[int]]) -> Results:
    """Return the loss, and the model's gradients and weights afterwards."""
    config = Config(vocab_size=5, n_embd=4, n_head=2, block_size=8)
    model = GPT(config, random.Random(1))
    return {
        "the loss": namespace["learn"](model, case),
        "the list of gradients": [p.grad for p in model.parameters()],
        "the list of weights": [p.data for p in model.parameters()],
    }
