"""The names of the dataset as the programs see them, and names that readers type."""

import random
from functools import cache

from microgpt import Config, Tokenizer, load_names

TRAINING_SEED = 42  # of the programs that pages list
MAX_LETTERS = Config().block_size  # of a name, as in `sample`
MAX_LETTERS_AFTER_BOS = MAX_LETTERS - 1  # so that a model can read BOS and all of them


@cache
def names_tokenizer() -> Tokenizer:
    """Return the tokenizer of the dataset's names."""
    return Tokenizer(load_names())


def token_labels() -> list[str]:
    """Return what readers call each token: its letter, or BOS."""
    return [*names_tokenizer().characters, "BOS"]


@cache
def shuffled_names() -> tuple[str, ...]:
    """Return the dataset's names in the order in which the programs learn them."""
    names = load_names()
    random.Random(TRAINING_SEED).shuffle(names)
    return tuple(names)


def encode_between_bos(
    name: str, max_letters: int = MAX_LETTERS, min_letters: int = 1
) -> list[int]:
    """Return the tokens of a typed name, with BOS at both ends.

    Spaces around the name and capital letters do not matter.

    Raises:
        ValueError: The name is too short or too long, or has a character that is no
            token. The message says which, for readers.
    """
    name = name.strip().lower()
    if len(name) < min_letters:
        raise ValueError("type a name: one letter or more")
    if len(name) > max_letters:
        raise ValueError(f"type at most {max_letters} letters: this has {len(name)}")
    return names_tokenizer().document(name)
