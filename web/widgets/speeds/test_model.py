"""The bars are the record's."""

from tests.models import recorded
from widgets.speeds.model import speeds


def test_the_page_has_every_setting_of_the_record() -> None:
    page, record = speeds(), recorded("speeds")
    settings = [(size, one) for size, all_ in record["growth"].items() for one in all_]
    for setting, (size, one) in zip(page["settings"], settings, strict=True):
        assert setting["grown"] == size
        for key in ("layers", "width", "context", "batch", "parameters"):
            assert dict(setting)[key] == one[key], key
        assert setting["engines"] == {
            name: found["ms"] for name, found in one["engines"].items()
        }
    assert record["machine"]["cpu"] in page["machine"]
    assert page["machine"].endswith(f"Python {record['machine']['python']}")
