"""A number moves the mean by one part in the length of the row, and so it moves
all results, not its own alone. Add up what comes back from each."""


def backward(slopes):
    return [slope * (1 - 1 / len(slopes)) for slope in slopes]


print(backward([1.0, 0.0, 0.0]))
