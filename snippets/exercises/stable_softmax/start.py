import math


def softmax(logits):
    """Turn any numbers into probabilities that add up to 1."""
    exps = [math.exp(logit) for logit in logits]
    total = sum(exps)
    return [exp / total for exp in exps]


print(softmax([1.0, 2.0, 3.0]))
