"""A stated derivative is compared with `backward` and with finite differences."""

import re

import pytest

from weave.kinds.derivative import Untrue, check, latex, read

TRUE = [
    "a + b\na: 1\nb: 1",
    "a * b\na: b\nb: a",
    "a / b\na: 1 / b\nb: -a / b**2",
    "a - b\na: 1\nb: -1",
    "a**n\na: n * a**(n - 1)",
    "exp(a)\na: exp(a)",
    "log(a)\na: 1 / a",
    "relu(a)\na: a > 0",
    "relu(a)\na: 1 if a > 0 else 0",
    "1 - 2 / (exp(2 * a) + 1)\na: 4 * exp(2 * a) / (exp(2 * a) + 1)**2",
    "2**a\na: log(2) * 2**a",
    "-a\na: -1",
    "sqrt(a)\na: 1 / (2 * sqrt(a))",
]


@pytest.mark.parametrize("text", TRUE)
def test_true_derivatives_hold(text: str) -> None:
    (derivative,) = read(text.splitlines(), 1)
    check(derivative)
    assert len(list(latex(derivative))) == len(derivative.partials)


@pytest.mark.parametrize(
    "text",
    [
        "a * b\na: a",
        "a - b\nb: 1",
        "a / b\nb: -a / b",
        "exp(a)\na: a",
        "relu(a)\na: a >= 0",
        "relu(a - 3)\na: 0",  # a corner far out
        "tanh(a)\na: 1 - tanh(a)**2",  # which `Value` has not
        "log(a)\na: 1 / a + 0.001",
        "a\nb: 0",
    ],
)
def test_false_derivatives_are_refused_with_the_point_that_shows_it(text: str) -> None:
    (derivative,) = read(text.splitlines(), 1)
    with pytest.raises(Untrue, match=re.escape(derivative.expression)):
        check(derivative)


def test_an_expression_that_is_nowhere_defined_is_refused() -> None:
    (derivative,) = read(["log(-a * a)", "a: 2 / a"], 1)
    with pytest.raises(Untrue, match="hardly be evaluated"):
        check(derivative)


@pytest.mark.parametrize("body", [[], ["a * b"], ["a * b", "a = b"], ["a", "1: 2"]])
def test_a_malformed_fence_is_refused(body: list[str]) -> None:
    with pytest.raises(ValueError, match=r"state an|write a"):
        read(body, 1)


def test_several_entries_know_their_lines() -> None:
    entries = read(["a", "a: 1", "", "-a", "a: -1"], 10)
    assert [(e.expression, e.line) for e in entries] == [("a", 10), ("-a", 13)]


def test_brackets_are_typeset_where_they_are_needed() -> None:
    def right(partial: str) -> str:
        (entry,) = read(["a", f"a: {partial}"], 1)
        return next(iter(latex(entry)))[1]

    assert right("(a + b) * c") == r"\left(a+b\right) \cdot c"
    assert right("a + b * c") == r"a+b \cdot c"
    assert right("a - (b - c)") == r"a-\left(b-c\right)"
    assert right("(a * b)**2") == r"\left(a \cdot b\right)^{2}"
    assert right("(a / b)**2") == r"\left(\frac{a}{b}\right)^{2}"
    assert right("(-a)**2") == r"\left(-a\right)^{2}"
    assert right("(a**b)**c") == r"\left(a^{b}\right)^{c}"
