def centred(row):
    """Return a row less its mean."""
    mean = sum(row) / len(row)
    return [x - mean for x in row]


def backward(slopes):
    """Take the gradient of the results; return that of the row."""
    mean = sum(slopes) / len(slopes)
    return [slope - mean for slope in slopes]


print(centred([1.0, 2.0, 6.0]))
print(backward([1.0, 0.0, 0.0]))
