"""A scene is one of those that there are."""

from tests.models import refusals
from widgets.sliders.model import sliders

test_a_scene_that_isn_t_there_is_refused = refusals(
    sliders,
    {"scene": "coin"},
    (
        {"scene": "roulette"},
        "choose coin, rate, fog, slopes, desk, tug, paths or race",
    ),
)
