"""Step 6: the whole model, which learns names and invents its own."""

from __future__ import annotations

import argparse
import gc
import json
import math
import random
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice, pairwise
from pathlib import Path
from typing import Protocol


# ---------- microgpt/data.py

class DatasetError(ValueError):
    """A dataset that cannot be used, and why."""


def load_names(path: str | Path | None = None) -> list[str]:
    """Read the lines of a UTF-8 file that are not blank.

    Without a path, read the `names.txt` that lies beside this program.
    """
    source = Path(path or Path(__file__).with_name("names.txt"))
    try:
        text = source.read_text(encoding="utf-8-sig")
        if "\0" in text:
            raise UnicodeError
    except UnicodeError:
        raise DatasetError(f"{source} is not UTF-8 text") from None
    except OSError as error:
        raise DatasetError(
            f"cannot read {source}: {error.strerror}"
        ) from None
    names = [line.strip() for line in text.splitlines() if line.strip()]
    if not names:
        raise DatasetError(f"{source} holds no names")
    return names


# ---------- microgpt/autograd.py

class Value:
    """A number, the numbers it was computed from, and its derivative.

    `data` is the number. `grad` is the derivative of an output with
    respect to it; calling `backward` on that output adds it up. A value
    made by an operation keeps its operands in `_children`, and in
    `_local_grads` its own derivative with respect to each. The
    interface is that of micrograd (Karpathy, 2020).
    """

    __slots__ = ("_children", "_local_grads", "data", "grad")

    def __init__(
        self,
        data: float,
        children: tuple[Value, ...] = (),
        local_grads: tuple[float, ...] = (),
    ) -> None:
        self.data = data
        self.grad = 0.0
        self._children = children
        self._local_grads = local_grads

    def __repr__(self) -> str:
        return f"Value(data={self.data:.6g}, grad={self.grad:.6g})"

    def __add__(self, other: Value | float) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other: Value | float) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        product = self.data * other.data
        return Value(product, (self, other), (other.data, self.data))

    def __pow__(self, exponent: float) -> Value:
        """Raise to a constant power; the exponent gets no gradient."""
        if isinstance(exponent, Value):
            return NotImplemented
        local_grad = (
            exponent * self.data ** (exponent - 1) if exponent else 0.0
        )
        return Value(self.data**exponent, (self,), (local_grad,))

    def __rpow__(self, base: float) -> Value:
        """Raise a constant, positive base to this power."""
        result = base**self.data
        return Value(result, (self,), (math.log(base) * result,))

    def log(self) -> Value:
        """Return the natural logarithm; `data` must be positive."""
        return Value(math.log(self.data), (self,), (1 / self.data,))

    def exp(self) -> Value:
        """Return e to the power of self, which is also its own slope."""
        result = math.exp(self.data)
        return Value(result, (self,), (result,))

    def relu(self) -> Value:
        """Return max(0, self); its slope at 0 is 0, as is usual."""
        slope = float(self.data > 0)
        return Value(max(0.0, self.data), (self,), (slope,))

    @staticmethod
    def sum(values: Iterable[Value]) -> Value:
        """Add any number of values in one node, from left to right."""
        children = tuple(values)
        total = 0.0
        # Python's own sum() rounds differently from version to version.
        for child in children:
            total += child.data
        return Value(total, children, (1.0,) * len(children))

    def __neg__(self) -> Value:
        return self * -1

    def __radd__(self, other: float) -> Value:
        return self + other

    def __sub__(self, other: Value | float) -> Value:
        return self + (-other)

    def __rsub__(self, other: float) -> Value:
        return -self + other

    def __rmul__(self, other: float) -> Value:
        return self * other

    def __truediv__(self, other: Value | float) -> Value:
        return self * other**-1

    def __rtruediv__(self, other: float) -> Value:
        return self**-1 * other

    def backward(self) -> None:
        """Add d(self)/d(node) to the `grad` of all it was made from."""
        self.grad = 1.0
        for node in reversed(topological_order(self)):
            for child, local_grad in zip(node._children, node._local_grads):
                child.grad += local_grad * node.grad


def topological_order(output: Value) -> list[Value]:
    """Return the nodes that `output` is made of, children first.

    A depth-first search, linear in the number of nodes and edges. It
    keeps its path in a list, not on Python's call stack, so that a
    graph may be of any depth.
    """
    order: list[Value] = []
    seen = {output}
    path = [(output, iter(output._children))]
    while path:
        node, children = path[-1]
        for child in children:
            if child not in seen:
                seen.add(child)
                path.append((child, iter(child._children)))
                break
        else:
            order.append(node)
            path.pop()
    return order


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep Python from looking for cycles: `Value`s form none.

    Its collector would visit all nodes again and again, and free none.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


# ---------- microgpt/nn.py

Vector = list[Value]
Matrix = list[Vector]


def gaussian_matrix(
    rows: int, columns: int, std: float, rng: random.Random
) -> Matrix:
    """Draw rows × columns parameters from a normal distribution."""
    return [
        [Value(rng.gauss(0, std)) for _ in range(columns)]
        for _ in range(rows)
    ]


def dot(a: Vector, b: Vector) -> Value:
    """Add up the products of two vectors of equal length.

    One node stands for it all. The slope along an element is its
    partner in the other vector.
    """
    a_data = [ai.data for ai in a]
    b_data = [bi.data for bi in b]
    total = 0.0
    for x, y in zip(a_data, b_data, strict=True):
        total += x * y
    return Value(total, (*a, *b), (*b_data, *a_data))


def linear(x: Vector, weight: Matrix) -> Vector:
    """Map `in` numbers to `out` numbers by an out × in matrix."""
    return [dot(row, x) for row in weight]


def softmax(logits: Vector) -> Vector:
    """Turn any numbers into probabilities: positive, adding up to 1.

    The largest logit is subtracted first, so that no `exp` can
    overflow. It cancels out, which is why it may be a plain number
    without a gradient.
    """
    largest = max(logit.data for logit in logits)
    exps = [(logit - largest).exp() for logit in logits]
    scale = Value.sum(exps) ** -1
    return [exp * scale for exp in exps]


def rmsnorm(x: Vector) -> Vector:
    """Scale a vector to a root mean square of 1.

    From Zhang and Sennrich (2019), without a learnt gain. The
    small number under the root keeps a vector of zeros finite.
    """
    mean_square = dot(x, x) / len(x)
    scale = (mean_square + 1e-5) ** -0.5
    return [xi * scale for xi in x]


# ---------- microgpt/attention.py

@dataclass
class Cache:
    """The keys and values of the tokens read so far, for one layer."""

    keys: list[Vector] = field(default_factory=list)
    values: list[Vector] = field(default_factory=list)


def attend(
    query: Vector, keys: list[Vector], values: list[Vector]
) -> Vector:
    """Average the values by how well their keys match the query.

    Scaled dot-product attention (Vaswani et al., 2017, section 3.2.1).
    """
    scale = len(query) ** -0.5
    weights = softmax([dot(query, key) * scale for key in keys])
    columns = zip(*values, strict=True)
    return [dot(weights, list(column)) for column in columns]


# ---------- microgpt/model.py

@dataclass(frozen=True)
class Config:
    """The sizes of a model. `n_embd` must be a multiple of `n_head`."""

    vocab_size: int = 27
    n_layer: int = 1
    n_embd: int = 16
    n_head: int = 4
    block_size: int = 16

    def __post_init__(self) -> None:
        for name, size in vars(self).items():
            if not isinstance(size, int) or size < 1:
                raise ValueError(
                    f"{name} must be a positive integer, not {size!r}"
                )
        if self.n_embd % self.n_head:
            raise ValueError(
                f"n_embd ({self.n_embd}) must be a multiple"
                f" of n_head ({self.n_head})"
            )

    @property
    def head_dim(self) -> int:
        """The width of one head."""
        return self.n_embd // self.n_head

    @property
    def num_parameters(self) -> int:
        """How many numbers the matrices hold."""
        return sum(
            rows * columns for rows, columns in self.shapes().values()
        )

    def shapes(self) -> dict[str, tuple[int, int]]:
        """Return rows and columns of each matrix, in order of creation."""
        width, hidden = self.n_embd, 4 * self.n_embd
        shapes = {
            "wte": (self.vocab_size, width),
            "wpe": (self.block_size, width),
            "lm_head": (self.vocab_size, width),
        }
        for layer in range(self.n_layer):
            for name in ("wq", "wk", "wv", "wo"):
                shapes[f"layer{layer}.attn_{name}"] = (width, width)
            shapes[f"layer{layer}.mlp_fc1"] = (hidden, width)
            shapes[f"layer{layer}.mlp_fc2"] = (width, hidden)
        return shapes


class GPT:
    """A decoder-only transformer (Radford et al., 2019).

    It has RMSNorm in place of layer norm, and no biases.
    """

    def __init__(
        self, config: Config, rng: random.Random, *, std: float = 0.08
    ) -> None:
        self.config = config
        self.weights: dict[str, Matrix] = {
            name: gaussian_matrix(rows, columns, std, rng)
            for name, (rows, columns) in config.shapes().items()
        }

    def parameters(self) -> list[Value]:
        """Return every parameter, matrix by matrix and row by row."""
        return [
            p
            for matrix in self.weights.values()
            for row in matrix
            for p in row
        ]

    def new_cache(self) -> list[Cache]:
        """Return a cache for each layer, with no tokens read yet."""
        return [Cache() for _ in range(self.config.n_layer)]

    def forward(self, token: int, cache: list[Cache]) -> Vector:
        """Read one more token; return a logit for each that could be next.

        The cache says what came before, and so the position. It grows by
        one token.
        """
        position = len(cache[0].keys)
        if position >= self.config.block_size:
            raise ValueError(
                f"the model reads at most {self.config.block_size} tokens"
            )
        token_embedding = self.weights["wte"][token]
        position_embedding = self.weights["wpe"][position]
        x = [
            t + p
            for t, p in zip(
                token_embedding, position_embedding, strict=True
            )
        ]
        x = rmsnorm(x)
        for layer in range(self.config.n_layer):
            x = self.attention(x, layer, cache[layer])
            x = self.mlp(x, layer)
        return linear(x, self.weights["lm_head"])

    def attention(self, x: Vector, layer: int, cache: Cache) -> Vector:
        """Add to x what each head gathers from the tokens read so far."""
        normed = rmsnorm(x)
        query = linear(normed, self.weights[f"layer{layer}.attn_wq"])
        cache.keys.append(
            linear(normed, self.weights[f"layer{layer}.attn_wk"])
        )
        cache.values.append(
            linear(normed, self.weights[f"layer{layer}.attn_wv"])
        )
        gathered: Vector = []
        for start in range(0, self.config.n_embd, self.config.head_dim):
            head = slice(start, start + self.config.head_dim)
            keys = [key[head] for key in cache.keys]
            values = [value[head] for value in cache.values]
            gathered += attend(query[head], keys, values)
        output = linear(gathered, self.weights[f"layer{layer}.attn_wo"])
        return [o + xi for o, xi in zip(output, x, strict=True)]

    def mlp(self, x: Vector, layer: int) -> Vector:
        """Add to x what two linear layers make of it."""
        hidden = linear(rmsnorm(x), self.weights[f"layer{layer}.mlp_fc1"])
        activated = [h.relu() for h in hidden]
        output = linear(activated, self.weights[f"layer{layer}.mlp_fc2"])
        return [o + xi for o, xi in zip(output, x, strict=True)]


# ---------- microgpt/tokenizer.py

class Tokenizer:
    """Numbers the characters of a dataset from 0, in order.

    One more token, `bos` (beginning of sequence), stands before and
    after each document, so that a model learns both of its ends.
    """

    def __init__(self, documents: Iterable[str]) -> None:
        self.characters = "".join(sorted(set().union(*documents)))
        self.bos = len(self.characters)
        self.vocab_size = len(self.characters) + 1
        self._ids = {
            character: i for i, character in enumerate(self.characters)
        }

    def encode(self, text: str) -> list[int]:
        """Return a token per character; ValueError if one is unknown."""
        for character in text:
            if character not in self._ids:
                raise ValueError(
                    f"the tokenizer does not know the character "
                    f"{character!r}; it knows {self.characters!r}"
                )
        return [self._ids[character] for character in text]

    def document(self, text: str) -> list[int]:
        """Return the tokens of a whole document, between two `bos`."""
        return [self.bos, *self.encode(text), self.bos]

    def decode(self, tokens: Iterable[int]) -> str:
        """Return the characters of tokens other than `bos`."""
        return "".join(self.characters[token] for token in tokens)


# ---------- microgpt/sampling.py

def sample(
    model: GPT,
    tokenizer: Tokenizer,
    rng: random.Random,
    temperature: float = 0.5,
    prompt: str = "",
) -> str:
    """Invent a document that begins with `prompt`.

    A temperature below 1 sharpens the distribution, one above 1
    flattens it. Raise ValueError for one outside 0.001 to 1000, or
    for a prompt that fills the context.
    """
    if not 0.001 <= temperature <= 1000:
        raise ValueError(
            f"temperature must be from 0.001 to 1000, not {temperature}"
        )
    room = model.config.block_size
    if len(prompt) >= room:
        raise ValueError(
            f"the prompt has {len(prompt)} characters; "
            f"a context of {room} has room for {room - 1}"
        )
    cache = model.new_cache()
    token, text = tokenizer.bos, prompt
    unread = tokenizer.encode(prompt)
    for _ in range(room):
        logits = model.forward(token, cache)
        if unread:
            token = unread.pop(0)
            continue
        cooled = [logit / temperature for logit in logits]
        weights = [p.data for p in softmax(cooled)]
        token = rng.choices(range(tokenizer.vocab_size), weights)[0]
        if token == tokenizer.bos:
            break
        text += tokenizer.decode([token])
    return text


# ---------- microgpt/engine.py

@dataclass
class State:
    """All that an engine has learnt, as plain numbers.

    `weights`, and Adam's two means, have a number for each parameter,
    in the order of `GPT.parameters`.
    """

    weights: Sequence[float]
    first: Sequence[float]
    second: Sequence[float]
    steps: int = 0
    beta1: float = 0.85
    beta2: float = 0.99
    epsilon: float = 1e-8


class Engine(Protocol):
    """A model and its optimizer, in whatever form computes best."""

    @property
    def steps(self) -> int:
        """How many steps were taken."""

    @property
    def model(self) -> GPT:
        """The model as it is now."""

    def step(
        self, documents: Sequence[Sequence[int]], learning_rate: float
    ) -> float:
        """Learn from a batch of documents, each a list of tokens.

        Return the mean of their losses from before.
        """

    def state(self) -> State:
        """Return all that has been learnt."""

    def restore(self, state: State) -> None:
        """Go on from a state, which any engine may have reached."""


# Draws the first weights from a generator, as `GPT` does.
EngineType = Callable[[Config, random.Random], Engine]


def first_state(config: Config, rng: random.Random) -> State:
    """Draw the weights that `GPT` would draw, as plain numbers."""
    count = config.num_parameters
    weights = array("d", (rng.gauss(0, 0.08) for _ in range(count)))
    zeros = array("d", bytes(8 * count))
    return State(weights, zeros, zeros[:])


def model_of(config: Config, weights: Sequence[float]) -> GPT:
    """Return the model that has these weights."""
    model = GPT(config, random.Random())
    for p, weight in zip(model.parameters(), weights, strict=True):
        p.data = weight
    return model


# ---------- microgpt/optim.py

class SGD:
    """Gradient descent: each parameter moves against its gradient."""

    def __init__(self, parameters: Sequence[Value]) -> None:
        self.parameters = parameters

    def step(self, learning_rate: float) -> None:
        """Move every parameter once."""
        for parameter in self.parameters:
            parameter.data -= learning_rate * parameter.grad

    def zero_grad(self) -> None:
        """Forget all gradients: `backward` adds to what it finds."""
        for parameter in self.parameters:
            parameter.grad = 0.0


class Adam(SGD):
    """Momentum, and a rate of its own for each parameter.

    `first` and `second` are running means of each gradient and of its
    square. They begin at 0; `steps` tells how much they lack therefore
    (Kingma and Ba, 2015, algorithm 1).
    """

    def __init__(
        self,
        parameters: Sequence[Value],
        beta1: float = 0.85,
        beta2: float = 0.99,
        epsilon: float = 1e-8,
    ) -> None:
        super().__init__(parameters)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.first = [0.0] * len(parameters)
        self.second = [0.0] * len(parameters)
        self.steps = 0

    def step(self, learning_rate: float) -> None:
        """Move every parameter once."""
        self.steps += 1
        # The weights of what a mean has seen add up to this, not to 1
        share1 = 1 - self.beta1**self.steps
        share2 = 1 - self.beta2**self.steps
        for i, parameter in enumerate(self.parameters):
            grad = parameter.grad
            first = self.beta1 * self.first[i] + (1 - self.beta1) * grad
            second = (
                self.beta2 * self.second[i] + (1 - self.beta2) * grad**2
            )
            self.first[i], self.second[i] = first, second
            mean, mean_square = first / share1, second / share2
            size = mean_square**0.5 + self.epsilon
            parameter.data -= learning_rate * mean / size


def linear_decay(
    learning_rate: float,
    step: int,
    num_steps: int,
) -> float:
    """Return the rate of a step, counted from 0; at the end it is 0."""
    return learning_rate * (1 - step / num_steps)


# ---------- microgpt/training.py

LEARNING_RATE = 0.01


def document_loss(model: GPT, tokens: Sequence[int]) -> Value:
    """Return the mean of −log p(next token), in nats, over a document.

    A document longer than the model's context is cut.
    """
    cache = model.new_cache()
    losses = []
    context = model.config.block_size
    for token, target in islice(pairwise(tokens), context):
        probabilities = softmax(model.forward(token, cache))
        losses.append(-probabilities[target].log())
    return Value.sum(losses) * (1 / len(losses))


def backpropagate(model: GPT, tokens: Sequence[int]) -> float:
    """Add the gradient of a document's loss to every `grad`.

    Return the loss.
    """
    loss = document_loss(model, tokens)
    loss.backward()
    return loss.data


# Adds the gradient of a document's loss to every `grad`, and returns
# the loss.
Gradient = Callable[[GPT, Sequence[int]], float]


class Backpropagation:
    """The engine as taught: a graph of `Value`s, and Adam to move them.

    `gradient` is how the gradient of a document's loss is found.
    """

    def __init__(
        self,
        config: Config,
        rng: random.Random,
        gradient: Gradient = backpropagate,
    ) -> None:
        self.model = GPT(config, rng)
        self.optimizer = Adam(self.model.parameters())
        self.gradient = gradient

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return self.optimizer.steps

    def step(
        self, documents: Sequence[Sequence[int]], learning_rate: float
    ) -> float:
        """Learn from a batch; return the mean loss from before."""
        count = len(documents)
        loss = 0.0
        for tokens in documents:
            loss += self.gradient(self.model, tokens) / count
        if count > 1:
            for parameter in self.optimizer.parameters:
                parameter.grad /= count
        self.optimizer.step(learning_rate)
        self.optimizer.zero_grad()
        return loss

    def state(self) -> State:
        """Return all that has been learnt."""
        adam = self.optimizer
        return State(
            [p.data for p in adam.parameters],
            list(adam.first),
            list(adam.second),
            adam.steps,
            adam.beta1,
            adam.beta2,
            adam.epsilon,
        )

    def restore(self, state: State) -> None:
        """Go on from a state."""
        adam = self.optimizer
        pairs = zip(adam.parameters, state.weights, strict=True)
        for parameter, weight in pairs:
            parameter.data = weight
        adam.first, adam.second = list(state.first), list(state.second)
        adam.steps, adam.epsilon = state.steps, state.epsilon
        adam.beta1, adam.beta2 = state.beta1, state.beta2


class Run:
    """A training run: all that it needs to go on from where it is.

    One generator, seeded once, shuffles the documents, draws the first
    weights and later the samples, in that order. Each step learns from
    `batch_size` documents. Raise ValueError if `config` has another
    vocabulary than the documents.
    """

    def __init__(
        self,
        documents: Sequence[str],
        config: Config,
        num_steps: int,
        seed: int = 42,
        *,
        batch_size: int = 1,
        learning_rate: float = LEARNING_RATE,
        engine: EngineType = Backpropagation,
    ) -> None:
        self.seed = seed
        self.rng = random.Random(seed)
        self.documents = list(documents)
        self.rng.shuffle(self.documents)
        self.tokenizer = Tokenizer(documents)
        if config.vocab_size != self.tokenizer.vocab_size:
            raise ValueError(
                f"vocab_size must be {self.tokenizer.vocab_size} for"
                f" these documents, not {config.vocab_size}"
            )
        self.config = config
        self.num_steps = num_steps
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.engine: Engine = engine(config, self.rng)

    @property
    def model(self) -> GPT:
        """The model as it is now."""
        return self.engine.model

    @property
    def step(self) -> int:
        """How many steps were taken."""
        return self.engine.steps

    def train(self, stop: int | None = None) -> Iterator[float]:
        """Take the steps that remain, or those up to `stop`.

        Yield the loss of each.
        """
        last = self.num_steps
        if stop is not None:
            last = min(stop, last)
        while self.step < last:
            with collector_paused():
                loss = self.train_step()
            yield loss

    def train_step(self) -> float:
        """Learn from a batch; return its mean loss from before."""
        first = self.learning_rate
        rate = linear_decay(first, self.step, self.num_steps)
        return self.engine.step(self.batch(), rate)

    def batch(self) -> list[list[int]]:
        """Return the documents of the step to come, as tokens.

        After the last document the first comes again.
        """
        count = len(self.documents)
        begin = self.step * self.batch_size
        return [
            self.tokenizer.document(self.documents[i % count])
            for i in range(begin, begin + self.batch_size)
        ]


# ---------- snippets/step6.py

def main() -> None:
    """Train on a file of names, then invent twenty."""
    args = arguments()
    try:
        names = load_names(args.docs)
    except ValueError as error:
        raise SystemExit(f"error: {error}") from None
    vocab_size = Tokenizer(names).vocab_size
    run = Run(names, Config(vocab_size=vocab_size), args.steps)
    losses = []
    for loss in run.train():
        losses.append(loss)
        print(f"step {run.step:4d} / {args.steps:4d} | loss {loss:.4f}")
    if args.losses:
        write_losses(losses, args.losses)
    for i in range(20):
        name = sample(run.model, run.tokenizer, run.rng)
        print(f"sample {i + 1:2d}: {name}")


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
    return parser.parse_args()


if __name__ == "__main__":
    main()
