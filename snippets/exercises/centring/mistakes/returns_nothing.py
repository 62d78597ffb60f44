"""Return a list with a derivative for each number of the row."""


def backward(slopes):
    print([slope - sum(slopes) / len(slopes) for slope in slopes])


print(backward([1.0, 0.0, 0.0]))
