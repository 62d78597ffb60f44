"""Step 1: a network that guesses the next letter, gradient by hand."""
from __future__ import annotations
import argparse, json, math, random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

# ---------- microgpt/data.py
def load_names(path: str | Path | None = None) -> list[str]:
    """Read the lines of a UTF-8 file that are not blank."""
    source = Path(path or Path(__file__).with_name("names.txt"))
    lines = source.read_text(encoding="utf-8-sig").splitlines()
    names = [line.strip() for line in lines if line.strip()]
    if not names:
        raise ValueError(f"{source} holds no names")
    return names

# ---------- microgpt/autograd.py
class Value:
    """A number, the numbers it was computed from, and its derivative."""
    __slots__ = ("_children", "_local_grads", "_op", "data", "grad")

    def __init__(
        self,
        data: float,
        children: tuple[Value, ...] = (),
        local_grads: tuple[float, ...] = (),
        op: str = "",
    ) -> None:
        self.data, self.grad = data, 0.0
        self._children = children
        self._local_grads = local_grads
        self._op = op

    def __add__(self, other: Value | float) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        total = self.data + other.data
        return Value(total, (self, other), (1.0, 1.0), "add")

    def __mul__(self, other: Value | float) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        a, b = self.data, other.data
        return Value(a * b, (self, other), (b, a), "multiply")

    def __pow__(self, exponent: float) -> Value:
        """Raise to a constant power; the exponent gets no gradient."""
        if isinstance(exponent, Value):
            return NotImplemented
        slope = exponent * self.data ** (exponent - 1) if exponent else 0.0
        op = f"power {exponent:g}"
        return Value(self.data**exponent, (self,), (slope,), op)

    def __rpow__(self, base: float) -> Value:
        """Raise a constant, positive base to this power."""
        result = base**self.data
        slope = math.log(base) * result
        return Value(result, (self,), (slope,), f"{base:g} to the power")

    def log(self) -> Value:
        """Return the natural logarithm; `data` must be positive."""
        return Value(math.log(self.data), (self,), (1 / self.data,), "log")

    def exp(self) -> Value:
        """Return e to the power of self, which is also its own slope."""
        result = math.exp(self.data)
        return Value(result, (self,), (result,), "exp")

    @staticmethod
    def sum(values: Iterable[Value]) -> Value:
        """Add any number of values in one node, from left to right."""
        children = tuple(values)
        total = 0.0
        for child in children:
            total += child.data
        return Value(total, children, (1.0,) * len(children), "add")

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Value:
        return self * -1

    def __sub__(self, other: Value | float) -> Value:
        return self + (-other)

    def __rsub__(self, other: float) -> Value:
        return -self + other

    def __truediv__(self, other: Value | float) -> Value:
        return self * other**-1

    def __rtruediv__(self, other: float) -> Value:
        return self**-1 * other

# ---------- microgpt/optim.py
def linear_decay(rate: float, step: int, num_steps: int) -> float:
    """Return the rate of a step, counted from 0; at the end it is 0."""
    return rate * (1 - step / num_steps)

# ---------- microgpt/tokenizer.py
class Tokenizer:
    """Numbers the characters of a dataset from 0, in order."""
    def __init__(self, documents: Iterable[str]) -> None:
        self.characters = "".join(sorted(set().union(*documents)))
        self.bos = len(self.characters)
        self.vocab_size = len(self.characters) + 1

    def encode(self, text: str) -> list[int]:
        """Return a token per character; ValueError if one is unknown."""
        for c in text:
            if c not in self.characters:
                problem = f"the tokenizer does not know the character {c!r}"
                raise ValueError(f"{problem}; it knows {self.characters!r}")
        return [self.characters.index(c) for c in text]

    def document(self, text: str) -> list[int]:
        """Return the tokens of a whole document, between two `bos`."""
        return [self.bos, *self.encode(text), self.bos]

    def decode(self, tokens: Iterable[int]) -> str:
        """Return the characters of tokens other than `bos`."""
        return "".join(self.characters[token] for token in tokens)

# ---------- snippets/step1.py
Vector = list[float]
Matrix = list[Vector]
Weights = dict[str, Matrix]

def gaussian_matrix(
    rows: int, columns: int, std: float, rng: random.Random
) -> Matrix:
    """Draw a rows × columns matrix from a normal distribution."""
    return [
        [rng.gauss(0, std) for _ in range(columns)] for _ in range(rows)
    ]

def initial_weights(vocab_size: int, rng: random.Random) -> Weights:
    """Draw the embeddings and the two linear layers of the network."""
    return {
        "wte": gaussian_matrix(vocab_size, 16, 0.08, rng),
        "fc1": gaussian_matrix(64, 16, 0.08, rng),
        "fc2": gaussian_matrix(vocab_size, 64, 0.08, rng),
    }

def linear(x: Vector, weight: Matrix) -> Vector:
    """Map a vector of `in` numbers to one of `out`."""
    outputs = []
    for row in weight:
        total = 0.0
        for wi, xi in zip(row, x):
            total += wi * xi
        outputs.append(total)
    return outputs

def softmax(logits: Vector) -> Vector:
    """Turn any numbers into probabilities that add up to 1."""
    largest = max(logits)
    exps = [math.exp(logit - largest) for logit in logits]
    total = sum(exps)
    return [exp / total for exp in exps]

def forward(token: int, weights: Weights) -> Vector:
    """Return a logit for each token that could be next."""
    x = weights["wte"][token]
    hidden = linear(x, weights["fc1"])
    activated = [max(0.0, h) for h in hidden]
    return linear(activated, weights["fc2"])

def mean_loss(tokens: list[int], weights: Weights) -> float:
    """Return the mean of −log p(next token), in nats, over a name."""
    losses = []
    for token, target in zip(tokens, tokens[1:]):
        probabilities = softmax(forward(token, weights))
        losses.append(-math.log(probabilities[target]))
    return sum(losses) / len(losses)

def numerical_gradient(
    tokens: list[int], weights: Weights, epsilon: float = 1e-5
) -> Weights:
    """Nudge each weight by epsilon, and see how the loss changes."""
    loss = mean_loss(tokens, weights)
    gradient = zeros_like(weights)
    for name, matrix in weights.items():
        for row, d_row in zip(matrix, gradient[name]):
            for j, weight in enumerate(row):
                row[j] = weight + epsilon
                nudged = mean_loss(tokens, weights)
                d_row[j] = (nudged - loss) / epsilon
                row[j] = weight
    return gradient

def analytic_gradient(tokens: list[int], weights: Weights) -> Weights:
    """Return d(loss)/d(weight) for every weight, by the chain rule."""
    gradient = zeros_like(weights)
    pairs = list(zip(tokens, tokens[1:]))
    for token, target in pairs:
        x = weights["wte"][token]
        hidden = linear(x, weights["fc1"])
        activated = [max(0.0, h) for h in hidden]
        probabilities = softmax(linear(activated, weights["fc2"]))
        d_logits = [p / len(pairs) for p in probabilities]
        d_logits[target] -= 1 / len(pairs)
        d_activated = linear_backward(
            d_logits, activated, weights["fc2"], gradient["fc2"]
        )
        d_hidden = [d * (h > 0) for d, h in zip(d_activated, hidden)]
        d_x = linear_backward(
            d_hidden, x, weights["fc1"], gradient["fc1"]
        )
        for j, d in enumerate(d_x):
            gradient["wte"][token][j] += d
    return gradient

def linear_backward(
    d_output: Vector, x: Vector, weight: Matrix, d_weight: Matrix
) -> Vector:
    """Add to d_weight its part; return d(loss)/d(x)."""
    d_x = [0.0] * len(x)
    for d, row, d_row in zip(d_output, weight, d_weight):
        for j, (wj, xj) in enumerate(zip(row, x)):
            d_row[j] += d * xj
            d_x[j] += d * wj
    return d_x

def zeros_like(weights: Weights) -> Weights:
    """Return matrices of zeros, of the same shapes."""
    return {
        name: [[0.0] * len(row) for row in matrix]
        for name, matrix in weights.items()
    }

def largest_gradient_error(
    tokens: list[int], weights: Weights
) -> float:
    """Compare the two gradients; return the largest difference."""
    numerical = numerical_gradient(tokens, weights)
    analytic = analytic_gradient(tokens, weights)
    return max(
        abs(n - a)
        for name in weights
        for n_row, a_row in zip(numerical[name], analytic[name])
        for n, a in zip(n_row, a_row)
    )

def descend(weights: Weights, gradient: Weights, rate: float) -> None:
    """Move every weight a little against its gradient."""
    for name, matrix in weights.items():
        for row, d_row in zip(matrix, gradient[name]):
            for j, d in enumerate(d_row):
                row[j] -= rate * d

def train_step(
    tokens: list[int], weights: Weights, rate: float
) -> float:
    """Learn from one name; return its loss from before."""
    loss = mean_loss(tokens, weights)
    gradient = analytic_gradient(tokens, weights)
    descend(weights, gradient, rate)
    return loss

def train(
    names: list[str],
    tokenizer: Tokenizer,
    weights: Weights,
    num_steps: int = 1000,
) -> Iterator[float]:
    """Learn from one name per step; yield each loss."""
    for step in range(num_steps):
        tokens = tokenizer.document(names[step % len(names)])
        rate = linear_decay(1.0, step, num_steps)
        yield train_step(tokens, weights, rate)

def sample(
    weights: Weights,
    tokenizer: Tokenizer,
    rng: random.Random,
    temperature: float = 0.5,
) -> str:
    """Invent a name of at most 16 letters, one letter at a time."""
    token, name = tokenizer.bos, ""
    while len(name) < 16:
        logits = forward(token, weights)
        p = softmax([logit / temperature for logit in logits])
        token = rng.choices(range(tokenizer.vocab_size), p)[0]
        if token == tokenizer.bos:
            break
        name += tokenizer.decode([token])
    return name

def main() -> None:
    """Train on a file of names, then invent twenty."""
    args = arguments()
    rng = random.Random(42)
    names = load_names(args.docs)
    rng.shuffle(names)
    tokenizer = Tokenizer(names)
    weights = initial_weights(tokenizer.vocab_size, rng)
    if args.check:
        tokens = tokenizer.document(names[0])
        error = largest_gradient_error(tokens, weights)
        print(f"largest error of the gradient: {error:.1e}")
    losses = []
    for loss in train(names, tokenizer, weights, args.steps):
        losses.append(loss)
        done = f"{len(losses):4d} / {args.steps:4d}"
        print(f"step {done} | loss {loss:.4f}")
    if args.losses:
        write_losses(losses, args.losses)
    for i in range(20):
        print(f"sample {i + 1:2d}: {sample(weights, tokenizer, rng)}")

def write_losses(losses: list[float], path: str) -> None:
    """Write each step and its loss, as one line of JSON."""
    with open(path, "w") as file:
        for step, loss in enumerate(losses, 1):
            record = {"step": step, "loss": loss}
            file.write(json.dumps(record) + "\n")

def arguments() -> argparse.Namespace:
    """Read what was asked for on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--docs", help="a file with a name per line")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--losses", help="a file to write them to")
    parser.add_argument("--check", action="store_true")
    return parser.parse_args()

if __name__ == "__main__":
    main()
