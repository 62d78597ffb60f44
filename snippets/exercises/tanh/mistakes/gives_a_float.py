"""Return a Value: a float has forgotten where it came from."""

import math

from microgpt import Value


def tanh(x):
    return math.tanh(x.data)


x = Value(0.5)
y = tanh(x)

print(y)
