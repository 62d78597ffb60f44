"""Return a list with a probability for each logit."""

import math


def softmax(logits):
    largest = max(logits)
    exps = [math.exp(logit - largest) for logit in logits]
    total = sum(exps)
    print([exp / total for exp in exps])


print(softmax([1.0, 2.0, 3.0]))
