"""Tables of counts: the n-gram models that a network has to beat."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from statistics import fmean as mean

# Maps the tokens read so far to the key that a table looks up
Context = Callable[[Sequence[int]], Hashable]


def last_tokens(count: int) -> Context:
    """Return a context of the last `count` tokens, padded with BOS in front."""

    def context(tokens: Sequence[int]) -> Hashable:
        return (*[tokens[0]] * count, *tokens)[len(tokens) :]

    return context


def token_and_position(tokens: Sequence[int]) -> Hashable:
    """Return the last token and its position."""
    return tokens[-1], len(tokens)


UP_TO_FOUR_TOKENS: tuple[Context, ...] = tuple(map(last_tokens, range(5)))


class CountTable:
    """Counts how often each token followed each context in some documents.

    Contexts go from the most general to the most specific. A prediction begins uniform.
    Each context in turn adds its counts to `strength` imaginary ones, spread in
    proportion to the prediction so far. One context alone gives additive smoothing.
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
        """Count the tokens that follow each context."""
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
        """Return the mean loss over all tokens of the documents, in nats."""
        return mean(
            -math.log(self.probabilities(tokens[:i])[tokens[i]])
            for tokens in documents
            for i in range(1, len(tokens))
        )

    def interpolate(self, counts: Counter[int], prior: list[float]) -> list[float]:
        """Mix counts with `prior`, the prediction of more general contexts."""
        total = counts.total() + self.strength
        return [
            (counts[token] + self.strength * p) / total for token, p in enumerate(prior)
        ]


class KneserNey(CountTable):
    """Interpolated Kneser–Ney smoothing (Chen and Goodman, 1999), with one discount.

    Each context is one token longer than the one before. The longest counts how often a
    token followed; the others count the different tokens in front of that pair.
    """

    def count(self, documents: Iterable[Sequence[int]]) -> None:
        """Count followers of the longest contexts, distinct predecessors for others."""
        super().count(documents)
        for i in range(len(self.contexts) - 1, 0, -1):
            shorter: dict[Hashable, Counter[int]] = defaultdict(Counter)
            for context, counts in self.followers[i].items():
                assert isinstance(context, tuple)
                shorter[context[1:]].update(counts.keys())
            self.followers[i - 1] = shorter

    def interpolate(self, counts: Counter[int], prior: list[float]) -> list[float]:
        """Discount each count; spread the discounts in proportion to `prior`."""
        total, discounted = counts.total(), self.strength * len(counts)
        return [
            (max(counts[token] - self.strength, 0) + discounted * p) / total
            for token, p in enumerate(prior)
        ]
