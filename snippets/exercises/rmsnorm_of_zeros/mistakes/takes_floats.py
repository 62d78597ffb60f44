"""At [3.0, -1.0, 2.0, 0.0] the first number's slope along x[0] is 0.1909, and backward
says 0.5345. Is every step computed with Values, down to the scale?"""


def rmsnorm(x):
    mean_square = sum(xi.data**2 for xi in x) / len(x)
    scale = (mean_square + 1e-5) ** -0.5
    return [xi * scale for xi in x]
