"""The GPT: from the tokens read so far to a logit for each next one."""

import random
from dataclasses import dataclass

from microgpt.attention import Cache, attend
from microgpt.autograd import Value
from microgpt.nn import Matrix, Vector, gaussian_matrix, linear, rmsnorm


@dataclass(frozen=True)
class Config:
    """The sizes of a model: tokens, layers, width, heads and context.

    `n_embd` must be a multiple of `n_head`. At most `block_size` tokens
    are read.
    """

    vocab_size: int = 27
    n_layer: int = 1
    n_embd: int = 16
    n_head: int = 4
    block_size: int = 16

    def __post_init__(self) -> None:
        for name, n in vars(self).items():
            if n < 1:
                raise ValueError(f"expected {name} above 0, got {n}")
        if self.n_embd % self.n_head:
            raise ValueError(
                "expected n_embd as a multiple of n_head"
                f" {self.n_head}, got {self.n_embd}"
            )

    @property
    def head_dim(self) -> int:
        """The width of one head."""
        return self.n_embd // self.n_head

    @property
    def num_parameters(self) -> int:
        """The number of parameters in all matrices."""
        shapes = self.shapes().values()
        return sum(rows * columns for rows, columns in shapes)

    def shapes(self) -> dict[str, tuple[int, int]]:
        """Return (rows, columns) of each matrix, in order of creation."""
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

    It has RMSNorm in place of layer norm, and no biases. `std` is the
    standard deviation of its first weights.
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
        return [p for m in self.weights.values() for row in m for p in row]

    def new_cache(self) -> list[Cache]:
        """Return a cache for each layer, with no tokens read yet."""
        return [Cache() for _ in range(self.config.n_layer)]

    def forward(self, token: int, cache: list[Cache]) -> Vector:
        """Read one more token; return `vocab_size` logits of the next.

        The cache holds what came before, so it gives the position. It
        grows by one token.
        """
        token_embedding = self.weights["wte"][token]
        position_embedding = self.weights["wpe"][len(cache[0].keys)]
        x = [t + p for t, p in zip(token_embedding, position_embedding)]
        x = rmsnorm(x)
        for layer in range(self.config.n_layer):
            x = self.attention(x, layer, cache[layer])
            x = self.mlp(x, layer)
        return linear(x, self.weights["lm_head"])

    def attention(self, x: Vector, layer: int, cache: Cache) -> Vector:
        """Return x plus attention to RMSNorm(x), `n_embd` numbers.

        The cache of the layer grows by the token's key and value.
        """
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
        """Return x + fc2(ReLU(fc1(RMSNorm(x)))), `n_embd` numbers."""
        hidden = linear(rmsnorm(x), self.weights[f"layer{layer}.mlp_fc1"])
        activated = [h.relu() for h in hidden]
        output = linear(activated, self.weights[f"layer{layer}.mlp_fc2"])
        return [o + xi for o, xi in zip(output, x)]
