"""Derivatives, stated as Python, compared with `backward` and typeset."""

from __future__ import annotations

import ast
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from microgpt import Value
from microgpt.cli import operations
from microgpt.cli.operations import Operation
from weave.findings import Finding, Results
from weave.guide import Guide
from weave.kinds.kind import Cell, Kind, To, View, framed

STEP = 1e-6
TOLERANCE = 1e-5
TRIALS = 60
NEAR = 2.0  # finite differences are taken where no input is larger
FAR = 20.0  # how many times as far some points lie


class Derivatives(Kind):
    """An expression and, below it, its partial derivatives; then perhaps another."""

    language = "derivative"
    plural = "derivatives"

    @cached_property
    def stated(self) -> list[Derivative]:
        """The derivatives of the fence."""
        try:
            return read(self.fence.body, self.line + 1)
        except ValueError as error:
            raise self.error(str(error)) from None

    def read(self) -> None:
        """Refuse what states none."""
        self.stated  # noqa: B018  (raises)

    def check(self, guide: Guide, results: Results) -> Iterator[Finding]:
        """Compare each with `backward` and with finite differences."""
        for derivative in self.stated:
            try:
                check(derivative)
                list(latex(derivative))
            except (ValueError, SyntaxError, NameError, TypeError, AttributeError) as e:
                yield self.page.error(str(e), derivative.line)

    def html(self, view: View) -> str:
        """Typeset them, a row each."""
        rows = ""
        try:
            for derivative in self.stated:
                for left, right in latex(derivative):
                    formula = view.formula(f"{left} = {right}", self.line)
                    rows += f"<tr><td>{formula}</td></tr>"
        except (ValueError, SyntaxError) as error:
            raise self.error(str(error)) from None
        return framed(f'<table class="derivatives"><tbody>{rows}</tbody></table>')

    def cells(self, guide: Guide, to: To) -> Iterator[str | Cell]:
        """Yield them as Python."""
        yield from ("```python", *self.fence.body, "```")


@dataclass
class Derivative:
    """An expression and its partial derivatives, by name, as Python; and its line."""

    expression: str
    partials: dict[str, str]
    line: int


class Untrue(ValueError):
    """A derivative that is not what the page says, with the point that shows it."""


def read(body: list[str], first_line: int) -> list[Derivative]:
    """Read the entries of a `derivative` fence; raise ValueError if malformed."""
    entries: list[Derivative] = []
    fresh = True
    for line, text in enumerate(body, first_line):
        if not text.strip():
            fresh = True
        elif fresh:
            entries.append(Derivative(text.strip(), {}, line))
            fresh = False
        else:
            name, colon, partial = text.partition(":")
            if not colon or not name.strip().isidentifier():
                raise ValueError(f"write a partial derivative as 'a: b', not {text!r}")
            entries[-1].partials[name.strip()] = partial.strip()
    if not entries or not all(entry.partials for entry in entries):
        raise ValueError("state an expression and, below it, a derivative of it")
    return entries


def check(derivative: Derivative) -> None:
    """Compare with `backward` and with finite differences; raise Untrue.

    Half of the points have every input positive, and some are 0, where finite
    differences say nothing but `backward` still chooses. Some lie far out, where finite
    differences are too coarse, so that no corner hides there.
    """
    for text in (derivative.expression, *derivative.partials.values()):
        for node in ast.walk(ast.parse(text, mode="eval")):
            match node:
                case ast.Call(func=ast.Name(id=name)) if name not in _functions():
                    raise Untrue(f"{derivative.expression}: `Value` has no {name}")
    names = sorted(_names(derivative.expression))
    for name in derivative.partials:
        if name not in names:
            raise Untrue(f"{derivative.expression} does not depend on {name}")
    rng = random.Random(0)
    compared = 0
    for trial in range(TRIALS):
        low = 0.2 if trial % 2 else -2.0
        point = {name: rng.uniform(low, NEAR) for name in names}
        if trial >= TRIALS - 20:
            point = {name: FAR * x for name, x in point.items()}
        if trial >= TRIALS - 3:
            point = dict.fromkeys(names, 0.0)
        try:
            _check_at(derivative, point)
            compared += 1
        except Untrue:
            raise
        except (ArithmeticError, ValueError):
            continue  # outside the domain of a function
    if compared < TRIALS // 4:
        raise Untrue(f"{derivative.expression} could hardly be evaluated anywhere")


def _check_at(derivative: Derivative, point: dict[str, float]) -> None:
    inputs = {n: Value(x) for n, x in point.items() if n in derivative.partials}
    output = _evaluate(derivative.expression, {**point, **inputs})
    output.backward()
    for name, partial in derivative.partials.items():
        stated = _real(_evaluate(partial, point))
        found = {"backward()": inputs[name].grad}
        if all(0 < abs(x) <= NEAR for x in point.values()):
            down, up = (
                _real(_evaluate(derivative.expression, {**point, name: x}))
                for x in (point[name] - STEP, point[name] + STEP)
            )
            found["a finite difference"] = (up - down) / (2 * STEP)
        for source, slope in found.items():
            if not math.isclose(stated, slope, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
                where = ", ".join(f"{n} = {x:.4g}" for n, x in point.items())
                raise Untrue(
                    f"d({derivative.expression})/d{name} = {partial} is "
                    f"{stated:.6g} at {where}, but {source} gives {slope:.6g}"
                )


def _real(value: Any) -> float:
    if isinstance(value, complex):
        raise ValueError("not a real number")  # noqa: TRY004  (a value, of float's kin)
    return float(value)


@cache
def _functions() -> dict[str, Callable[[Any], Any]]:
    """Return what an expression may call, for a `Value` as for a plain number."""

    def either(operation: Operation) -> Callable[[Any], Any]:
        method, plain = operation.method, operation.plain
        return lambda x: getattr(x, method)() if isinstance(x, Value) else plain(x)

    known = {o.method: either(o) for o in operations.OPERATIONS if o.is_function}
    return {"sqrt": lambda x: x**0.5, **known}


def _names(expression: str) -> set[str]:
    tree = ast.parse(expression, mode="eval")
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names - _functions().keys()


def _evaluate(expression: str, point: dict[str, Any]) -> Any:
    return eval(expression, {"__builtins__": {}, **_functions(), **point})


def latex(derivative: Derivative) -> Iterator[tuple[str, str]]:
    """Yield each row of the table: left side and right side, in LaTeX."""
    whole = _latex(ast.parse(derivative.expression, mode="eval").body)
    for name, partial in derivative.partials.items():
        left = rf"\frac{{\partial}}{{\partial {name}}}\left({whole}\right)"
        yield left, _latex(ast.parse(partial, mode="eval").body)


PRECEDENCE = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2}


def _latex(node: ast.expr, context: int = 0) -> str:
    """Typeset a Python expression; raise ValueError for what it has no form for."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return f"{value:g}"
        case ast.Name(id=name):
            return name
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            inner = _latex(argument)
            if name == "exp":
                return f"e^{{{inner}}}"
            if name == "sqrt":
                return rf"\sqrt{{{inner}}}"
            known = rf"\{name}" if name in ("log", "tanh") else rf"\mathrm{{{name}}}"
            return rf"{known}({inner})"
        case ast.IfExp(test=test, body=body, orelse=orelse):
            condition = _latex(test).removeprefix(r"\left[").removesuffix(r"\right]")
            cases = rf"{_latex(body)} & \text{{if }} {condition} \\"
            cases += rf"{_latex(orelse)} & \text{{otherwise}}"
            return rf"\begin{{cases}} {cases} \end{{cases}}"
        case ast.Compare(left=left, ops=[ast.Gt()], comparators=[right]):
            return rf"\left[{_latex(left)} > {_latex(right)}\right]"
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            level, text = 3, rf"\frac{{{_latex(left)}}}{{{_latex(right)}}}"
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            level, text = 3, rf"{_latex(left, 4)}^{{{_latex(right)}}}"
        case ast.BinOp(left=left, op=op, right=right) if type(op) in PRECEDENCE:
            level = PRECEDENCE[type(op)]
            sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: r" \cdot "}[type(op)]
            after = level + 1 if isinstance(op, ast.Sub) else level
            text = f"{_latex(left, level)}{sign}{_latex(right, after)}"
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            level, text = 1, f"-{_latex(operand, 2)}"
        case _:
            raise ValueError(f"cannot typeset {ast.unparse(node)!r}")
    return rf"\left({text}\right)" if level < context else text
