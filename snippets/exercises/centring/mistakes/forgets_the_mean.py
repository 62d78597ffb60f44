"""Each number acts twice: directly on its own result, and through the mean on all
results. The second way is missing."""


def backward(slopes):
    return [slope for slope in slopes]


print(backward([1.0, 0.0, 0.0]))
