"""Digests of recorded files reveal changes by hand.

Each night, other tests measure the recorded numbers again.
"""

import json

import pytest

from snippets.records.record import DIGESTS_FILE, hash_text_file, list_record_files

RECORDED_DIGESTS: dict[str, str] = json.loads(DIGESTS_FILE.read_text())


@pytest.mark.parametrize("name", RECORDED_DIGESTS)
def test_record_file_matches_its_digest(name: str) -> None:
    digest = hash_text_file(list_record_files()[name])
    assert digest == RECORDED_DIGESTS[name], "snippets.records.record did not write it"


def test_every_record_file_has_a_digest() -> None:
    assert set(RECORDED_DIGESTS) == set(list_record_files())
