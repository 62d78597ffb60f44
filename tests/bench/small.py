"""A model and documents of which each number can be tried, in C.

To import this is to skip a file of tests where nothing compiles C, or NumPy is missing.
"""

import pytest

from microgpt import Config
from microgpt.engines import MissingLibraryError, load_engine

try:
    load_engine("c")
except MissingLibraryError as error:
    pytest.skip(str(error), allow_module_level=True)
pytest.importorskip("numpy")

CONFIG = Config(vocab_size=5, n_layer=2, n_embd=6, n_head=3, block_size=4)
DOCUMENTS = [[4, 0, 3, 1, 4], [1, 1, 2]]
