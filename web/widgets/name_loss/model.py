"""The loss of a name, question by question, for models that have learnt more and more."""

import math
from itertools import pairwise
from typing import TypedDict

from snippets.step0 import Counts, mean_loss, probabilities
from widgets._counting import LEARNT, counts_after
from widgets._names import document, token_names
from widgets._numbers import shown


class LossQuestion(TypedDict):
    """What came after a token, and how much that surprised the model.

    `choice` is the number of letters of a fair choice that is as unsure, 1 / p. `mean`
    is the mean of the losses up to here, `mean_choice` the fair choice for that.
    """

    token: int
    target: int
    p: float
    loss: float
    choice: float
    mean: float
    mean_choice: float


class LossOfAModel(TypedDict):
    """The questions of the name, put to a model that has learnt so many names."""

    learnt: int
    questions: list[LossQuestion]


class NameLoss(TypedDict):
    """The name, each model's answers, and the loss of a model that knows nothing."""

    tokens: list[str]
    models: list[LossOfAModel]
    blind: float


def name_loss(name: str) -> NameLoss:
    """Ask models that have learnt more and more names for what comes next in one."""
    tokens = document(name)
    return NameLoss(
        tokens=token_names(),
        models=[
            LossOfAModel(
                learnt=learnt, questions=questions(tokens, counts_after(learnt))
            )
            for learnt in LEARNT
        ],
        blind=shown(math.log(len(token_names()))),
    )


def questions(tokens: list[int], counts: Counts) -> list[LossQuestion]:
    """Put each question of a name to a model."""
    asked = []
    for place, (token, target) in enumerate(pairwise(tokens), 1):
        p = probabilities(token, counts)[target]
        mean = mean_loss(tokens[: place + 1], counts)
        asked.append(
            LossQuestion(
                token=token,
                target=target,
                p=shown(p),
                loss=shown(-math.log(p)),
                choice=shown(1 / p, 1),
                mean=shown(mean),
                mean_choice=shown(math.exp(mean), 1),
            )
        )
    return asked
