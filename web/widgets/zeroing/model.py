"""Two training runs from one start: one zeroes its gradients, one never does."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from typing import TypedDict

from microgpt import SGD, Tokenizer, Value, linear_decay, load_names
from microgpt.engines.collector import collector_paused
from snippets.step2 import initial_weights, mean_loss, parameters
from widgets._inputs import positive, whole

MOST_STEPS = 300
FULL_RUN = 1000  # steps, over which the learning rate would fall to zero
REPORT_EVERY = 5  # steps

# Not every number is one: "inf", "-inf" and "nan" have no place in JSON.
Number = float | str


class ZeroingRun(TypedDict):
    """What happened at each step; the lists of lists hold one list per parameter.

    A run that cannot go on has fewer steps, and says why.
    """

    losses: list[Number]
    lowest: float
    highest: float
    values: list[list[Number]]
    held: list[list[Number]]
    added: list[list[Number]]
    grads: list[list[Number]]
    end: str


class Zeroing(TypedDict):
    """Both runs, the names that they learn from, and the parameters that we watch."""

    names: list[str]
    parameters: list[str]
    zeroed: ZeroingRun
    kept: ZeroingRun


class Training:
    """The network of Step 2, its first weights drawn as the program draws them."""

    def __init__(self, seed: int, *, zeroes: bool) -> None:
        rng = random.Random(seed)
        self.names = load_names()
        rng.shuffle(self.names)
        self.tokenizer = Tokenizer(self.names)
        self.weights = initial_weights(self.tokenizer.vocab_size, rng)
        self.optimizer = SGD(parameters(self.weights))
        self.zeroes = zeroes
        self.watched = self._watched()
        lists: list[list[list[Number]]] = [[[] for _ in self.watched] for _ in range(4)]
        values, held, added, grads = lists
        self.run = ZeroingRun(
            losses=[],
            lowest=0.0,
            highest=0.0,
            values=values,
            held=held,
            added=added,
            grads=grads,
            end="",
        )

    def _watched(self) -> dict[str, Value]:
        """Return a few parameters of each matrix, named by where they stand."""
        a, ends = self.tokenizer.encode("a")[0], self.tokenizer.bos
        return {
            f"wte[{a}][0], for the letter a": self.weights["wte"][a][0],
            f"wte[{ends}][0], for the start of a name": self.weights["wte"][ends][0],
            "fc1[0][0], into hidden unit 0": self.weights["fc1"][0][0],
            f"fc2[{a}][5], for an a that is next": self.weights["fc2"][a][5],
        }

    def step(self, number: int, rate: float) -> None:
        """Take a step, unless an earlier one was the last that could be taken."""
        if self.run["end"]:
            return
        before = [(value.data, value.grad) for value in self.watched.values()]
        try:
            with collector_paused():
                tokens = self.tokenizer.document(self.names[number])
                loss = mean_loss(tokens, self.weights)
                loss.backward()
                self._record(loss.data, before)
                del loss
                self.optimizer.step(linear_decay(rate, number, FULL_RUN))
                if self.zeroes:
                    self.optimizer.zero_grad()
        except ValueError:
            self.run["end"] = (
                "the probability of the right letter is 0, which has no logarithm"
            )
        except ArithmeticError as error:
            self.run["end"] = f"a number is too large for a float: {error}"

    def _record(self, loss: float, before: list[tuple[float, float]]) -> None:
        self.run["losses"].append(short(loss, 6))
        numbers = [x for x in self.run["losses"] if isinstance(x, float)]
        self.run["lowest"], self.run["highest"] = min(numbers), max(numbers)
        for i, value in enumerate(self.watched.values()):
            data, held = before[i]
            self.run["values"][i].append(short(data))
            self.run["held"][i].append(short(held))
            self.run["added"][i].append(short(value.grad - held))
            self.run["grads"][i].append(short(value.grad))
        if not math.isfinite(loss):
            self.run["end"] = f"the loss is {loss}, and no step can change that"


def short(x: float, digits: int = 4) -> Number:
    """Return a number with a few significant digits; what is not finite, as a word."""
    return float(f"{x:.{digits}g}") + 0.0 if math.isfinite(x) else str(x)


def zeroing(rate: float, seed: int, steps: int) -> Iterator[Zeroing]:
    """Train twice, both runs step by step; yield what there is after every few steps.

    The steps are the first of a run of 1,000, as in the page's own block.
    """
    rate = positive(rate, "learning rate")
    seed = whole(seed, "seed", 0, 2**31)
    steps = whole(steps, "steps", 2, MOST_STEPS)
    zeroed, kept = Training(seed, zeroes=True), Training(seed, zeroes=False)
    result = Zeroing(
        names=[],
        parameters=list(zeroed.watched),
        zeroed=zeroed.run,
        kept=kept.run,
    )
    for number in range(steps):
        result["names"].append(zeroed.names[number])
        for training in (zeroed, kept):
            training.step(number, rate)
        over = zeroed.run["end"] != "" and kept.run["end"] != ""
        if (number + 1) % REPORT_EVERY == 0 or number + 1 == steps or over:
            yield result
        if over:
            return
