"""What a formula in LaTeX comes to, where its letters are given numbers."""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from microgpt import Value

Letters = dict[str, Any]
TOKEN = re.compile(
    r"\\\\|\\(?:begin|end)\{\w+\}|\d+(?:\.\d+)?"
    r"|(?:\\[A-Za-z]+|[A-Za-z])'?(?:_(?:\w|\{[^}]+\}))?|\S"
)
# Spaces that say nothing; names of several letters; slopes
REWRITTEN = [
    (r"(?<!\\)\\(?:[, ]|left\b|right\b)", " "),
    (r"\\(?:operatorname|text)\{(\w+)\}", r"\\\1 "),
    (r"\\(hat|bar) (\w)", r"\\\1\2"),
    (r"(?<![\w{\\])d([a-z]_)", r"\\d\1"),
    (r"\\frac\{(?:d|\\partial) ?(\w?)\}\{(?:d|\\partial )(\w+)\}", r"\\slope_{\2,\1} "),
]
BACKSLASHES, PLUS_MINUS, NORM, MATRIX = "\\\\", r"\pm", r"\rVert", r"\end{pmatrix}"
ENDS = [*"+-=)]}&,>$", BACKSLASHES, PLUS_MINUS, NORM, MATRIX]


def function(name: str) -> Callable[[Any], Any]:
    """Return a function of numbers that is a method of `Value`, too."""
    of_numbers = getattr(np, name, lambda x: np.maximum(x, 0))
    return lambda x: getattr(x, name)() if isinstance(x, Value) else of_numbers(x)


exp, log, relu = map(function, ("exp", "log", "relu"))
LETTERS: Letters = {"e": math.e, "log": log, "ln": log, "ReLU": relu}
LETTERS |= {"sin": np.sin, "cos": np.cos, "max": np.maximum, "min": min}


def power(base: Any, exponent: Any) -> Any:
    return exp(exponent) if base is math.e else base**exponent


def times(a: Any, b: Any) -> Any:
    return a @ b if np.ndim(a) and np.ndim(b) else a * b


def listed(
    term: Callable[[Letters], Any],
    the: Letters,
    index: str,
    first: int = 0,
    last: int = 60,
) -> list[Any]:
    """Return a term for each number of an index, as far as the letters have any."""
    found: list[Any] = []
    for i in range(first, last + 1):
        try:
            found.append(term({**the, index: i}))
        except IndexError:
            if not found:
                raise
            break
    return found


def slope(function: Callable[[Letters], Any], along: str, the: Letters) -> Any:
    """Return what `backward` finds along a letter."""
    values = np.array(np.frompyfunc(Value, 1, 1)(the[along]))
    Value.sum(np.ravel(function({**the, along: values[()]}))).backward()
    return np.frompyfunc(lambda value: value.grad, 1, 1)(values)


def value(formula: str, **letters: Any) -> Any:
    """Return what a formula comes to, a number for each of its free indices."""
    code = compile(Reader(formula, LETTERS | letters).sum("$"), formula, "eval")

    def computed(the: Letters) -> Any:
        try:
            return eval(code, {**globals(), "the": the})
        except KeyError as missing:
            if not re.search(rf"_({{\w*)?{missing.args[0]}", formula):
                raise
            return listed(computed, the, missing.args[0])

    arrays = {k: np.array(v) if isinstance(v, list) else v for k, v in letters.items()}
    return computed(LETTERS | arrays)


class Reader:
    """Reads a formula into Python, in which `the` holds what its letters are."""

    def __init__(self, formula: str, letters: Letters) -> None:
        for pattern, other in REWRITTEN:
            formula = re.sub(pattern, other, formula)
        self.tokens = [*TOKEN.findall(formula), "$"]
        self.letters = letters

    def take(self, *wanted: str) -> bool:
        return self.tokens[0] in wanted and bool(self.tokens.pop(0))

    def sum(self, *ends: str) -> str:
        """Read up to one of the ends."""
        found = self.product()
        while (sign := self.tokens.pop(0)) not in ends:
            found += f" {sign.replace(PLUS_MINUS, ',')} {self.product()}"
        return f"({found})"

    def product(self) -> str:
        if self.take("-"):
            return f"-{self.product()}"
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
        if not self.take("^"):
            return found
        return f"{found}.T" if self.take(r"\top") else f"power({found}, {self.atom()})"

    def atom(self) -> str:
        token = self.tokens.pop(0)
        if token in "([{":
            return self.sum(*")]}")
        if token == r"\frac":
            return f"({self.atom()} / {self.atom()})"
        if token == r"\sqrt":
            return f"power({self.atom()}, 0.5)"
        if token == r"\lVert":
            return f"np.linalg.norm{self.sum(NORM)}"
        if token == r"\begin{pmatrix}":
            return self.matrix()
        return token if token[0].isdigit() else self.name(re.sub(r"[\\{}]", "", token))

    def matrix(self) -> str:
        rows, ending = [""], ""
        while ending != MATRIX:
            ending = next(t for t in self.tokens if t in ("&", BACKSLASHES, MATRIX))
            rows[-1] += f"{self.sum(ending)}, "
            rows += [""] * (ending == BACKSLASHES)
        return f"np.array([[{'], ['.join(rows)}]])"

    def name(self, token: str) -> str:
        name, _, below = token.partition("_")
        if name in ("sum", "prod"):
            index, _, first = below.partition("=")
            bounds = f", {first}, {self.atom()}" if self.take("^") else ""
            terms = f"listed(lambda the: {self.product()}, the, {index!r}{bounds})"
            return f"{name.replace('prod', 'math.prod')}({terms})"
        if name == "slope":
            along, _, of = below.partition(",")
            function = f"the[{of!r}]" if of else f"lambda the: {self.product()}"
            return f"slope({function}, {along!r}, the)"
        if token in self.letters or below.isdigit():
            name, below = token, ""
        if callable(self.letters.get(name)):
            given = self.sum(")") if self.take("(") else f"({self.product()})"
            return f"the[{name!r}]{given}"
        places = [*below] if below.isalpha() else [below] * bool(below)
        read = ", ".join(re.sub("[a-z]", r"the['\g<0>']", place) for place in places)
        return f"the[{name!r}]" + f"[{read}]" * bool(read)
