"""The model as taught: a node for each dot product, and for each sum."""

from microgpt.training import Backpropagation as Engine

__all__ = ["Engine"]
