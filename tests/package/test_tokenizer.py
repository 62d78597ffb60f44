from unicodedata import normalize

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
        decoded = tokenizer.decode(tokenizer.encode(document))
        assert normalize("NFC", decoded) == normalize("NFC", document)


def test_an_unknown_character_is_named():
    with pytest.raises(ValueError, match=r"'X'.*'ab'"):
        Tokenizer(["ab"]).encode("aXb")


@pytest.mark.parametrize(
    ("character", "shown"),
    [
        ("\u00eb", "the character '\u00eb'; it"),
        ("\u0301", r"the character U\+0301 COMBINING ACUTE ACCENT; it"),
        ("\u200d", r"the character U\+200D ZERO WIDTH JOINER; it"),
        ("\0", r"the character U\+0000; it"),
    ],
)
def test_an_unknown_character_that_cannot_be_seen_has_a_number(character, shown):
    with pytest.raises(ValueError, match=shown):
        Tokenizer(["ab"]).encode(character)


def test_an_error_shows_a_part_of_a_long_alphabet_and_no_accent_alone():
    alphabet = "\u0301ab" + "".join(map(chr, range(0x4E00, 0x5E00)))
    with pytest.raises(ValueError, match=r"it knows 'ab[\u4e00-\u4e1b]{28}…'$"):
        Tokenizer([alphabet]).encode("X")


@pytest.mark.parametrize("typed", ["ren\u00e9", "rene\u0301"])
def test_a_letter_of_two_characters_is_read_as_the_one_that_is_known(typed):
    tokenizer = Tokenizer(["ren\u00e9", "x\u0301"])
    assert tokenizer.decode(tokenizer.encode(typed)) == "ren\u00e9"


def test_a_letter_stays_two_characters_where_only_these_are_known():
    tokenizer = Tokenizer(["rene\u0301"])
    assert tokenizer.decode(tokenizer.encode("rene\u0301")) == "rene\u0301"


@pytest.mark.parametrize("token", [-1, 2, 3])
def test_a_token_that_is_not_of_a_character_is_refused(token):
    with pytest.raises(IndexError, match=f"the token {token} is .* from 0 to 1$"):
        Tokenizer(["ab"]).decode([0, token])
