"""[1e-09, 2e-09, 0.0] is blown up: 2e-09 becomes 1.55. A vector as short as this
should stay short, and one of zeros 0."""

from microgpt import dot


def rmsnorm(x):
    scale = (dot(x, x) / len(x) + 1e-30) ** -0.5
    return [xi * scale for xi in x]
