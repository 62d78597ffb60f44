"""Children and local gradients are tuples. A tuple of one is written with a comma:
(x,)."""

import math

from microgpt import Value


def tanh(x):
    t = math.tanh(x.data)
    return Value(t, (x,), (1 - t * t))


x = Value(0.5)
y = tanh(x)

print(y)
