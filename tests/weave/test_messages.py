"""The messages that authors read: `messages.yml` has a page for each."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.weave.page_errors import first_error

TABLE = Path(__file__).with_name("messages.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize("row", yaml.safe_load(TABLE), ids=lambda row: row["message"])
def test_first_error_of_a_page_has_its_line_and_message(row: dict[str, Any]) -> None:
    assert first_error(row["page"]) == (row["line"], row["message"])
