"""For [1000.0, 999.0, 998.0] the probabilities are not those of softmax."""

import math


def softmax(logits):
    exps = [math.exp(min(logit, 700)) for logit in logits]
    total = sum(exps)
    return [exp / total for exp in exps]


print(softmax([1.0, 2.0, 3.0]))
