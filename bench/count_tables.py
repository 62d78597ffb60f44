"""Tables of counts: the n-gram models that a network has to beat."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from statistics import fmean as mean

# From the tokens read so far to the part of them that a table looks up
Context = Callable[[Sequence[int]], Hashable]


def last_tokens(count: int) -> Context:
    """Return a context of the last tokens; a document is padded with BOS in front."""

    def context(tokens: Sequence[int]) -> Hashable:
        return (*[tokens[0]] * count, *tokens)[len(tokens) :]

    return context


def token_and_position(tokens: Sequence[int]) -> Hashable:
    """Return the last token and its position."""
    return tokens[-1], len(tokens)


UP_TO_FOUR_TOKENS: tuple[Context, ...] = tuple(map(last_tokens, range(5)))


class CountTable:
    """Counts how often each token followed each context in some documents.

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
        self.vocab_size, self.contexts, self.strength = vocab_size, contexts, strength
        self.followers: list[dict[Hashable, Counter[int]]]
        self.followers = [defaultdict(Counter) for _ in contexts]
        self.count(documents)

    def count(self, documents: Iterable[Sequence[int]]) -> None:
        """Count what follows each context."""
        for tokens in documents:
            for i in range(1, len(tokens)):
                for context, followers in zip(self.contexts, self.followers):
                    followers[context(tokens[:i])][tokens[i]] += 1

    def probabilities(self, tokens: Sequence[int]) -> list[float]:
        """Return the probability of each token that may come next."""
        p = [1 / self.vocab_size] * self.vocab_size
        for context, followers in zip(self.contexts, self.followers):
            if counts := followers.get(context(tokens)):
                p = self.interpolate(counts, p)
        return p

    def loss_per_token(self, documents: Iterable[Sequence[int]]) -> float:
        """Return the loss, in nats per token."""
        return mean(
            -math.log(self.probabilities(tokens[:i])[tokens[i]])
            for tokens in documents
            for i in range(1, len(tokens))
        )

    def interpolate(self, counts: Counter[int], p: list[float]) -> list[float]:
        """Mix the counts of a context with what more general ones predict."""
        total = counts.total() + self.strength
        return [
            (counts[token] + self.strength * p_general) / total
            for token, p_general in enumerate(p)
        ]


class KneserNey(CountTable):
    """Interpolated Kneser–Ney smoothing (Chen and Goodman, 1999), with one discount.

    Each context is one token longer than the one before. All but the longest count not
    how often a token followed, but after how many different tokens in front of them.
    """

    def count(self, documents: Iterable[Sequence[int]]) -> None:
        """Count followers of the longest contexts; for shorter ones, tokens in front."""
        super().count(documents)
        for i in range(len(self.contexts) - 1, 0, -1):
            shorter: dict[Hashable, Counter[int]] = defaultdict(Counter)
            for context, counts in self.followers[i].items():
                assert isinstance(context, tuple)
                shorter[context[1:]].update(counts.keys())
            self.followers[i - 1] = shorter

    def interpolate(self, counts: Counter[int], p: list[float]) -> list[float]:
        """Take the discount from each count, and spread it as `p` says."""
        total, spread = counts.total(), self.strength * len(counts)
        return [
            (max(counts[token] - self.strength, 0) + spread * p_general) / total
            for token, p_general in enumerate(p)
        ]
