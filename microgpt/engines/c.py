"""The model in C, compiled when this module is imported."""

from __future__ import annotations

import ctypes
import math
import random
from array import array
from collections.abc import Sequence
from dataclasses import astuple
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import TypeAlias

from microgpt.engines.compiler import (
    GPT_C_PATH,
    compile_library,
    temporary_folder_until_exit,
)
from microgpt.engines.protocol import (
    Documents,
    EngineState,
    build_model,
    check_documents,
    check_token_range,
    initial_state,
)
from microgpt.model import GPT, Config

BatchColumns: TypeAlias = (
    "tuple[array[int], array[int], array[int], array[float]]"
)
C_TYPES_BY_PRECISION = {
    "float64": ctypes.c_double,
    "float32": ctypes.c_float,
}
C_CONFIG_SIZE_FIELDS = ("vocab", "layers", "width", "heads", "context")
CHUNK_ROWS, MAX_TILE_COLUMNS = 48, 16  # of gpt.c on any processor
MAX_C_INT = 2**31 - 1


@cache
def load_library(
    precision: str,
    source: Path = GPT_C_PATH,
) -> ctypes.CDLL:
    """Return gpt.c as a library that computes in `precision`.

    `source` may be another file with the same functions.

    Raises:
        ValueError: C does not have the precision.
    """
    if precision not in C_TYPES_BY_PRECISION:
        raise ValueError(
            "expected the precision float64 or float32,"
            f" got {precision}, which needs --engine torch"
        )
    real = "double" if precision == "float64" else "float"
    option = f"-DREAL={real}"
    try:
        cached = compile_library(option, source=source)
        library = ctypes.CDLL(str(cached))
    except (OSError, RuntimeError):  # the cache holds no libraries
        folder = Path(temporary_folder_until_exit().name)
        file = compile_library(option, source=source, folder=folder)
        library = ctypes.CDLL(str(file))
    pointer, double = ctypes.c_void_p, ctypes.c_double
    rows = [pointer] * 2 + [ctypes.c_int] + [pointer] * 2
    library.gpt_loss.argtypes = [*rows, pointer, pointer, ctypes.c_int]
    library.gpt_loss.restype = double
    library.gpt_logits.argtypes = rows
    library.gpt_logits.restype = pointer
    library.gpt_adam_step.argtypes = [pointer] * 2 + [double] * 6
    return library


load_library("float64")  # so that a missing compiler is known now


class MemorySection(IntEnum):
    """The order of the arrays at the start of an engine's memory.

    Each has a number per parameter. Adam's two moments are the running
    means of the gradient and of its square.
    """

    WEIGHTS = 0
    GRADIENT = 1
    FIRST_MOMENTS = 2
    SECOND_MOMENTS = 3


SAVED_SECTIONS = (
    MemorySection.WEIGHTS,
    MemorySection.FIRST_MOMENTS,
    MemorySection.SECOND_MOMENTS,
)


class CConfig(ctypes.Structure):
    """The struct `Config` of gpt.c."""

    _fields_ = [(name, ctypes.c_int) for name in C_CONFIG_SIZE_FIELDS]


class Engine:
    """An engine with all numbers in one array, which gpt.c lays out.

    `precision` is float64, or float32, of which a register holds twice
    as many. An engine is for one thread at a time.
    """

    steps_taken: int
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
        library = load_library(precision)
        self.allocate(config, library, CConfig, precision)
        self.restore(initial_state(config, rng))

    def allocate(
        self,
        config: Config,
        library: ctypes.CDLL,
        struct: type[ctypes.Structure],
        precision: str,
        *more_fields: int,
    ) -> None:
        """Allocate the memory that a library asks for, all zeros.

        `more_fields` are the fields of the struct after the sizes.

        Raises:
            MemoryError: A C `int` could not count the numbers.
        """
        if max_memory_elements(config) > MAX_C_INT:
            raise MemoryError
        self.config, self.library = config, library
        self.c_type = C_TYPES_BY_PRECISION[precision]
        c_config = ctypes.byref(struct(*astuple(config), *more_fields))
        size = library.gpt_num_memory_elements(c_config)
        self.memory = (self.c_type * size)()
        self.num_parameters = library.gpt_num_parameters(c_config)
        self.c_args = c_config, self.memory  # first in every call

    @property
    def model(self) -> GPT:
        """The model as it is now."""
        weights = self.copy_section(MemorySection.WEIGHTS)
        return build_model(self.config, weights)

    def copy_section(self, section: MemorySection) -> list[float]:
        """Return a section of the memory, a number per parameter."""
        begin = section * self.num_parameters
        end = begin + self.num_parameters
        numbers: list[float] = self.memory[begin:end]
        return numbers

    def step(self, documents: Documents, learning_rate: float) -> float:
        """Learn from a batch; return the mean loss before the step."""
        loss = self.compute_gradient(documents)
        if not math.isfinite(loss):
            return loss
        self.steps_taken += 1
        betas = self.beta1, self.beta2
        corrections = (1 - beta**self.steps_taken for beta in betas)
        settings = learning_rate, *betas, self.epsilon, *corrections
        self.library.gpt_adam_step(*self.c_args, *settings)
        return loss

    def loss_per_token(self, documents: Documents) -> float:
        """Return the loss of documents, in nats per token.

        Every token counts equally here; in training, every document does.

        Raises:
            ValueError: `check_documents` refuses the documents.
        """
        tokens, positions, targets, _ = self.flatten_documents(documents)
        count = len(tokens)
        weights = array("d", [1 / count] * count)
        columns = tokens, positions, targets, weights
        return self.call_gpt_loss(columns, with_gradient=False)

    def compute_gradient(self, documents: Documents) -> float:
        """Fill the gradient from a batch; return its mean loss.

        Raises:
            ValueError: `check_documents` refuses the documents.
        """
        columns = self.flatten_documents(documents)
        size = ctypes.sizeof(self.c_type) * self.num_parameters
        ctypes.memset(ctypes.addressof(self.memory) + size, 0, size)
        return self.call_gpt_loss(columns, with_gradient=True)

    def flatten_documents(self, documents: Documents) -> BatchColumns:
        """Return columns of tokens, positions, targets and row weights.

        The weights are those of the rows in the mean loss.
        """
        check_documents(documents, self.config)
        tokens, positions, targets = array("i"), array("i"), array("i")
        row_weights = array("d")
        for document in documents:
            count = min(len(document) - 1, self.config.block_size)
            tokens.extend(document[:count])
            positions.extend(range(count))
            targets.extend(document[1 : count + 1])
            row_weights.extend([1 / (count * len(documents))] * count)
        return tokens, positions, targets, row_weights

    def call_gpt_loss(
        self, columns: BatchColumns, *, with_gradient: bool
    ) -> float:
        """Return a batch's loss in nats; add its gradient if asked to."""
        addresses = (column.buffer_info()[0] for column in columns)
        loss: float = self.library.gpt_loss(
            *self.c_args, len(columns[0]), *addresses, with_gradient
        )
        return loss

    def compute_logits(self, tokens: Sequence[int]) -> list[float]:
        """Return a logit for each token that may follow a document.

        Raises:
            ValueError: There are no tokens, more than `block_size`,
                or one is out of range.
        """
        vocabulary, context = self.config.vocab_size, self.config.block_size
        if not 0 < len(tokens) <= context:
            raise ValueError(
                f"expected 1 to {context} tokens, got {len(tokens)}"
            )
        check_token_range(tokens, vocabulary)
        count = len(tokens)
        columns = array("i", tokens), array("i", range(count))
        addresses = (column.buffer_info()[0] for column in columns)
        result = self.library.gpt_logits(*self.c_args, count, *addresses)
        logits = ctypes.cast(result, ctypes.POINTER(self.c_type))
        return logits[:vocabulary]

    def state(self) -> EngineState:
        """Return what `restore` needs to continue training."""
        settings = self.steps_taken, self.beta1, self.beta2, self.epsilon
        sections = map(self.copy_section, SAVED_SECTIONS)
        weights, means, mean_squares = sections
        return EngineState(weights, means, mean_squares, *settings)

    def restore(self, state: EngineState) -> None:
        """Continue from a state."""
        count = self.num_parameters
        columns = state.weights, state.first_moments, state.second_moments
        for column in columns:
            if len(column) != count:
                raise ValueError(
                    f"expected a state of {count} weights,"
                    f" got {len(column)}"
                )
        arrays = [(self.c_type * count)(*column) for column in columns]
        for section, values in zip(SAVED_SECTIONS, arrays):
            begin = section * count
            self.memory[begin : begin + count] = values
        self.steps_taken, self.epsilon = state.steps_taken, state.epsilon
        self.beta1, self.beta2 = state.beta1, state.beta2


def max_memory_elements(config: Config) -> int:
    """Return an upper bound of `gpt_num_memory_elements`.

    For a very large model, its result would overflow C's `int`.
    """
    width, rows = config.n_embd, config.block_size + CHUNK_ROWS
    block = 5 * width + 1 + config.n_head * config.block_size
    row = 7 * width + 1 + config.vocab_size
    row += (2 * config.n_layer + 2) * block
    count = config.num_parameters
    return 4 * count + rows * row + MAX_TILE_COLUMNS
