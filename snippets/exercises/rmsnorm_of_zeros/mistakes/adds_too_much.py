"""Of [3.0, -1.0, 2.0, 0.0], an ordinary vector, 3 should become 1.604, not 1.414."""

from microgpt import dot


def rmsnorm(x):
    scale = (dot(x, x) / len(x) + 1) ** -0.5
    return [xi * scale for xi in x]
