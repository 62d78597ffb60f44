"""Models with other parts than the lesson's, computed by variants.c."""

import ctypes
import random
from array import array
from collections.abc import Mapping, Sequence
from itertools import chain, repeat
from pathlib import Path

from microgpt.engines import c
from microgpt.engines.protocol import EngineState
from microgpt.model import Config

VARIANTS_C_PATH = Path(__file__).with_name("variants.c")
MAX_VARIANT_LAYERS = 32  # as in variants.c
# What each field of `Config` in variants.c can be, the lesson's choice
# first. A field without choices is a number.
CHOICES_BY_VARIANT_FIELD: Mapping[str, Sequence[str]] = {
    "positions": ("learned", "none"),
    "norm": ("rms", "layer", "none"),
    "norm_position": ("pre", "post"),
    "embedding_norm": ("yes", "no"),
    "final_norm": ("no", "yes"),
    "residual": ("yes", "no"),
    "attention": ("scores", "uniform", "none"),
    "score_scale": ("root", "size", "none"),
    "window": (),
    "lookahead": (),
    "mlp": ("yes", "no"),
    "mlp_width": (),
    "activation": ("relu", "squared relu", "tanh", "none"),
    "head_input": ("stream", "hidden"),
    "biases": ("no", "yes"),
    "loss": (
        "cross-entropy",
        "label smoothing",
        "squared error",
        "softmax twice",
    ),
    "product": ("tiles", "rows", "single"),
}
VariantChoices = Mapping[str, str | int]


class CVariantConfig(ctypes.Structure):
    """The struct `Config` of variants.c."""

    _fields_ = [
        (name, ctypes.c_int)
        for name in (*c.C_CONFIG_SIZE_FIELDS, *CHOICES_BY_VARIANT_FIELD)
    ]


def choice_index(field: str, choice: str | int) -> int:
    """Return the number that stands for a choice in variants.c.

    Raises:
        ValueError: The field or the choice does not exist.
    """
    if field not in CHOICES_BY_VARIANT_FIELD:
        fields = ", ".join(CHOICES_BY_VARIANT_FIELD)
        raise ValueError(f"expected one of {fields}, got {field!r}")
    if (
        isinstance(choice, int)
        and choice >= 0
        and not CHOICES_BY_VARIANT_FIELD[field]
    ):
        return choice
    if choice not in CHOICES_BY_VARIANT_FIELD[field]:
        choices = ", ".join(CHOICES_BY_VARIANT_FIELD[field])
        expected = (
            f"to be one of {choices}" if choices else "to be a number"
        )
        raise ValueError(f"expected {field} {expected}, got {choice!r}")
    return CHOICES_BY_VARIANT_FIELD[field].index(str(choice))


class Engine(c.Engine):
    """The engine in C, of a model with other parts than the lesson's.

    Its property `model` ignores the parts: it is the lesson's, with these weights.

    Args:
        config: The sizes of the model.
        rng: Draws the first weights, as `GPT` does; biases begin at 0.
        parts: A choice for some keys of CHOICES_BY_VARIANT_FIELD.
        precision: float64 or float32.

    Raises:
        ValueError: A part or the precision is unknown, or there are too many layers.
        MemoryError: A C `int` could not count the numbers.
    """

    def __init__(
        self,
        config: Config,
        rng: random.Random,
        *,
        parts: VariantChoices | None = None,
        precision: str = "float64",
    ) -> None:
        if config.n_layer > MAX_VARIANT_LAYERS:
            raise ValueError(
                f"expected at most {MAX_VARIANT_LAYERS} layers, got {config.n_layer}"
            )
        if 4 * c.max_memory_elements(config) > c.MAX_C_INT:  # it needs more
            raise MemoryError
        parts = parts or {}
        indices = {
            field: choice_index(field, parts[field]) for field in parts
        }
        more_fields = [
            indices.get(field, 0) for field in CHOICES_BY_VARIANT_FIELD
        ]
        library = c.load_library(precision, VARIANTS_C_PATH)
        self.allocate(
            config, library, CVariantConfig, precision, *more_fields
        )
        library.gpt_sgd_step.argtypes = [ctypes.c_void_p] * 2 + [
            ctypes.c_double
        ]
        biases = (
            self.num_parameters
            - library.gpt_num_parameters_without_biases(self.c_args[0])
        )
        gaussians = (
            rng.gauss(0, 0.08) for _ in range(self.num_parameters - biases)
        )
        weights = array("d", chain(gaussians, repeat(0.0, biases)))
        zeros = array("d", bytes(8 * self.num_parameters))
        self.restore(EngineState(weights, zeros, zeros))

    def sgd_step(self, learning_rate: float) -> None:
        """Take a step of plain gradient descent, without Adam."""
        self.library.gpt_sgd_step(*self.c_args, learning_rate)
