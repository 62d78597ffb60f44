"""For [1.0, 2.0, 3.0] the probabilities are not those of softmax. Whatever you
subtract must be the same for all logits."""

import math


def softmax(logits):
    largest = max(logits)
    exps = [
        math.exp(logit / largest) if largest else 1 for logit in logits
    ]
    total = sum(exps)
    return [exp / total for exp in exps]


print(softmax([1.0, 2.0, 3.0]))
