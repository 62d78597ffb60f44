"""The list of derivatives that the function was given has changed: make a new
one."""


def backward(slopes):
    mean = sum(slopes) / len(slopes)
    for i in range(len(slopes)):
        slopes[i] -= mean
    return slopes


print(backward([1.0, 0.0, 0.0]))
