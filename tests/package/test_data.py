from pathlib import Path

import pytest

from microgpt.cli.train import read_names
from microgpt.data import load_names

from .helpers import ROOT


def test_names_are_the_lines_that_are_not_blank(tmp_path: Path) -> None:
    path = tmp_path / "names"
    path.write_text("\ufeffanna \n\n  ben\r\n\t\nzoë", encoding="utf-8")
    assert load_names(path) == ["anna", "ben", "zoë"]
    assert load_names(str(path)) == ["anna", "ben", "zoë"]


@pytest.mark.parametrize(
    "odd", ["\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85"]
)
def test_only_line_feeds_and_carriage_returns_end_a_line(
    tmp_path: Path, odd: str
) -> None:
    path = tmp_path / "names"
    path.write_bytes(f"an{odd}na\r\nben\rclara\ndavid".encode())
    assert load_names(path) == [f"an{odd}na", "ben", "clara", "david"]


def test_a_byte_order_mark_is_no_letter_wherever_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "names"
    path.write_text("\ufeffanna\n\ufeffben\ncl\ufeffara\n", encoding="utf-8")
    assert load_names(path) == ["anna", "ben", "clara"]


def test_a_letter_is_the_same_in_one_character_or_two(tmp_path: Path) -> None:
    path = tmp_path / "names"
    path.write_text("ren\u00e9e\nrene\u0301e\n", encoding="utf-8")
    assert load_names(path) == ["ren\u00e9e", "ren\u00e9e"]


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
