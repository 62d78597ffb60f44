import sys

import pytest


@pytest.fixture(autouse=True)
def one_thread():
    """Two of PyTorch's would wait for each other on a machine that has other work."""
    if torch := sys.modules.get("torch"):
        before = torch.get_num_threads()
        torch.set_num_threads(1)
    yield
    if torch:
        torch.set_num_threads(before)
