"""A text, letter by letter: what could come next, and how a die chooses."""

from typing import Literal, TypedDict

from widgets._names import MAX_LETTERS, names_tokenizer, shuffled_names
from widgets._weights import load_weights, trained_network_logits
from widgets.trainer.model import recorded_run

SENTENCE_MODEL = "sentences-one-30k"
ModelName = Literal["counts", "network", "one-end", "four-end", "sentences-one-30k"]
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
    """The models to choose from, by name, and the texts that all of them can read."""

    models: dict[str, SamplerModelData]
    characters: str
    context_length: int


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
        begin: How the names or sentences begin.
        temperature: From 0.1 to 3.
    """
    if not 0.1 <= temperature <= 3:
        raise ValueError(
            f"temperature: expected a number from 0.1 to 3, got {temperature}"
        )
    names = [*(other_models or []), model]
    models: dict[str, SamplerModelData] = {
        name: load_sampler_model(name) for name in names
    }
    characters, context_length = names_tokenizer().characters, MAX_LETTERS
    if SENTENCE_MODEL in names:
        if len(names) > 1:
            raise ValueError(f"other_models: {SENTENCE_MODEL} reads no names")
        characters = recorded_run(SENTENCE_MODEL)["facts"]["characters"]
        context_length = len(load_weights(SENTENCE_MODEL)["wpe"])
    if unknown := {*begin} - {*characters}:
        raise ValueError(f"begin: expected known letters, got {min(unknown)!r}")
    if len(begin) >= context_length:
        raise ValueError(
            f"begin: expected at most {context_length - 1} letters, got {len(begin)}"
        )
    return SamplerModels(
        models=models, characters=characters, context_length=context_length
    )


def load_sampler_model(name: ModelName) -> SamplerModelData:
    """Return what the browser needs of one model."""
    if name == SENTENCE_MODEL:
        return SamplerModelData(
            logits=None,
            matrices=load_weights(name),
            heads=1,
            training_name_count=recorded_run(name)["evaluations"][-1]["namesSeen"],
        )
    is_gpt = name.endswith("-end")
    nine_tenths = len(shuffled_names()) * 9 // 10
    return SamplerModelData(
        logits=trained_network_logits() if name == "network" else None,
        matrices=load_weights(name) if is_gpt else None,
        heads=1 if name == "one-end" else 4,
        training_name_count=nine_tenths if is_gpt else 1000,  # of Steps 0 and 1
    )
