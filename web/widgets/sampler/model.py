"""A name, letter by letter: what could come next, and how a die chooses."""

from typing import Literal, TypedDict

from widgets._names import document, shuffled_names
from widgets._network import end_weights, network_logits

TAUGHT = 1000  # names that the runs of the steps learn
LONGEST = 15  # letters to begin with: one more must fit
HOTTEST = 3

Model = Literal["counts", "network", "one-end", "four-end"]
Part = Literal[
    "letters", "die", "temperature", "cuts", "smoothing", "begin", "names"
]  # fmt: skip


class Taught(TypedDict):
    """A model for the browser to ask; what it does not need is None.

    `logits` has what the network says after each token. `matrices` are the weights of a
    GPT with so many `heads`. The first `learnt` of the shuffled names were there to learn
    from: the table needs no more, for the browser counts them.
    """

    logits: list[list[float]] | None
    matrices: dict[str, list[list[float]]] | None
    heads: int
    learnt: int


class Sampler(TypedDict):
    """Models by their names."""

    models: dict[str, Taught]


def sampler(
    model: Model,
    others: list[Model] | None = None,
    show: list[Part] | None = None,
    begin: str = "",
    temperature: float = 1.0,
) -> Sampler:
    """Return models to choose from; the other parameters say what readers see first."""
    if not 0.1 <= temperature <= HOTTEST:
        raise ValueError(f"temperature: choose from 0.1 to {HOTTEST}")
    document(begin, LONGEST, shortest=0)
    return Sampler(models={name: taught(name) for name in [*(others or []), model]})


def taught(model: Model) -> Taught:
    """Return what is known of one model."""
    to_the_end = model.endswith("-end")
    return Taught(
        logits=network_logits() if model == "network" else None,
        matrices=end_weights(model) if to_the_end else None,
        heads=1 if model == "one-end" else 4,
        learnt=len(shuffled_names()) * 9 // 10 if to_the_end else TAUGHT,
    )
