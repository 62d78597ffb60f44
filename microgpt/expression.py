"""Formulas as a person types them, computed with `Value`s, without Python's `eval`."""

import ast
import math
import operator
import re
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from microgpt.autograd import Value

LONGEST = 1000
OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Value | float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
# The operations of a Value that have a name of their own, such as `log`
FUNCTIONS = tuple(
    name
    for name, method in vars(Value).items()
    if name.isalpha()
    and getattr(method, "__annotations__", {}) == {"return": "Value"}
)
KNOWN = ", ".join(FUNCTIONS)


class ExpressionError(ValueError):
    """A formula that has no meaning here: why, and `at` which character from 0."""

    def __init__(self, reason: str, at: int | None = None) -> None:
        super().__init__(reason)
        self.at = at


class Formula(NamedTuple):
    """What a formula gives: its last part, the names given on the way, and the places.

    A place is the part of the text that a `Value` stands for: its first character and
    the one after its last. A `Value` that an operator makes on its way has none.
    """

    result: Value
    names: dict[str, Value]
    places: dict[Value, tuple[int, int]]


def evaluate(text: str) -> tuple[Value, dict[str, Value]]:
    """Compute a formula such as "a = 2; b = 3; exp(a * b) + a".

    Return its last part, and the names given on the way. It may use numbers, names,
    + - * / ** and functions such as log; anything else raises ExpressionError. As in
    Python, what has a name is a `Value`; without any names, each number is one.
    """
    result, names, _ = read(text)
    return result, names


def read(text: str) -> Formula:
    """Compute a formula as `evaluate` does, and keep in mind where each part stands."""
    if len(text) > LONGEST:
        raise ExpressionError(
            f"the expression is longer than {LONGEST:,} characters", LONGEST
        )
    try:
        return _Reader(text).formula()
    except (RecursionError, MemoryError):
        raise ExpressionError(
            "the expression is nested too deeply"
        ) from None


class _Reader:
    """Reads a formula; `source` is what is left of it as one line of Python."""

    def __init__(self, text: str) -> None:
        self.lift = "=" not in text
        line = re.sub(
            r"\s*[;\r\n][;\s]*", lambda m: ";".ljust(len(m[0])), text
        )
        self.source = line.lstrip("; \t")
        self.start = len(line) - len(self.source)
        self.names: dict[str, Value] = {}
        self.places: dict[Value, tuple[int, int]] = {}

    def fail(self, at: int | ast.expr | ast.stmt, reason: str) -> NoReturn:
        column = at if isinstance(at, int) else self.column(at.col_offset)
        place = self.start + column
        raise ExpressionError(f"character {place + 1}: {reason}", place)

    def column(self, offset: int | None) -> int:
        """Return which character that is: ast counts bytes, a person characters."""
        return len(self.source.encode()[:offset].decode())

    def placed(self, value: Value, node: ast.expr) -> Value:
        """Note where a value stands, unless it stood somewhere before."""
        start = self.start + self.column(node.col_offset)
        end = self.start + self.column(node.end_col_offset)
        self.places.setdefault(value, (start, end))
        return value

    def formula(self) -> Formula:
        """Compute part by part; what an earlier one named, later ones may use."""
        if "#" in self.source:
            self.fail(self.source.index("#"), "this is not a formula")
        try:
            body = ast.parse(self.source).body
        except SyntaxError as error:
            self.fail((error.offset or 1) - 1, error.msg.split(".")[0])
        except ValueError:
            self.fail(0, "this is not text")
        result = None
        for part in body:
            match part:
                case ast.Assign(targets=targets, value=node):
                    pass
                case ast.Expr(value=node):
                    targets = []
                case _:
                    self.fail(part, "this is not a formula")
            if not targets and part is not body[-1]:
                self.fail(part, "only the last part may do without a name")
            names = [x.id for x in targets if isinstance(x, ast.Name)]
            if len(names) < len(targets):
                self.fail(part, "only a name can stand before =")
            value = _as_value(self.value(node, self.lift))
            result = self.placed(value, node)
            self.names |= dict.fromkeys(names, result)
        if result is None:
            raise ExpressionError("the expression is empty", 0)
        return Formula(result, self.names, self.places)

    def value(self, node: ast.expr, lift: bool) -> Value | float:
        """Compute a node of the syntax tree; `lift` makes a `Value` of each number."""
        try:
            result = self.operate(node, lift)
            value = _as_value(result)
            numbers = (value.data, *value._local_grads)
            if not all(map(math.isfinite, numbers)):
                raise ArithmeticError
        except ExpressionError:
            raise
        except (ValueError, ZeroDivisionError) as error:
            self.fail(node, str(error))
        except (ArithmeticError, TypeError):  # or it is complex
            reason = "the value here, or its slope, is not a finite number"
            self.fail(node, reason)
        if isinstance(result, Value):
            self.placed(result, node)
        return result

    def operate(self, node: ast.expr, lift: bool) -> Value | float:
        match node:
            case ast.Constant(value=int(x) | float(x)) if x is not bool(x):
                return Value(float(x)) if lift else float(x)
            case ast.Name(id=name):
                if name not in self.names:
                    how = f'put "{name} = 1;" before'
                    self.fail(node, f"{name} has no value; {how}")
                return self.names[name]
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.value(operand, lift)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                literal = isinstance(operand, ast.Constant)
                result = -self.value(operand, lift and not literal)
                return _as_value(result) if lift else result
            case ast.BinOp(left=left, op=op, right=right) if (
                compute := OPERATORS.get(type(op))
            ):
                power = isinstance(op, ast.Pow)
                a = self.value(left, lift)
                b = self.value(right, lift and not power)
                if power and isinstance(a, Value) and isinstance(b, Value):
                    reason = "the exponent must be a plain number: write"
                    self.fail(right, f"{reason} exp(b * log(a)) for a ** b")
                return compute(a, b)
            case ast.Call(
                ast.Name(id=name), args=[x], keywords=[]
            ) | ast.Call(ast.Attribute(x, name), args=[], keywords=[]) if (
                name in FUNCTIONS
            ):
                argument = _as_value(self.value(x, lift))
                made: Value = getattr(argument, name)()
                return made
            case ast.Call(ast.Name(id=name) | ast.Attribute(attr=name)):
                if name in FUNCTIONS:
                    self.fail(node, f"{name} takes one number")
                known = f"there is no function {name}; there are {KNOWN}"
                self.fail(node, known)
        self.fail(
            node, f"this is none of: number, name, + - * / **, {KNOWN}"
        )


def _as_value(x: Value | float) -> Value:
    return x if isinstance(x, Value) else Value(x)
