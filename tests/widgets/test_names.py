"""Parsing the names that readers type into widgets."""

from tests import models
from widgets._names import encode_between_bos

test_encode_between_bos_refuses_an_invalid_name = models.make_refusal_test(
    encode_between_bos,
    {},
    ({"name": ""}, "type a name: one letter or more"),
    ({"name": "  "}, "type a name: one letter or more"),
    ({"name": "a" * 17}, "type at most 16 letters: this has 17"),
    ({"name": "abc", "max_letters": 2}, "type at most 2 letters: this has 3"),
    ({"name": "zoë"}, "use only the characters 'abc.*xyz', not 'ë'$"),
    ({"name": "a b"}, "not ' '"),
    ({"name": "<b>"}, "not '<' or '>'"),
    ({"name": "😀"}, "not '😀'"),
)


def test_encode_between_bos_ignores_surrounding_spaces_and_capitals() -> None:
    assert encode_between_bos(" Emma ") == models.encode_name("emma")
