"""What a formula in LaTeX comes to, where its letters are given numbers."""

import math
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from microgpt import Value

Letters = dict[str, Any]
Term = Callable[[Letters], Any]
TOKEN = re.compile(
    r"\\\\|\\(?:begin|end)\{\w+\}|\d+(?:\.\d+)?"
    r"|(?:\\[A-Za-z]+|[A-Za-z])'?(?:_(?:\w|\{[^}]+\}))?|\S"
)
# Spaces that say nothing; names of several letters; slopes; conditions
REWRITTEN = [
    (r"(?<!\\)\\(?:[, ]|left\b|right\b)", " "),
    (r"\\(?:operatorname|text)\{(\w+)\}", r"\\\1 "),
    (r"\\(hat|bar) (\w)", r"\\\1\2"),
    (r"(?<![\w{\\])d([a-z]_)", r"\\d\1"),
    (r"\\frac\{(?:d|\\partial) ?(\w?)\}\{(?:d|\\partial )(\w+)\}", r"\\slope_{\2,\1} "),
    (r"\((\w) \\mid (\w)\)", r"_{\1\2}"),
]
# Between the parts of a matrix, and two values
COMMAS = {"&": ",", "\\\\": "], [", r"\pm": ","}
NORM, MATRIX = r"\rVert", r"\end{pmatrix}"
ENDS = [*"+-=)]},<>$", *COMMAS, NORM, MATRIX]
# NumPy asks a `Value` for its own method.
LETTERS: Letters = {"e": math.e, "log": np.log, "ln": np.log, "sin": np.sin}
LETTERS |= {"cos": np.cos, "max": np.maximum, "min": np.minimum}
LETTERS |= {"ReLU": np.frompyfunc(lambda x: (x + Value(0.0)).relu(), 1, 1)}


class Senseless(ValueError):
    """A formula has a letter that nothing gives, or shapes that don't fit."""


def times(a: Any, b: Any) -> Any:
    return a @ b if np.ndim(a) and np.ndim(b) else a * b


def listed(term: Term, the: Letters, index: str, span: Any = range(60)) -> list[Any]:
    """Return a term for each number of an index, as far as the letters have any."""
    found: list[Any] = []
    with suppress(IndexError):
        for i in span:
            found.append(term({**the, index: i}))
    if not found:
        raise IndexError(f"no letter has an index {index}")
    return found


def slope(function: Term, along: str, the: Letters) -> Any:
    """Return what `backward` finds along a letter."""
    values = np.array(np.frompyfunc(Value, 1, 1)(the[along]))
    Value.sum(np.ravel(function({**the, along: values[()]})) + Value(0.0)).backward()
    return np.frompyfunc(lambda value: value.grad, 1, 1)(values)


def rewritten(formula: str) -> str:
    for pattern, other in REWRITTEN:
        formula = re.sub(pattern, other, formula)
    return formula


def free_indices(side: str, letters: Letters) -> list[str]:
    """Return the indices of a left side, for each of which its formula holds."""
    below = re.findall(r"_(\w|\{[^}]+\})", rewritten(side))
    bound = re.findall(r"\\(?:sum|prod)_\{?(\w)", side)
    indices = dict.fromkeys(re.findall("[a-z]", "".join(below)))
    return [i for i in indices if i not in [*letters, *bound]]


def value(side: str, letters: Letters, indices: list[str]) -> Any:
    """Return all numbers that a side comes to, in one row; raise `Senseless`."""
    code = Reader(side, LETTERS | letters, indices).sum("$")
    for index in reversed(indices):
        code = f"listed(lambda the: {code}, the, {index!r})"
    try:
        with np.errstate(all="raise", under="ignore"):
            found = eval(code, {**globals(), "the": LETTERS | letters})
        return np.ravel(np.array(found, dtype=float))
    except (TypeError, ValueError, IndexError, ArithmeticError) as error:
        raise Senseless(f"{side}: {error}") from error


class Reader:
    """Reads a formula into Python, in which `the` holds what its letters are."""

    def __init__(self, formula: str, letters: Letters, indices: list[str]) -> None:
        self.tokens = [*TOKEN.findall(rewritten(formula)), "$"]
        self.letters = letters
        self.indices = [*indices]

    def take(self, *wanted: str) -> bool:
        return self.tokens[0] in wanted and bool(self.tokens.pop(0))

    def sum(self, *ends: str) -> str:
        """Read up to one of the ends."""
        found = self.product()
        while (sign := self.tokens.pop(0)) not in ends:
            found += f" {COMMAS.get(sign, sign)} {self.product()}"
        return f"({found})"

    def product(self) -> str:
        if self.tokens[0] in ("+", "-"):
            return f"{self.tokens.pop(0)}{self.product()}"
        found = self.power()
        while self.tokens[0] not in ENDS:
            if self.take("/"):
                found = f"{found} / {self.power()}"
            else:
                self.take(r"\cdot", r"\times")
                found = f"times({found}, {self.power()})"
        return found

    def power(self) -> str:
        found = self.atom()
        if self.take("_"):
            found += f"[{self.letter(self.tokens.pop(0))}]"
        if not self.take("^"):
            return found
        if self.take(r"\top"):
            return f"np.transpose({found})"
        return f"{found} ** {self.atom()}"

    def atom(self) -> str:
        token = self.tokens.pop(0)
        if token in "([{":
            return self.sum(*")]}")
        if token == r"\frac":
            return f"({self.atom()} / {self.atom()})"
        if token == r"\sqrt":
            return f"({self.atom()} ** 0.5)"
        if token == r"\lVert":
            return f"np.linalg.norm{self.sum(NORM)}"
        if token == r"\begin{pmatrix}":
            return f"np.array([[{self.sum(MATRIX)[1:-1]}]])"
        return token if token[0].isdigit() else self.name(re.sub(r"[\\{}]", "", token))

    def letter(self, name: str) -> str:
        """Read a letter that is given, or an index of the left side or of a sum."""
        if name not in [*self.letters, *self.indices]:
            raise Senseless(f"nothing gives {name}")
        return f"the[{name!r}]"

    def name(self, token: str) -> str:
        name, _, below = token.partition("_")
        if name in ("sum", "prod"):
            index, _, first = below.partition("=")
            span = f", range({first}, {self.atom()} + 1)" if self.take("^") else ""
            self.indices.append(index)
            terms = f"listed(lambda the: {self.product()}, the, {index!r}{span})"
            self.indices.remove(index)
            return f"{name.replace('prod', 'math.prod')}({terms})"
        if name == "slope":
            along, _, of = below.partition(",")
            self.letter(along)
            function = self.letter(of) if of else f"lambda the: {self.product()}"
            return f"slope({function}, {along!r}, the)"
        if token in self.letters or below.isdigit():
            name, below = token, ""
        if callable(self.letters.get(name)):
            given = self.sum(")") if self.take("(") else f"({self.product()})"
            return self.letter(name) + given
        places = [*below] if below.isalpha() else [below] * bool(below)
        read = [re.sub("[A-Za-z]", lambda i: self.letter(i[0]), at) for at in places]
        return self.letter(name) + f"[{', '.join(read)}]" * bool(read)
