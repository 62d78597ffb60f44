import pytest

from microgpt.cli.train import read_names
from microgpt.data import load_names

from .helpers import ROOT


def test_names_are_the_lines_that_are_not_blank(tmp_path):
    path = tmp_path / "names"
    path.write_text("\ufeffanna \n\n  ben\r\n\t\nzoë", encoding="utf-8")
    assert load_names(path) == ["anna", "ben", "zoë"]
    assert load_names(str(path)) == ["anna", "ben", "zoë"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b" \n\n", "holds no names"),
        (b"\x89PNG\r\n\x1a\n", "is not UTF-8 text"),
        ("anna".encode("utf-16"), "is not UTF-8 text"),
        (b"\0\0\0\1", "is not UTF-8 text"),
    ],
)
def test_what_is_no_list_of_names_is_refused(tmp_path, content, reason):
    path = tmp_path / "names"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"^{path} {reason}$"):
        read_names(str(path))


def test_our_own_names_are_the_default():
    assert load_names() == load_names(ROOT / "microgpt" / "names.txt")
