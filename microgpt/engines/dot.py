"""The graph as taught: a node for each dot product."""

from microgpt.training import Backpropagation as Engine

__all__ = ["Engine"]
