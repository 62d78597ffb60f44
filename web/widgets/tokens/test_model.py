"""The tokens shown are the letters' places in the alphabet, between two BOS."""

import pytest

from tests.models import document, refusals
from widgets.tokens.model import tokens


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("emma", "4 letters, 6 tokens, 5 questions"),
        ("a", "1 letter, 3 tokens, 2 questions"),
        ("", "no letters, 2 tokens, 1 question"),
        ("mukandayisenga", "14 letters, 16 tokens, 15 questions"),
    ],
)
def test_each_token_but_the_last_is_a_question_and_the_next_its_answer(
    name: str, says: str
) -> None:
    result = tokens(f" {name} ")
    read = result["document"]
    assert [one["token"] for one in read] == document(name)
    assert [one["name"] for one in read] == ["BOS", *name, "BOS"]
    assert result["decoded"] == name
    assert [pair["question"] for pair in result["pairs"]] == read[:-1]
    assert [pair["answer"] for pair in result["pairs"]] == read[1:]
    assert result["says"] == says


test_what_the_tokenizer_does_not_know_is_refused_by_name = refusals(
    tokens,
    {},
    ({"name": "zoë"}, "does not know the character 'ë'; it knows 'abc.*xyz'$"),
)
