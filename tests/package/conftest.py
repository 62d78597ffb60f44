"""Fixtures for tests of the package; Hypothesis has no deadline on busy machines."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from microgpt.checkpoint import save_run
from tests.package.helpers import NAMES, make_small_run

settings.register_profile("microgpt", deadline=None)
settings.load_profile("microgpt")


@pytest.fixture
def dataset_folder(tmp_path: Path) -> Path:
    """A folder with a dataset in it."""
    (tmp_path / "names").write_text("\n".join(NAMES))
    return tmp_path


@pytest.fixture(scope="session")
def checkpoint_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A saved run that has taken both of its steps."""
    file = tmp_path_factory.mktemp("trained") / "model"
    run = make_small_run(steps=2)
    list(run.train())
    save_run(file, run)
    return file.read_bytes()


@pytest.fixture
def model_folder(dataset_folder: Path, checkpoint_bytes: bytes) -> Path:
    """A folder with a dataset and a saved run in it."""
    (dataset_folder / "model").write_bytes(checkpoint_bytes)
    return dataset_folder


@pytest.fixture(autouse=True)
def single_torch_thread() -> Iterator[None]:
    """Limit PyTorch to one thread: several stall on a busy machine."""
    if torch := sys.modules.get("torch"):
        before = torch.get_num_threads()
        torch.set_num_threads(1)
    yield
    if torch:
        torch.set_num_threads(before)
