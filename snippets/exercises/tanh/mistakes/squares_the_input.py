"""The square is that of the result: the slope is 1 - t * t, with t the data of the
new node, not that of x."""

import math

from microgpt import Value


def tanh(x):
    return Value(math.tanh(x.data), (x,), (1 - x.data**2,))


x = Value(0.5)
y = tanh(x)
y.backward()
print(f"{y.data:.4f} {x.grad:.4f}")
