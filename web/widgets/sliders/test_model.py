"""The data of each scene is the program's, and a browser can compute the loss from it."""

import math

import pytest

from snippets import step1
from snippets.ready import untrained
from tests.models import assert_json, refusals
from widgets._network import network_weights
from widgets.sliders.model import COLUMNS, LETTER, NAME, Scene, Sliders, sliders


def loss_of(desk: dict[str, object], x: list[float]) -> float:
    """Compute the loss from what the page is given, as its TypeScript does."""
    fc1, fc2, targets = desk["fc1"], desk["fc2"], desk["targets"]
    activated = [max(0.0, h) for h in step1.linear(x, fc1)]  # type: ignore[arg-type]
    p = step1.softmax(step1.linear(activated, fc2))  # type: ignore[arg-type]
    surprise = [-math.log(p[target]) for target in targets]  # type: ignore[attr-defined]
    return (desk["rest"] + sum(surprise)) / desk["pairs"]  # type: ignore[operator]


@pytest.mark.parametrize("value", [-60.0, -7.0, 0.0, 20.0, 60.0])
@pytest.mark.parametrize("column", COLUMNS)
def test_the_desk_has_all_that_the_loss_depends_on(column: int, value: float) -> None:
    desk = sliders("desk")["desk"]
    assert desk is not None
    _, tokenizer, weights = untrained()
    (letter,) = tokenizer.encode(LETTER)
    x = list(desk["x"])
    x[column] = weights["wte"][letter][column] = value
    true = step1.mean_loss(tokenizer.document(NAME), weights)
    assert loss_of(dict(desk), x) == pytest.approx(true, abs=0.002)


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
