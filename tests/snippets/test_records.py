"""Records of long runs are as record.py has written them: their digests match.

What is recorded is measured anew each night; a record that was changed by hand
is found at once.
"""

import json

import pytest

from snippets.records.record import DIGESTS, hash_text_file, list_record_files

RECORDED_DIGESTS: dict[str, str] = json.loads(DIGESTS.read_text())


@pytest.mark.parametrize("name", RECORDED_DIGESTS)
def test_record_file_matches_its_digest(name: str) -> None:
    assert hash_text_file(list_record_files()[name]) == RECORDED_DIGESTS[name], (
        f"{name} was not written by snippets.records.record"
    )


def test_every_record_file_has_a_digest() -> None:
    assert set(RECORDED_DIGESTS) == set(list_record_files())
