"""Files that are replaced whole, or stay as they were."""

import errno
from pathlib import Path

import pytest

from microgpt import load_model


def test_a_failure_keeps_its_class_and_number(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"^cannot read .*nowhere: ") as caught:
        load_model(tmp_path / "nowhere")
    assert caught.value.errno == errno.ENOENT
