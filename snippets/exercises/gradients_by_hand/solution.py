def gradients():
    """Return how fast e moves with each number, at a = 2 and b = 3.

    c = a * b  is 6
    d = c + a  is 8
    e = d * b  is 24
    """
    return {
        "e": 1,
        "d": 3,
        "c": 3,
        "b": 14,
        "a": 12,
    }


print(gradients())
