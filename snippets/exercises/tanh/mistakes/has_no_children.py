"""The result remembers nothing: give Value its children and their local gradients,
both as tuples."""

import math

from microgpt import Value


def tanh(x):
    t = Value(math.tanh(x.data))
    x.grad = 1 - t.data**2
    return t


x = Value(0.5)
y = tanh(x)
y.backward()
print(f"{y.data:.4f} {x.grad:.4f}")
