"""The loss of a name, question by question, for models that have learnt more and more."""

from typing import TypedDict

from widgets._counting import CountModel, count_models
from widgets._names import document, token_names


class NameLoss(TypedDict):
    """The models, and the tokens that they know."""

    tokens: list[str]
    models: list[CountModel]


def name_loss(name: str) -> NameLoss:
    """Return what the browser computes the losses of a name from."""
    document(name)  # refuses what is no name
    return NameLoss(tokens=token_names(), models=count_models())
