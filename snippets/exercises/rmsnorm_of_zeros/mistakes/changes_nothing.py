"""[0.0, 0.0, 0.0] still ends in an error. A square can be 0 even where the number is
not; see to it that what you take to the power of -0.5 is never 0."""

from microgpt import dot


def rmsnorm(x):
    scale = (dot(x, x) / len(x)) ** -0.5
    return [xi * scale for xi in x]
