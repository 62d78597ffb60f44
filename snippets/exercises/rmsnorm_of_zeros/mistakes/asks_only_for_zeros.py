"""[1e-200, -1e-200] still ends in an error. A square can be 0 even where the number is
not; see to it that what you take to the power of -0.5 is never 0."""

from microgpt import dot


def rmsnorm(x):
    if all(xi.data == 0 for xi in x):
        return [xi * 0.0 for xi in x]
    scale = (dot(x, x) / len(x)) ** -0.5
    return [xi * scale for xi in x]
