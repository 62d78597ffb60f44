"""A name, letter by letter: what could come next, and how a die chooses."""

from typing import Literal, TypedDict

from widgets._names import MAX_LETTERS_AFTER_BOS, encode_between_bos, shuffled_names
from widgets._weights import load_weights, trained_network_logits

ModelName = Literal["counts", "network", "one-end", "four-end"]
PanelName = Literal[
    "letters", "die", "temperature", "cuts", "smoothing", "begin", "names"
]  # fmt: skip


class SamplerModelData(TypedDict):
    """What the browser needs to compute the next token's logits with one model.

    `logits` are the network's after each token; `matrices` are the weights of a GPT with
    `heads`; for the other models they are None. Each model has learnt the first
    `training_name_count` of the shuffled names, from which the browser counts the table.
    """

    logits: list[list[float]] | None
    matrices: dict[str, list[list[float]]] | None
    heads: int
    training_name_count: int


class SamplerModels(TypedDict):
    """The models to choose from, by name."""

    models: dict[str, SamplerModelData]


def sampler(
    model: ModelName,
    other_models: list[ModelName] | None = None,
    shown_panels: list[PanelName] | None = None,
    begin: str = "",
    temperature: float = 1.0,
) -> SamplerModels:
    """Return the models to choose from, and check what the page shows first.

    Args:
        model: The model that is sampled first.
        other_models: More models to choose from, which are listed before it.
        shown_panels: By default letters, die and temperature.
        begin: How the names begin, in at most 15 letters.
        temperature: From 0.1 to 3.
    """
    if not 0.1 <= temperature <= 3:
        raise ValueError(
            f"temperature: expected a number from 0.1 to 3, got {temperature}"
        )
    encode_between_bos(begin, MAX_LETTERS_AFTER_BOS, min_letters=0)
    names = [*(other_models or []), model]
    return SamplerModels(models={name: load_sampler_model(name) for name in names})


def load_sampler_model(name: ModelName) -> SamplerModelData:
    """Return what the browser needs of one model."""
    is_gpt = name.endswith("-end")
    nine_tenths = len(shuffled_names()) * 9 // 10
    return SamplerModelData(
        logits=trained_network_logits() if name == "network" else None,
        matrices=load_weights(name) if is_gpt else None,
        heads=1 if name == "one-end" else 4,
        training_name_count=nine_tenths if is_gpt else 1000,  # of Steps 0 and 1
    )
