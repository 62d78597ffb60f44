"""The data of each scene is the program's."""

from typing import get_args

import pytest

from snippets import step1
from tests.models import assert_json, refusals
from widgets._network import network_weights
from widgets.sliders.model import Scene, sliders


def test_the_logits_are_what_the_trained_network_says() -> None:
    found = sliders("temperature")["logits"]
    assert found is not None
    for token, row in enumerate(found):
        true = step1.forward(token, network_weights("trained"))
        assert row == pytest.approx(true, rel=1e-3)


def test_only_the_temperature_gets_logits() -> None:
    given = {scene for scene in get_args(Scene) if sliders(scene)["logits"]}
    assert given == {"temperature"}
    assert_json(sliders("temperature"))


test_a_scene_that_isn_t_there_is_refused = refusals(
    sliders,
    {"scene": "coin"},
    (
        {"scene": "roulette"},
        "choose coin, rate, fog, slopes, desk, temperature, tug, paths or race",
    ),
)
