"""Records of long runs stand as they were written: `record.py` notes the digest of each.

What is recorded is measured anew each night; a record that was changed by hand
is found at once.
"""

import json

import pytest

from snippets.records.record import DIGESTS, digest, records

NOTED: dict[str, str] = json.loads(DIGESTS.read_text())


@pytest.mark.parametrize("name", NOTED)
def test_record_file_matches_its_digest(name: str) -> None:
    assert digest(records()[name]) == NOTED[name], (
        f"{name} was not written by snippets.records.record"
    )


def test_every_record_file_has_a_digest() -> None:
    assert set(NOTED) == set(records())
