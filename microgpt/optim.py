"""Optimizers: how parameters follow their gradients downhill."""

from collections.abc import Sequence

from microgpt.autograd import Value


class SGD:
    """Gradient descent: each parameter moves against its gradient."""

    def __init__(self, parameters: Sequence[Value]) -> None:
        self.parameters = parameters

    def step(self, learning_rate: float) -> None:
        """Move every parameter once."""
        for parameter in self.parameters:
            parameter.data -= learning_rate * parameter.grad

    def zero_grad(self) -> None:
        """Set all gradients to 0, as `backward` only adds to them."""
        for parameter in self.parameters:
            parameter.grad = 0.0


class Adam:
    """Momentum, and a rate of its own for each parameter.

    `first_moments` and `second_moments` are running means, of each
    gradient and of its square. As they begin at 0, they are too small
    at first: `steps_taken` says by how much (Kingma and Ba, 2015,
    algorithm 1).
    """

    def __init__(
        self,
        parameters: Sequence[Value],
        beta1: float = 0.85,
        beta2: float = 0.99,
        epsilon: float = 1e-8,
    ) -> None:
        self.parameters = parameters
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.first_moments = [0.0] * len(parameters)
        self.second_moments = [0.0] * len(parameters)
        self.steps_taken = 0

    def step(self, learning_rate: float) -> None:
        """Move every parameter once.

        In a running mean, the weights of the gradients so far add up to
        less than 1: `correction1` and `correction2` are these sums.
        """
        self.steps_taken += 1
        correction1 = 1 - self.beta1**self.steps_taken
        correction2 = 1 - self.beta2**self.steps_taken
        means, mean_squares = self.first_moments, self.second_moments
        for i, p in enumerate(self.parameters):
            means[i] = self.beta1 * means[i] + (1 - self.beta1) * p.grad
            square = (1 - self.beta2) * p.grad**2
            mean_squares[i] = self.beta2 * mean_squares[i] + square
            rms = (mean_squares[i] / correction2) ** 0.5 + self.epsilon
            p.data -= learning_rate * (means[i] / correction1) / rms

    def zero_grad(self) -> None:
        """Set all gradients to 0, as `backward` only adds to them."""
        for parameter in self.parameters:
            parameter.grad = 0.0

    # Their names until version 0.2
    first = property(lambda self: self.first_moments)
    second = property(lambda self: self.second_moments)
    steps = property(lambda self: self.steps_taken)


def linear_decay(rate: float, step: int, num_steps: int) -> float:
    """Return the rate at `step`: `rate` at 0, and 0 at `num_steps`."""
    return rate * (1 - step / num_steps)
