"""The probabilities of [1.0, 2.0, 3.0] must add up to 1."""

import math


def softmax(logits):
    exps = [math.exp(logit) for logit in logits]
    total = sum(exps) - max(exps)
    return [exp / total for exp in exps]


print(softmax([1.0, 2.0, 3.0]))
