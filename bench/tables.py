"""Tables of counts: what a model must beat, however well it was trained."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from statistics import fmean as mean

Context = Callable[[Sequence[int]], Hashable]


def back(count: int) -> Context:
    """Return what picks the last tokens; more of BOS stand before a document."""

    def last(read: Sequence[int]) -> Hashable:
        return (*[read[0]] * count, *read)[len(read) :]

    return last


def letter_and_position(read: Sequence[int]) -> Hashable:
    """Return the last token, and how many there are."""
    return read[-1], len(read)


PAIRS = (back(1),)
PLACES = (letter_and_position,)
THREE = (back(3),)
FOUR = tuple(back(count) for count in range(5))


class Table:
    """How often each token followed each context in some documents.

    Contexts go from the most general to the most specific. A prediction begins even.
    Each context in turn adds its counts to `strength` imaginary ones, spread as the
    prediction so far says. With a single context that is additive smoothing.
    """

    def __init__(
        self,
        documents: Iterable[Sequence[int]],
        vocab_size: int,
        contexts: Sequence[Context],
        strength: float,
    ) -> None:
        self.vocab_size, self.contexts = vocab_size, contexts
        self.strength = strength
        self.followers: list[dict[Hashable, Counter[int]]] = [
            defaultdict(Counter) for _ in contexts
        ]
        self.count(documents)

    def count(self, documents: Iterable[Sequence[int]]) -> None:
        """Count what follows each context."""
        for tokens in documents:
            for i in range(1, len(tokens)):
                for context, followers in zip(self.contexts, self.followers):
                    followers[context(tokens[:i])][tokens[i]] += 1

    def probabilities(self, read: Sequence[int]) -> list[float]:
        """Return the probability of each next token."""
        p = [1 / self.vocab_size] * self.vocab_size
        for context, followers in zip(self.contexts, self.followers):
            if found := followers.get(context(read)):
                p = self.mixed(found, p)
        return p

    def loss(self, documents: Iterable[Sequence[int]]) -> float:
        """Return the loss per token."""
        return mean(
            -math.log(self.probabilities(tokens[:i])[tokens[i]])
            for tokens in documents
            for i in range(1, len(tokens))
        )

    def mixed(self, found: Counter[int], p: list[float]) -> list[float]:
        """Mix what followed a context with what a more general one predicts."""
        total = found.total() + self.strength
        return [
            (found[token] + self.strength * share) / total
            for token, share in enumerate(p)
        ]


class KneserNey(Table):
    """Interpolated Kneser–Ney smoothing (Chen and Goodman, 1999), with one discount.

    Each context is one token longer than the one before. All but the longest count not
    how often a token followed, but after how many different tokens in front of them.
    """

    def count(self, documents: Iterable[Sequence[int]]) -> None:
        """Count what follows each context; then after how many tokens it does."""
        super().count(documents)
        for place in range(len(self.contexts) - 1, 0, -1):
            shorter: dict[Hashable, Counter[int]] = defaultdict(Counter)
            for context, found in self.followers[place].items():
                assert isinstance(context, tuple)
                shorter[context[1:]].update(found.keys())
            self.followers[place - 1] = shorter

    def mixed(self, found: Counter[int], p: list[float]) -> list[float]:
        """Take the discount from each count, and spread it as `p` says."""
        total, spread = found.total(), self.strength * len(found)
        return [
            (max(found[token] - self.strength, 0) + spread * share) / total
            for token, share in enumerate(p)
        ]
