"""A table begins with a seed."""

from tests.models import refusals
from widgets.count_table.model import count_table

test_what_is_no_seed_is_refused = refusals(
    count_table, {}, *(({"seed": s}, "seed") for s in (-1, 0.5, float("nan"), 1e30))
)
