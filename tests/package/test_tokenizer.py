from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microgpt.tokenizer import Tokenizer

documents = st.lists(st.text(min_size=1), min_size=1)


def test_characters_are_numbered_in_order_and_bos_comes_last() -> None:
    tokenizer = Tokenizer(["cab", "bad"])
    assert tokenizer.characters == "abcd"
    assert (tokenizer.bos, tokenizer.vocab_size) == (4, 5)
    assert tokenizer.encode("dab") == [3, 0, 1]
    assert tokenizer.document("dab") == [4, 3, 0, 1, 4]


@given(documents)
def test_decoding_undoes_encoding(documents: list[str]) -> None:
    tokenizer = Tokenizer(documents)
    for document in documents:
        decoded = tokenizer.decode(tokenizer.encode(document))
        assert normalize("NFC", decoded) == normalize("NFC", document)


def test_an_unknown_character_is_named() -> None:
    with pytest.raises(ValueError, match=r"'X'.*'ab'"):
        Tokenizer(["ab"]).encode("aXb")


@pytest.mark.parametrize("typed", ["ren\u00e9", "rene\u0301"])
def test_a_letter_of_two_characters_is_read_as_the_one_that_is_known(
    typed: str,
) -> None:
    tokenizer = Tokenizer(["ren\u00e9", "x\u0301"])
    assert tokenizer.decode(tokenizer.encode(typed)) == "ren\u00e9"


@pytest.mark.parametrize("token", [-1, 2, 3])
def test_a_token_that_is_not_of_a_character_is_refused(token: int) -> None:
    with pytest.raises(IndexError, match=f"the token {token} is .* from 0 to 1$"):
        Tokenizer(["ab"]).decode([0, token])
