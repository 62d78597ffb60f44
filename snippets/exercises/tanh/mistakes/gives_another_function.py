"""At 0.5 the data should be 0.4621, not 0.6225."""

import math

from microgpt import Value


def tanh(x):
    s = 1 / (1 + math.exp(-x.data))
    return Value(s, (x,), (s * (1 - s),))


x = Value(0.5)
y = tanh(x)
y.backward()
print(f"{y.data:.4f} {x.grad:.4f}")
