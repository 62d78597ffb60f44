"""Return Values: a float has forgotten where it came from."""


def rmsnorm(x):
    mean_square = sum(xi.data**2 for xi in x) / len(x)
    scale = (mean_square + 1e-5) ** -0.5
    return [xi.data * scale for xi in x]
