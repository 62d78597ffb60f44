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

SOURCE = Path(__file__).with_name("variants.c")
MOST_LAYERS = 32  # as in variants.c
# What each field of `Config` in variants.c may be, the lesson's choice
# first; one without choices is a number.
FIELDS: Mapping[str, Sequence[str]] = {
    "positions": ("learned", "none"),
    "norm": ("rms", "layer", "none"),
    "norm_place": ("pre", "post"),
    "embedding_norm": ("yes", "no"),
    "final_norm": ("no", "yes"),
    "residual": ("yes", "no"),
    "attention": ("scores", "even", "none"),
    "score_scale": ("root", "size", "none"),
    "window": (),
    "ahead": (),
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
Parts = Mapping[str, str | int]


class Sizes(ctypes.Structure):
    """What variants.c knows as `Config`."""

    _fields_ = [(name, ctypes.c_int) for name in (*c.SIZES, *FIELDS)]


def number_of(field: str, part: str | int) -> int:
    """Return the number by which variants.c knows a part.

    Raise ValueError for one that it does not know.
    """
    if field not in FIELDS:
        raise ValueError(f"a model has no part {field!r}")
    if isinstance(part, int) and part >= 0 and not FIELDS[field]:
        return part
    if part not in FIELDS[field]:
        choices = ", ".join(FIELDS[field]) or "a number"
        raise ValueError(f"{field} must be {choices}, not {part!r}")
    return FIELDS[field].index(str(part))


class Engine(c.Engine):
    """The engine of variants: `parts` are other than the lesson's.

    They are named as in FIELDS. All else is as in the engine in C,
    except `model`, which is the lesson's with these weights.
    """

    def __init__(
        self,
        config: Config,
        rng: random.Random,
        *,
        parts: Parts | None = None,
        precision: str = "float64",
    ) -> None:
        if config.n_layer > MOST_LAYERS:
            raise ValueError(f"a variant has at most {MOST_LAYERS} layers")
        if 4 * c.numbers_of(config) > c.MOST_NUMBERS:  # it keeps more
            raise MemoryError
        parts = parts or {}
        given = {field: number_of(field, parts[field]) for field in parts}
        more = [given.get(field, 0) for field in FIELDS]
        library = c.load(precision, SOURCE)
        self.allocate(config, library, Sizes, precision, *more)
        library.gpt_sgd.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_double]
        biases = self.count - library.gpt_weights(self.given[0])
        drawn = (rng.gauss(0, 0.08) for _ in range(self.count - biases))
        weights = array("d", chain(drawn, repeat(0.0, biases)))
        zeros = array("d", bytes(8 * self.count))
        self.restore(EngineState(weights, zeros, zeros))

    def descend(self, learning_rate: float) -> None:
        """Move each weight against its gradient, without Adam."""
        self.library.gpt_sgd(*self.given, learning_rate)
