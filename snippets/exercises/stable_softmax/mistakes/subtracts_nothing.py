"""math.exp overflows for [1000.0, 999.0, 998.0]. Subtract something from each
logit first, so that the largest exponent is small."""

import math


def softmax(logits):
    exps = [math.exp(logit) for logit in logits]
    total = math.fsum(exps)
    return [exp / total for exp in exps]


print(softmax([1.0, 2.0, 3.0]))
