"""The tokenizer: characters as whole numbers, and back."""

from collections.abc import Iterable


class Tokenizer:
    """Numbers the characters of a dataset from 0, in order.

    One more token, `bos` (beginning of sequence), stands before and
    after each document, so that a model learns both of its ends.
    """

    def __init__(self, documents: Iterable[str]) -> None:
        self.characters = "".join(sorted(set().union(*documents)))
        self.bos = len(self.characters)
        self.vocab_size = len(self.characters) + 1

    def encode(self, text: str) -> list[int]:
        """Return a token per character; ValueError if one is unknown."""
        for c in text:
            if c not in self.characters:
                problem = f"the tokenizer does not know the character {c!r}"
                raise ValueError(f"{problem}; it knows {self.characters!r}")
        return [self.characters.index(c) for c in text]

    def document(self, text: str) -> list[int]:
        """Return the tokens of a whole document, between two `bos`."""
        return [self.bos, *self.encode(text), self.bos]

    def decode(self, tokens: Iterable[int]) -> str:
        """Return the characters of tokens other than `bos`."""
        return "".join(self.characters[token] for token in tokens)
