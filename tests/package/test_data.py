from pathlib import Path

import pytest

from microgpt.cli.train import read_names
from microgpt.data import load_names

from .helpers import ROOT


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("\ufeffanna \n\n  ben\r\n\t\nzoë", ["anna", "ben", "zoë"]),
        # A byte order mark is no letter wherever it stands
        ("\ufeffanna\n\ufeffben\ncl\ufeffara\n", ["anna", "ben", "clara"]),
        # A letter is the same in one character or two
        ("ren\u00e9e\nrene\u0301e\n", ["ren\u00e9e", "ren\u00e9e"]),
        # Only line feeds and carriage returns end a line
        *(
            (f"an{odd}na\r\nben\rclara\ndavid", [f"an{odd}na", "ben", "clara", "david"])
            for odd in "\u2028\u2029\x0b\x0c\x1c\x1d\x1e\x85"
        ),
    ],
)
def test_names_are_the_lines_that_are_not_blank(
    tmp_path: Path, content: str, names: list[str]
) -> None:
    path = tmp_path / "names"
    path.write_bytes(content.encode())
    assert load_names(path) == load_names(str(path)) == names


def test_an_empty_list_of_names_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "names"
    path.write_text(" \n\n\ufeff")
    with pytest.raises(ValueError, match=f"^{path} holds no names$"):
        read_names(str(path))


@pytest.mark.parametrize(
    ("encoding", "text", "problem"),
    [
        (
            "windows-1252",
            "anna\nzo\u00eb",
            "is not UTF-8 text: line 2 has the byte 0xEB",
        ),
        ("utf-16", "anna\nben", "is not UTF-8 text: line 1 has the byte 0xFF"),
        ("utf-16-le", "anna\nben", "has NUL characters"),
        ("utf-16-be", "anna\nben", "has NUL characters"),
    ],
)
def test_a_file_in_another_encoding_is_refused(
    tmp_path: Path, encoding: str, text: str, problem: str
) -> None:
    path = tmp_path / "names"
    path.write_text(text, encoding=encoding, newline="")
    with pytest.raises(ValueError, match=f"^{path} {problem}; save it as UTF-8$"):
        read_names(str(path))


def test_our_own_names_are_the_default() -> None:
    assert load_names() == load_names(ROOT / "microgpt" / "names.txt")
