"""A piece has a place."""

from tests.models import refusals
from widgets.dataset.model import dataset

test_a_place_that_a_piece_cannot_have_is_refused = refusals(
    dataset,
    {"piece": "a"},
    ({"where": "middle"}, "anywhere, at the start or at the end"),
)
