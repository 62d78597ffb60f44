import math

from microgpt import Value


def tanh(x):
    """Return the hyperbolic tangent of a Value, as a Value."""
    t = math.tanh(x.data)
    return Value(t, (x,), (1 - t * t,))


x = Value(0.5)
y = tanh(x)
y.backward()
print(f"{y.data:.4f} {x.grad:.4f}")
