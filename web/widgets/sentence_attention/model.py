"""Where a trained head looks in a sentence, and which letter the model expects next."""

from typing import Literal, TypedDict

from widgets._validation import check_range
from widgets._weights import load_weights
from widgets.trainer.model import recorded_run

SentenceModel = Literal["sentences-one-30k", "openings-four-end"]


class TrainedSentenceModel(TypedDict):
    """The weights with which a page reads a sentence, and the characters they know."""

    heads: int
    characters: str
    matrices: dict[str, list[list[float]]]


def sentence_attention(
    sentence: str,
    model: SentenceModel,
    head: int = 0,
    examples: list[str] | None = None,
) -> TrainedSentenceModel:
    """Return a model that has learnt sentences, and check what the page shows first.

    Args:
        sentence: What is read.
        model: Which recorded run of the Trainer reads it.
        head: The head that is shown.
        examples: Other sentences that a reader can pick.
    """
    facts = recorded_run(model)["facts"]
    check_range(head, "head", 0, facts["setup"]["heads"] - 1)
    if unknown := {*sentence}.union(*examples or []) - {*facts["characters"]}:
        raise ValueError(f"sentence: expected known letters, got {min(unknown)!r}")
    return TrainedSentenceModel(
        heads=facts["setup"]["heads"],
        characters=facts["characters"],
        matrices=load_weights(model),
    )
