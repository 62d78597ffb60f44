"""The tokenizer: characters as whole numbers, and back."""

import unicodedata
from collections.abc import Iterable
from reprlib import repr as short_repr


class Tokenizer:
    """A token for each character of a dataset: 0, 1, …, in order.

    One more token, `bos` (beginning of sequence), stands before and
    after each document, so that a model learns both of its ends.
    """

    def __init__(self, documents: Iterable[str]) -> None:
        self.characters = "".join(sorted(set().union(*documents)))
        self.bos = len(self.characters)
        self.vocab_size = len(self.characters) + 1

    def encode(self, text: str) -> list[int]:
        """Return a token per character; ValueError if one is unknown.

        An é typed as e and an accent is one character, if é is known.
        """
        composed = unicodedata.normalize("NFC", text)
        if set(composed) <= set(self.characters):
            text = composed
        if unknown := sorted(set(text) - set(self.characters)):
            raise ValueError(
                "use only the characters"
                f" {short_repr(self.characters)},"
                f" not {' or '.join(map(repr, unknown))}"
            )
        return [self.characters.index(c) for c in text]

    def document(self, text: str) -> list[int]:
        """Return the tokens of a whole document, between two `bos`."""
        return [self.bos, *self.encode(text), self.bos]

    def decode(self, character_tokens: Iterable[int]) -> str:
        """Return the text of tokens; IndexError if one is out of range."""
        tokens = list(character_tokens)
        for token in tokens:
            if not 0 <= token < self.bos:
                raise IndexError(
                    "expected tokens of characters, from 0 to"
                    f" {self.bos - 1}, got {token}"
                )
        return "".join(self.characters[token] for token in tokens)
