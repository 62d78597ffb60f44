import re
import shlex
from pathlib import Path

import pytest

from microgpt.cli.train import read_names
from microgpt.data import load_names
from tests.processes import python

from .helpers import ROOT


def test_names_are_the_lines_that_are_not_blank(tmp_path):
    path = tmp_path / "names"
    path.write_text("\ufeffanna \n\n  ben\r\n\t\nzoë", encoding="utf-8")
    assert load_names(path) == ["anna", "ben", "zoë"]
    assert load_names(str(path)) == ["anna", "ben", "zoë"]


@pytest.mark.parametrize(
    "odd", ["\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85"]
)
def test_only_line_feeds_and_carriage_returns_end_a_line(tmp_path, odd):
    path = tmp_path / "names"
    path.write_bytes(f"an{odd}na\r\nben\rclara\ndavid".encode())
    assert load_names(path) == [f"an{odd}na", "ben", "clara", "david"]


def test_a_byte_order_mark_is_no_letter_wherever_it_stands(tmp_path):
    path = tmp_path / "names"
    path.write_text("\ufeffanna\n\ufeffben\ncl\ufeffara\n", encoding="utf-8")
    assert load_names(path) == ["anna", "ben", "clara"]


def test_a_letter_is_the_same_in_one_character_or_two(tmp_path):
    path = tmp_path / "names"
    path.write_text("ren\u00e9e\nrene\u0301e\n", encoding="utf-8")
    assert load_names(path) == ["ren\u00e9e", "ren\u00e9e"]


def test_an_empty_list_of_names_is_refused(tmp_path):
    path = tmp_path / "names"
    path.write_text(" \n\n\ufeff")
    with pytest.raises(ValueError, match=f"^{path} holds no names$"):
        read_names(str(path))


@pytest.mark.parametrize(
    ("encoding", "text", "problem"),
    [
        (
            "windows-1252",
            "anna\nben\nzo\u00eb",
            "is not UTF-8 text: line 3 has the byte 0xEB",
        ),
        ("utf-16", "anna\nben", "is not UTF-8 text: line 1 has the byte 0xFF"),
        (
            "utf-16-le",
            "anna\nben",
            r"is not plain text: 'a\\x00n\\x00n\\x00a\\x00' has a NUL",
        ),
        (
            "utf-16-be",
            "anna\nben",
            r"is not plain text: '\\x00a\\x00n\\x00n\\x00a\\x00' has",
        ),
        ("utf-16-le", "zo\u00eb\nben", "is not UTF-8 text: line 1 has the byte 0xEB"),
        ("utf-16-be", "anna\nzo\u00eb", "is not UTF-8 text: line 2 has the byte 0xEB"),
    ],
)
def test_a_file_in_another_encoding_is_refused_and_can_be_converted(
    tmp_path, monkeypatch, encoding, text, problem
):
    monkeypatch.chdir(tmp_path)
    name = "anna's $names"
    Path(name).write_text(text, encoding=encoding, newline="")
    told = f"^{re.escape(name)} {problem}.*; "
    with pytest.raises(ValueError, match=told) as refused:
        read_names(name)
    assert f"if it is {encoding}, convert it with: " in str(refused.value)
    _, *arguments = shlex.split(str(refused.value).partition("with: ")[2])
    for _ in range(2):  # and what is there stays
        python(*arguments, cwd=tmp_path)
        assert load_names("utf-8.txt") == text.split()


def test_no_conversion_is_offered_for_what_is_not_text(tmp_path):
    for number, content in enumerate([b"\x89PNG\r\n\0\0\0\rIHDR", b"zo\x81"]):
        path = tmp_path / str(number)
        path.write_bytes(content)
        with pytest.raises(ValueError, match="no encoding fits: is it text"):
            read_names(str(path))


def test_our_own_names_are_the_default():
    assert load_names() == load_names(ROOT / "microgpt" / "names.txt")
