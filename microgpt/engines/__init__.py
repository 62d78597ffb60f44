"""Ways to find the same gradient: the one taught, and faster ones."""

from __future__ import annotations

from microgpt.engines import lists
from microgpt.training import Gradient, backpropagate

ENGINES: dict[str, Gradient] = {
    "value": backpropagate,
    "lists": lists.gradient,
}
