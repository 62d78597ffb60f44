"""The name of `microgpt.engines.numpy_layers` until version 0.2."""

from microgpt.engines.numpy_layers import *
