"""At 1000 an exponential overflows. math.tanh knows how to avoid it; record one node
for the whole function."""

import math

from microgpt import Value


def tanh(x):
    up, down = x.exp(), (-x).exp()
    return (up - down) / (up + down)


x = Value(0.5)
y = tanh(x)
y.backward()
print(f"{y.data:.4f} {x.grad:.4f}")
