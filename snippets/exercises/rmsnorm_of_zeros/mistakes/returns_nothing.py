"""Return a list with a Value for each number."""

from microgpt import dot


def rmsnorm(x):
    scale = (dot(x, x) / len(x) + 1e-5) ** -0.5
    for xi in x:
        xi * scale
