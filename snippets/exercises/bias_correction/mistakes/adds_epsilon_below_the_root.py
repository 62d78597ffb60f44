"""A gradient as small as epsilon should move its parameter by half the rate: epsilon is
added to the root, not below it."""


def moves(grads, rate, beta1=0.85, beta2=0.99, epsilon=1e-8):
    """Return how far each gradient moves its parameter."""
    first = second = 0.0
    found = []
    for step, grad in enumerate(grads, 1):
        first = beta1 * first + (1 - beta1) * grad
        second = beta2 * second + (1 - beta2) * grad**2
        mean = first / (1 - beta1**step)
        mean_square = second / (1 - beta2**step)
        found.append(-rate * mean / (mean_square + epsilon) ** 0.5)
    return found


for move in moves([4.0, 4.0, 4.0], 0.01):
    print(f"{move:.5f}")
