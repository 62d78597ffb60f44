"""The bars are the record's."""

import pytest

from tests.models import recorded
from widgets.speeds.model import speeds


def test_the_page_has_every_setting_of_the_record() -> None:
    page, record = speeds(), recorded("speeds")
    settings = [(size, one) for size, all_ in record["growth"].items() for one in all_]
    for setting, (size, one) in zip(page["settings"], settings, strict=True):
        assert setting["grown"] == size
        for key in ("layers", "width", "context", "batch", "parameters"):
            assert dict(setting)[key] == one[key], key
        assert [time["engine"] for time in setting["engines"]] == list(one["engines"])
        first = next(iter(one["engines"].values()))["ms"]
        for time in setting["engines"]:
            ms = one["engines"][time["engine"]]["ms"]
            assert time["ms"] == pytest.approx(ms, rel=6e-3)
            assert time["times"] == pytest.approx(first / ms, rel=6e-3)
    assert record["machine"]["cpu"] in page["machine"]
    assert page["machine"].endswith(f"Python {record['machine']['python']}")
