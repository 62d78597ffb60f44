from microgpt import Value, dot


def rmsnorm(x):
    """Divide a vector by its root mean square."""
    mean_square = dot(x, x) / len(x)
    scale = mean_square**-0.5
    return [xi * scale for xi in x]


for numbers in ([3.0, -1.0], [0.0, 0.0]):
    try:
        result = rmsnorm([Value(n) for n in numbers])
        print([f"{r.data:.4f}" for r in result])
    except ZeroDivisionError:
        print(numbers, "cannot be divided by its size")
