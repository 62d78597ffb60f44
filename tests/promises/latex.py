"""Evaluate formulas in LaTeX: translate them to Python, with values for variables."""

import math
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from microgpt import Value

Variables = dict[str, Any]
Expression = Callable[[Variables], Any]
LATEX_TOKEN = re.compile(
    r"\\\\|\\(?:begin|end)\{\w+\}|\d+(?:\.\d+)?"
    r"|(?:\\[A-Za-z]+|[A-Za-z])'?(?:_(?:\w|\{[^}]+\}))?|\S"
)
# Patterns and replacements, applied in this order: spaces, names, derivatives, conditions
LATEX_REWRITES: list[tuple[str, str]] = [
    (r"(?<!\\)\\(?:[, ]|left\b|right\b)", " "),
    (r"\\(?:operatorname|text)\{(\w+)\}", r"\\\1 "),
    (r"\\(hat|bar) (\w)", r"\\\1\2"),
    (r"(?<![\w{\\])d([a-z]_)", r"\\d\1"),
    (r"\\frac\{(?:d|\\partial) ?(\w?)\}\{(?:d|\\partial )(\w+)\}", r"\\slope_{\2,\1} "),
    (r"\((\w) \\mid (\w)\)", r"_{\1\2}"),
]
# Python code for separators: of a matrix's entries and rows, and of the two values of ±
SEPARATOR_CODE: dict[str, str] = {"&": ",", "\\\\": "], [", r"\pm": ","}
NORM_END, MATRIX_END = r"\rVert", r"\end{pmatrix}"
PRODUCT_ENDS = [*"+-=)]},<>$", *SEPARATOR_CODE, NORM_END, MATRIX_END]
# NumPy's functions call the method of a `Value` that has their name.
KNOWN_NAMES: Variables = {"e": math.e, "log": np.log, "ln": np.log, "sin": np.sin}
KNOWN_NAMES |= {"cos": np.cos, "max": np.maximum, "min": np.minimum}
KNOWN_NAMES |= {"ReLU": np.frompyfunc(lambda x: (x + Value(0.0)).relu(), 1, 1)}


class FormulaError(ValueError):
    """A formula has an unknown variable, or shapes that don't fit."""


def multiply(a: Any, b: Any) -> Any:
    """Multiply matrices or vectors by `@`, and numbers by `*`."""
    return a @ b if np.ndim(a) and np.ndim(b) else a * b


def evaluate_terms(
    term: Expression, variables: Variables, index: str, span: Any = range(60)
) -> list[Any]:
    """Evaluate a term at 0, 1, … until an index is out of range."""
    values: list[Any] = []
    with suppress(IndexError):
        for i in span:
            values.append(term({**variables, index: i}))
    if not values:
        raise IndexError(f"no letter has an index {index}")
    return values


def autograd_gradient(function: Expression, along: str, variables: Variables) -> Any:
    """Return the gradient of a function of the variables with respect to one of them."""
    values = np.array(np.frompyfunc(Value, 1, 1)(variables[along]))
    Value.sum(
        np.ravel(function({**variables, along: values[()]})) + Value(0.0)
    ).backward()
    return np.frompyfunc(lambda value: value.grad, 1, 1)(values)


def normalize_latex(formula: str) -> str:
    for pattern, replacement in LATEX_REWRITES:
        formula = re.sub(pattern, replacement, formula)
    return formula


def find_free_indices(side: str, variables: Variables) -> list[str]:
    """Return the indices of a left side that have no value: the formula holds for all."""
    below = re.findall(r"_(\w|\{[^}]+\})", normalize_latex(side))
    bound = re.findall(r"\\(?:sum|prod)_\{?(\w)", side)
    indices = dict.fromkeys(re.findall("[a-z]", "".join(below)))
    return [i for i in indices if i not in [*variables, *bound]]


def evaluate_side(side: str, variables: Variables, indices: list[str]) -> Any:
    """Evaluate a side of a formula; return all its numbers as a vector.

    Raises:
        FormulaError: A variable is unknown, or shapes or values don't fit.
    """
    code = LatexParser(side, KNOWN_NAMES | variables, indices).parse_sum("$")
    for index in reversed(indices):
        code = f"evaluate_terms(lambda variables: {code}, variables, {index!r})"
    try:
        with np.errstate(all="raise", under="ignore"):
            value = eval(code, {**globals(), "variables": KNOWN_NAMES | variables})
        return np.ravel(np.array(value, dtype=float))
    except (TypeError, ValueError, IndexError, ArithmeticError) as error:
        raise FormulaError(f"{side}: {error}") from error


class LatexParser:
    """Translates LaTeX to a Python expression that looks its letters up in `variables`."""

    def __init__(self, formula: str, variables: Variables, indices: list[str]) -> None:
        self.tokens: list[str] = [*LATEX_TOKEN.findall(normalize_latex(formula)), "$"]
        self.variables = variables
        self.indices = [*indices]

    def accept(self, *wanted: str) -> bool:
        return self.tokens[0] in wanted and bool(self.tokens.pop(0))

    def parse_sum(self, *ends: str) -> str:
        """Parse terms up to one of the end tokens."""
        code = self.parse_product()
        while (sign := self.tokens.pop(0)) not in ends:
            code += f" {SEPARATOR_CODE.get(sign, sign)} {self.parse_product()}"
        return f"({code})"

    def parse_product(self) -> str:
        if self.tokens[0] in ("+", "-"):
            return f"{self.tokens.pop(0)}{self.parse_product()}"
        code = self.parse_power()
        while self.tokens[0] not in PRODUCT_ENDS:
            if self.accept("/"):
                code = f"{code} / {self.parse_power()}"
            else:
                self.accept(r"\cdot", r"\times")
                code = f"multiply({code}, {self.parse_power()})"
        return code

    def parse_power(self) -> str:
        code = self.parse_atom()
        if self.accept("_"):
            code += f"[{self.look_up_variable(self.tokens.pop(0))}]"
        if not self.accept("^"):
            return code
        if self.accept(r"\top"):
            return f"np.transpose({code})"
        return f"{code} ** {self.parse_atom()}"

    def parse_atom(self) -> str:
        token = self.tokens.pop(0)
        if token in "([{":
            return self.parse_sum(*")]}")
        if token == r"\frac":
            return f"({self.parse_atom()} / {self.parse_atom()})"
        if token == r"\sqrt":
            return f"({self.parse_atom()} ** 0.5)"
        if token == r"\lVert":
            return f"np.linalg.norm{self.parse_sum(NORM_END)}"
        if token == r"\begin{pmatrix}":
            return f"np.array([[{self.parse_sum(MATRIX_END)[1:-1]}]])"
        if token[0].isdigit():
            return token
        return self.parse_name(re.sub(r"[\\{}]", "", token))

    def look_up_variable(self, name: str) -> str:
        """Return the code of a variable, or of an index of the left side or of a sum."""
        if name not in [*self.variables, *self.indices]:
            raise FormulaError(f"{name} has no value: add it to HEADING_VARIABLES")
        return f"variables[{name!r}]"

    def parse_name(self, token: str) -> str:
        name, _, below = token.partition("_")
        if name in ("sum", "prod"):
            index, _, first = below.partition("=")
            has_end = self.accept("^")
            span = f", range({first}, {self.parse_atom()} + 1)" if has_end else ""
            self.indices.append(index)
            term = f"lambda variables: {self.parse_product()}"
            terms = f"evaluate_terms({term}, variables, {index!r}{span})"
            self.indices.remove(index)
            return f"{name.replace('prod', 'math.prod')}({terms})"
        if name == "slope":
            along, _, of = below.partition(",")
            self.look_up_variable(along)
            code = self.look_up_variable(of) if of else self.parse_product()
            function = code if of else f"lambda variables: {code}"
            return f"autograd_gradient({function}, {along!r}, variables)"
        if token in self.variables or below.isdigit():
            name, below = token, ""
        if callable(self.variables.get(name)):
            if self.accept("("):
                return self.look_up_variable(name) + self.parse_sum(")")
            return f"{self.look_up_variable(name)}({self.parse_product()})"
        positions = [*below] if below.isalpha() else [below] * bool(below)
        look_up = partial(re.sub, "[A-Za-z]", lambda i: self.look_up_variable(i[0]))
        indices = ", ".join(map(look_up, positions))
        return self.look_up_variable(name) + f"[{indices}]" * bool(indices)
