def moves(grads, rate, beta1=0.85, beta2=0.99, epsilon=1e-8):
    """Return how far each gradient moves its parameter."""
    first = second = 0.0
    found = []
    for step, grad in enumerate(grads, 1):
        first = beta1 * first + (1 - beta1) * grad
        second = beta2 * second + (1 - beta2) * grad**2
        found.append(-rate * first / (second**0.5 + epsilon))
    return found


for move in moves([4.0, 4.0, 4.0], 0.01):
    print(f"{move:.5f}")
