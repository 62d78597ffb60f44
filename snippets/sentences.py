"""Sentences in which a verb must agree with a noun far in front of it.

Write thirty thousand to a file, and train on them:

    python -m snippets.sentences > sentences.txt
    microgpt train --docs sentences.txt --block-size 72
"""

import argparse
import random
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

NOUNS = ["dog", "cat", "bird", "king", "girl", "boy", "bee", "cow"]
PREPOSITIONS = ["near", "behind", "above"]
VERBS = ["sleep", "sing", "hide", "run", "jump", "wait"]
OPENINGS = [
    "",
    "today ",
    "at night ",
    "we know ",
    "a king says ",
    "my aunt in rome says ",
]


def make_sentence(
    rng: random.Random, openings: Sequence[str] = ("",)
) -> str:
    """Return a sentence such as "the dogs near the cat sleep"."""
    count = rng.choice([1, 1, 2, 3])
    nouns = [
        rng.choice(NOUNS) + rng.choice(["", "s"]) for _ in range(count)
    ]
    subject = f"the {nouns[0]}"
    for noun in nouns[1:]:
        subject += f" {rng.choice(PREPOSITIONS)} the {noun}"
    verb = rng.choice(VERBS) + ("" if nouns[0].endswith("s") else "s")
    return f"{rng.choice(openings)}{subject} {verb}"


def make_sentences(
    openings: Sequence[str] = ("",), count: int = 30_000, seed: int = 42
) -> list[str]:
    """Return sentences, some of them more than once."""
    rng = random.Random(seed)
    return [make_sentence(rng, openings) for _ in range(count)]


def is_hard(sentence: str) -> bool:
    """Return whether only one of the first and the last noun is plural."""
    nouns = [
        word
        for before, word in pairwise(sentence.split())
        if before == "the"
    ]
    return nouns[0].endswith("s") != nouns[-1].endswith("s")


def with_wrong_verb(sentence: str) -> str:
    """Return the sentence with the other form of its verb."""
    return sentence[:-1] if sentence.endswith("s") else f"{sentence}s"


def share_right(
    sentences: Iterable[str], loss: Callable[[str], float]
) -> float:
    """Return the share of sentences that lose less than with the wrong verb.

    Args:
        sentences: At least one.
        loss: Returns a model's loss on a text, in nats, summed over its tokens.
    """
    right = [
        loss(text) < loss(with_wrong_verb(text)) for text in sentences
    ]
    return sum(right) / len(right)


def main() -> None:
    """Print made-up sentences, one per line."""
    parser = argparse.ArgumentParser(
        prog="python -m snippets.sentences", description=main.__doc__
    )
    parser.add_argument(
        "--openings",
        action="store_true",
        help="begin with words such as “at night”",
    )
    arguments = parser.parse_args()
    print(
        *make_sentences(OPENINGS if arguments.openings else ("",)),
        sep="\n",
    )


if __name__ == "__main__":
    main()
