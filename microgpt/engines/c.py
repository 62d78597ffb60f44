"""The model in C, compiled on this machine when this is imported."""

from __future__ import annotations

import ctypes
import math
import random
from array import array
from collections.abc import Sequence
from dataclasses import astuple
from functools import cache
from pathlib import Path
from typing import TypeAlias

from microgpt.engines.compiler import SOURCE, compiled, of_this_process
from microgpt.engines.protocol import (
    Documents,
    EngineState,
    build_model,
    check_documents,
    check_tokens,
    initial_state,
)
from microgpt.model import GPT, Config

Numbers: TypeAlias = "array[int]"
Rows: TypeAlias = "tuple[Numbers, Numbers, Numbers, array[float]]"
TYPES = {"float64": ctypes.c_double, "float32": ctypes.c_float}
SIZES = ("vocab", "layers", "width", "heads", "context")
CHUNK, WIDE = 48, 16  # as in gpt.c, where WIDE is the largest
MOST_NUMBERS = 2**31 - 1  # that C's `int` can count


@cache
def load(precision: str, source: Path = SOURCE) -> ctypes.CDLL:
    """Return gpt.c as a library, in numbers of `precision`.

    `source` may be another file with its functions. Raise ValueError
    for a precision that C does not have.
    """
    if precision not in TYPES:
        raise ValueError(
            f"precision must be float64 or float32, not {precision}"
        )
    real = "double" if precision == "float64" else "float"
    option = f"-DREAL={real}"
    try:
        library = ctypes.CDLL(str(compiled(option, source=source)))
    except (OSError, RuntimeError):  # nothing can be kept or run
        own = Path(of_this_process().name)
        file = compiled(option, source=source, folder=own)
        library = ctypes.CDLL(str(file))
    pointer, number = ctypes.c_void_p, ctypes.c_double
    rows = [pointer] * 2 + [ctypes.c_int] + [pointer] * 2
    library.gpt_loss.argtypes = [*rows, pointer, pointer, ctypes.c_int]
    library.gpt_loss.restype = number
    library.gpt_predict.argtypes = rows
    library.gpt_predict.restype = pointer
    library.gpt_adam.argtypes = [pointer] * 2 + [number] * 6
    return library


load("float64")  # or say what is missing before anyone asks for it


class Sizes(ctypes.Structure):
    """What gpt.c knows as `Config`."""

    _fields_ = [(name, ctypes.c_int) for name in SIZES]


class Engine:
    """All numbers in one array, of which gpt.c knows what is where.

    `precision` is float64, or float32, of which a register holds twice
    as many. An engine is for one thread at a time.
    """

    steps: int
    beta1: float
    beta2: float
    epsilon: float

    def __init__(
        self,
        config: Config,
        rng: random.Random,
        *,
        precision: str = "float64",
    ) -> None:
        self.allocate(config, load(precision), Sizes, precision)
        self.restore(initial_state(config, rng))

    def allocate(
        self,
        config: Config,
        library: ctypes.CDLL,
        sizes: type[ctypes.Structure],
        precision: str,
        *more: int,
    ) -> None:
        """Take the memory that a library wants, all of it zeros.

        Raise MemoryError if C could not count it.
        """
        if numbers_of(config) > MOST_NUMBERS:
            raise MemoryError
        self.config, self.library = config, library
        self.number = TYPES[precision]
        pointer = ctypes.byref(sizes(*astuple(config), *more))
        self.memory = (self.number * library.gpt_memory(pointer))()
        self.count = library.gpt_parameters(pointer)
        self.given = pointer, self.memory  # to every function

    @property
    def model(self) -> GPT:
        """The model as it is now."""
        return build_model(self.config, self.part(0))

    def part(self, place: int) -> list[float]:
        """Return weights (0), gradient (1) or a mean of Adam (2, 3)."""
        begin = place * self.count
        found: list[float] = self.memory[begin : begin + self.count]
        return found

    def step(self, documents: Documents, learning_rate: float) -> float:
        """Learn from a batch; return the mean loss before the step."""
        loss = self.compute_gradient(documents)
        if not math.isfinite(loss):
            return loss
        self.steps += 1
        betas = self.beta1, self.beta2
        corrections = (1 - beta**self.steps for beta in betas)
        numbers = learning_rate, *betas, self.epsilon, *corrections
        self.library.gpt_adam(*self.given, *numbers)
        return loss

    def loss(self, documents: Documents) -> float:
        """Return the loss of documents, in nats per token.

        Every token counts equally here; in training, every document does.
        Raise ValueError as `compute_gradient` does.
        """
        rows = self.rows(documents)
        count = len(rows[0])
        rows[3][:] = array("d", [1 / count] * count)
        return self.call(rows, learn=False)

    def compute_gradient(self, documents: Documents) -> float:
        """Fill the gradient from a batch; return its mean loss.

        Raise ValueError for what C would not notice: see
        `check_documents`.
        """
        rows = self.rows(documents)
        size = ctypes.sizeof(self.number) * self.count
        ctypes.memset(ctypes.addressof(self.memory) + size, 0, size)
        return self.call(rows, learn=True)

    def rows(self, documents: Documents) -> Rows:
        """Return tokens, positions, targets, shares: a row for each."""
        check_documents(documents, self.config)
        tokens, positions, targets = array("i"), array("i"), array("i")
        shares = array("d")
        for document in documents:
            count = min(len(document) - 1, self.config.block_size)
            tokens.extend(document[:count])
            positions.extend(range(count))
            targets.extend(document[1 : count + 1])
            shares.extend([1 / (count * len(documents))] * count)
        return tokens, positions, targets, shares

    def call(self, rows: Rows, *, learn: bool) -> float:
        """Hand rows to gpt.c, and return their loss."""
        places = (column.buffer_info()[0] for column in rows)
        loss: float = self.library.gpt_loss(
            *self.given, len(rows[0]), *places, learn
        )
        return loss

    def predict(self, tokens: Sequence[int]) -> list[float]:
        """Return a logit for each token that may follow a document.

        Raise ValueError for tokens that the model cannot read.
        """
        vocabulary, context = self.config.vocab_size, self.config.block_size
        if not 0 < len(tokens) <= context:
            raise ValueError(f"a context has room for {context} tokens")
        check_tokens(tokens, self.config)
        read, positions = array("i", tokens), array("i", range(len(tokens)))
        places = (column.buffer_info()[0] for column in (read, positions))
        found = self.library.gpt_predict(*self.given, len(tokens), *places)
        numbers = ctypes.cast(found, ctypes.POINTER(self.number))
        return numbers[:vocabulary]

    def state(self) -> EngineState:
        """Return all that has been learnt."""
        settings = self.steps, self.beta1, self.beta2, self.epsilon
        return EngineState(
            self.part(0), self.part(2), self.part(3), *settings
        )

    def restore(self, state: EngineState) -> None:
        """Go on from a state."""
        count = self.count
        parts = (state.weights, state.first, state.second)
        if any(len(part) != count for part in parts):
            raise ValueError(f"a state of this model has {count} weights")
        numbers = [(self.number * count)(*part) for part in parts]
        for place, part in zip((0, 2, 3), numbers):
            self.memory[place * count : (place + 1) * count] = part
        self.steps, self.epsilon = state.steps, state.epsilon
        self.beta1, self.beta2 = state.beta1, state.beta2


def numbers_of(config: Config) -> int:
    """Return no less than `gpt_memory` of gpt.c, however large."""
    width, rows = config.n_embd, config.block_size + CHUNK
    block = 5 * width + 1 + config.n_head * config.block_size
    row = 7 * width + 1 + config.vocab_size
    row += (2 * config.n_layer + 2) * block
    count = config.num_parameters
    return 4 * count + rows * row + WIDE
