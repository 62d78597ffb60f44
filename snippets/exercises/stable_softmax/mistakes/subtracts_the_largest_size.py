"""For [-1000.0, -1001.0] every exponential is 0 to the last digit of a float.
Subtract something that leaves at least one of them at 1."""

import math


def softmax(logits):
    largest = max(abs(logit) for logit in logits)
    exps = [math.exp(logit - largest) for logit in logits]
    total = sum(exps)
    return [exp / total for exp in exps]


print(softmax([1.0, 2.0, 3.0]))
