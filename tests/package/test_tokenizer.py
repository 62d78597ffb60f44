import pytest
from hypothesis import given
from hypothesis import strategies as st

from microgpt.tokenizer import Tokenizer

documents = st.lists(st.text(min_size=1), min_size=1)


def test_characters_are_numbered_in_order_and_bos_comes_last():
    tokenizer = Tokenizer(["cab", "bad"])
    assert tokenizer.characters == "abcd"
    assert (tokenizer.bos, tokenizer.vocab_size) == (4, 5)
    assert tokenizer.encode("dab") == [3, 0, 1]
    assert tokenizer.document("dab") == [4, 3, 0, 1, 4]


@given(documents)
def test_decoding_undoes_encoding(documents):
    tokenizer = Tokenizer(documents)
    for document in documents:
        assert tokenizer.decode(tokenizer.encode(document)) == document


def test_an_unknown_character_is_named():
    with pytest.raises(ValueError, match=r"'X'.*'ab'"):
        Tokenizer(["ab"]).encode("aXb")


def test_bos_is_no_character():
    with pytest.raises(IndexError):
        Tokenizer(["ab"]).decode([2])
