"""The mean was subtracted, so what comes back through it has the other sign."""


def backward(slopes):
    mean = sum(slopes) / len(slopes)
    return [slope + mean for slope in slopes]


print(backward([1.0, 0.0, 0.0]))
