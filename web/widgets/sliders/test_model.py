"""The data of each scene is the program's; what a page computes from it, stories tell."""

import pytest

from snippets import step1
from tests.models import assert_json, refusals
from widgets._network import network_weights
from widgets.sliders.model import Scene, Sliders, sliders


def test_the_logits_are_what_the_trained_network_says() -> None:
    found = sliders("temperature")["logits"]
    assert found is not None
    for token, row in enumerate(found):
        true = step1.forward(token, network_weights("trained"))
        assert row == pytest.approx(true, rel=1e-3)


def test_a_scene_gets_only_what_it_needs() -> None:
    def given(shown: Sliders) -> list[str]:
        return [name for name in ("desk", "logits") if shown[name] is not None]

    free: tuple[Scene, ...] = ("coin", "rate", "fog", "slopes", "tug", "paths", "race")
    for scene in free:
        assert given(sliders(scene)) == []
    assert given(sliders("desk")) == ["desk"]
    assert given(sliders("temperature")) == ["logits"]
    assert_json(sliders("desk"))


test_a_scene_that_isn_t_there_is_refused = refusals(
    sliders,
    {"scene": "coin"},
    (
        {"scene": "roulette"},
        "choose coin, rate, fog, slopes, desk, temperature, tug, paths or race",
    ),
)
