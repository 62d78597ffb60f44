"""The caller's list of logits has changed: make a new one."""

import math


def softmax(logits):
    largest = max(logits)
    for i in range(len(logits)):
        logits[i] -= largest
    exps = [math.exp(logit) for logit in logits]
    total = sum(exps)
    return [exp / total for exp in exps]


print(softmax([1.0, 2.0, 3.0]))
