"""At 0.5 the slope of tanh is 0.7864, and the gradient of x comes out as 0.5379.
Nudge x and see how far tanh moves."""

import math

from microgpt import Value


def tanh(x):
    t = math.tanh(x.data)
    return Value(t, (x,), (1 - t,))


x = Value(0.5)
y = tanh(x)
y.backward()
print(f"{y.data:.4f} {x.grad:.4f}")
