"""A number moves the mean by less than itself: by one part in the length of the
row."""


def backward(slopes):
    total = sum(slopes)
    return [slope - total for slope in slopes]


print(backward([1.0, 0.0, 0.0]))
