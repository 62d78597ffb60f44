"""The tokens shown are the letters' places in the alphabet, between two BOS."""

from __future__ import annotations

import string

import pytest

from widgets.tokens.model import tokens

BOS = 26


@pytest.mark.parametrize("name", ["emma", "a", "zzz", "mukandayisenga", ""])
def test_a_name_is_its_letters_places_in_the_alphabet_between_two_bos(
    name: str,
) -> None:
    result = tokens(name)
    places = [string.ascii_lowercase.index(letter) for letter in name]
    assert [one["token"] for one in result["document"]] == [BOS, *places, BOS]
    assert [one["name"] for one in result["document"]] == ["BOS", *name, "BOS"]
    assert result["decoded"] == name


@pytest.mark.parametrize("name", ["emma", "a", ""])
def test_each_token_but_the_last_is_a_question_and_the_next_its_answer(
    name: str,
) -> None:
    result = tokens(name)
    document = result["document"]
    assert len(result["pairs"]) == len(name) + 1
    assert [pair["question"] for pair in result["pairs"]] == document[:-1]
    assert [pair["answer"] for pair in result["pairs"]] == document[1:]


def test_what_is_there_is_counted_in_words() -> None:
    assert tokens("emma")["says"] == "4 letters, 6 tokens, 5 questions"
    assert tokens("a")["says"] == "1 letter, 3 tokens, 2 questions"
    assert tokens("")["says"] == "no letters, 2 tokens, 1 question"


def test_spaces_around_a_name_do_not_matter() -> None:
    assert tokens("  emma ") == tokens("emma")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("zoë", "does not know the character 'ë'; it knows 'abc.*xyz'$"),
        ("Zoe", "does not know the character 'Z'; .*; type 'zoe', in small letters"),
        ("Zoë", "does not know the character 'Z'; it knows 'abc.*xyz'$"),
        ("anna maria", "does not know the character ' '"),
        ("x" * 25, "type at most 24 letters: this has 25"),
    ],
)
def test_what_the_tokenizer_does_not_know_is_refused_by_name(
    name: str, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        tokens(name)
