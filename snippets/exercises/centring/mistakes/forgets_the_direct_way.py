"""The way through the mean is right. But each number also acts directly on its
own result."""


def backward(slopes):
    mean = sum(slopes) / len(slopes)
    return [-mean for _ in slopes]


print(backward([1.0, 0.0, 0.0]))
