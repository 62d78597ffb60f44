"""Step 4: a transformer: several heads, and layers of them."""
from __future__ import annotations
import argparse, json, math, random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

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

    def relu(self) -> Value:
        """Return max(0, self); its slope at 0 is 0, as is usual."""
        slope = float(self.data > 0)
        return Value(max(0.0, self.data), (self,), (slope,), "relu")

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

    def backward(self) -> None:
        """Add d(self)/d(node) to the `grad` of all it was made from."""
        self.grad = 1.0
        for node in reversed(topological_order(self)):
            for child, local_grad in zip(node._children, node._local_grads):
                child.grad += local_grad * node.grad

def topological_order(output: Value) -> list[Value]:
    """Return the nodes that `output` is made of, children first."""
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

# ---------- microgpt/data.py
def load_names(path: str | Path | None = None) -> list[str]:
    """Read the lines of a UTF-8 file that are not blank."""
    source = Path(path or Path(__file__).with_name("names.txt"))
    lines = source.read_text(encoding="utf-8-sig").splitlines()
    names = [line.strip() for line in lines if line.strip()]
    if not names:
        raise ValueError(f"{source} holds no names")
    return names

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
    """Add up the products of two vectors of equal length."""
    a_data = [ai.data for ai in a]
    b_data = [bi.data for bi in b]
    total = 0.0
    for x, y in zip(a_data, b_data, strict=True):
        total += x * y
    return Value(total, (*a, *b), (*b_data, *a_data), "dot")

def linear(x: Vector, weight: Matrix) -> Vector:
    """Map `in` numbers to `out` numbers by an out × in matrix."""
    return [dot(row, x) for row in weight]

def softmax(logits: Vector) -> Vector:
    """Turn any numbers into probabilities: positive, adding up to 1."""
    largest = max(logit.data for logit in logits)
    exps = [(logit - largest).exp() for logit in logits]
    scale = Value.sum(exps) ** -1
    return [exp * scale for exp in exps]

def rmsnorm(x: Vector) -> Vector:
    """Scale a vector to a root mean square of 1."""
    mean_square = dot(x, x) / len(x)
    scale = (mean_square + 1e-5) ** -0.5
    return [xi * scale for xi in x]

# ---------- microgpt/attention.py
@dataclass
class Cache:
    """The keys and values of the tokens read so far, for one layer."""
    keys: Matrix = field(default_factory=list)
    values: Matrix = field(default_factory=list)

def attend(query: Vector, keys: Matrix, values: Matrix) -> Vector:
    """Average the values by how well their keys match the query."""
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
        if self.n_embd % self.n_head:
            raise ValueError("n_embd must be a multiple of n_head")

    @property
    def head_dim(self) -> int:
        """The width of one head."""
        return self.n_embd // self.n_head

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
    """A decoder-only transformer (Radford et al., 2019)."""
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
        return [p for m in self.weights.values() for row in m for p in row]

    def new_cache(self) -> list[Cache]:
        """Return a cache for each layer, with no tokens read yet."""
        return [Cache() for _ in range(self.config.n_layer)]

    def forward(self, token: int, cache: list[Cache]) -> Vector:
        """Read one more token; return a logit for each that could be next."""
        token_embedding = self.weights["wte"][token]
        position_embedding = self.weights["wpe"][len(cache[0].keys)]
        x = [t + p for t, p in zip(token_embedding, position_embedding)]
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
        return [o + xi for o, xi in zip(output, x)]

    def mlp(self, x: Vector, layer: int) -> Vector:
        """Add to x what two linear layers make of it."""
        hidden = linear(rmsnorm(x), self.weights[f"layer{layer}.mlp_fc1"])
        activated = [h.relu() for h in hidden]
        output = linear(activated, self.weights[f"layer{layer}.mlp_fc2"])
        return [o + xi for o, xi in zip(output, x)]

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

# ---------- snippets/step4.py
def mean_loss(tokens: list[int], model: GPT) -> Value:
    """Return the mean of −log p(next token), in nats, over a name."""
    cache = model.new_cache()
    losses = []
    for token, target in zip(tokens[:16], tokens[1:]):
        probabilities = softmax(model.forward(token, cache))
        losses.append(-probabilities[target].log())
    return Value.sum(losses) / len(losses)

def train_step(
    tokens: list[int], model: GPT, optimizer: SGD, rate: float
) -> float:
    """Learn from one name; return its loss from before."""
    loss = mean_loss(tokens, model)
    loss.backward()
    optimizer.step(rate)
    optimizer.zero_grad()
    return loss.data

def train(
    names: list[str],
    tokenizer: Tokenizer,
    model: GPT,
    num_steps: int = 1000,
) -> Iterator[float]:
    """Learn from one name per step; yield each loss."""
    optimizer = SGD(model.parameters())
    for step in range(num_steps):
        tokens = tokenizer.document(names[step % len(names)])
        rate = linear_decay(0.1, step, num_steps)
        yield train_step(tokens, model, optimizer, rate)

def sample(
    model: GPT,
    tokenizer: Tokenizer,
    rng: random.Random,
    temperature: float = 0.5,
) -> str:
    """Invent a name of at most 16 letters, one letter at a time."""
    cache = model.new_cache()
    token, name = tokenizer.bos, ""
    while len(name) < 16:
        logits = model.forward(token, cache)
        p = softmax([logit / temperature for logit in logits])
        chances = [pi.data for pi in p]
        token = rng.choices(range(tokenizer.vocab_size), chances)[0]
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
    model = GPT(Config(vocab_size=tokenizer.vocab_size), rng)
    losses = []
    for loss in train(names, tokenizer, model, args.steps):
        losses.append(loss)
        done = f"{len(losses):4d} / {args.steps:4d}"
        print(f"step {done} | loss {loss:.4f}")
    if args.losses:
        write_losses(losses, args.losses)
    for i in range(20):
        print(f"sample {i + 1:2d}: {sample(model, tokenizer, rng)}")

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
