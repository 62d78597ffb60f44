"""A scene is given what it can't compute."""

import pytest

from tests.models import recorded
from widgets.sliders.model import sliders


def test_only_who_shows_embeddings_is_given_what_was_learnt() -> None:
    assert sliders("fog")["embeddings"] == []
    learnt = recorded("step1-weights")["wte"]
    for row, exact in zip(sliders("dot product")["embeddings"], learnt, strict=True):
        assert row == pytest.approx(exact, rel=6e-3)
