"""Expressions as a person types them, computed with `Value`s, without `eval`."""

import ast
import math
import operator
import re
from collections.abc import Callable
from difflib import get_close_matches
from reprlib import repr as short_repr
from typing import Any, NamedTuple, NoReturn

from microgpt.autograd import Value

MAX_EXPRESSION_CHARACTERS = 1000
OPERATOR_FUNCTIONS: dict[
    type[ast.operator], Callable[[Any, Any], Value | float]
] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
# The operations of a Value that have a name of their own, such as `log`
FUNCTION_NAMES = tuple(
    name
    for name, method in vars(Value).items()
    if name.isalpha()
    and getattr(method, "__annotations__", {}) == {"return": "Value"}
)
FUNCTION_CHOICES = (
    f"{', '.join(FUNCTION_NAMES[:-1])} or {FUNCTION_NAMES[-1]}"
)
EXPECTED_OPERAND_MESSAGE = (
    f"expected a number, a name, + - * / **, {FUNCTION_CHOICES}"
)
EXPECTED_NAME_MESSAGE = "expected a single name before =, such as a = 2"
EXPECTED_STATEMENT_MESSAGE = (
    "expected an expression, such as 2 * 3, or name = expression"
)


class ExpressionError(ValueError):
    """An expression that cannot be evaluated.

    `position` is the character at fault, counted from 0; None if there
    is no such character.
    """

    def __init__(self, reason: str, position: int | None = None) -> None:
        super().__init__(reason)
        self.position = position


class Evaluation(NamedTuple):
    """The result of an expression, its variables, and where each value stands.

    `spans` maps a `Value` to the part of the text that it was computed from: the
    index of its first character, and of the one after its last. A `Value` that an
    operator makes in between has none.
    """

    result: Value
    variables: dict[str, Value]
    spans: dict[Value, tuple[int, int]]


def evaluate(text: str) -> tuple[Value, dict[str, Value]]:
    """Compute an expression such as "a = 2; b = 3; exp(a * b) + a".

    The text may use numbers, names, + - * / ** and functions such as log. As in Python,
    what has a name is a `Value`; in a text without names, each number is one.

    Args:
        text: Parts, separated by ; or by line breaks. All but the last give a name.

    Returns:
        The value of the last part, and all variables by name.

    Raises:
        ExpressionError: The text has no such form, or its value is not finite.
    """
    result, variables, _ = evaluate_with_spans(text)
    return result, variables


def evaluate_with_spans(text: str) -> Evaluation:
    """Compute an expression as `evaluate` does, and note where each value stands."""
    if len(text) > MAX_EXPRESSION_CHARACTERS:
        raise ExpressionError(
            f"expected at most {MAX_EXPRESSION_CHARACTERS:,} characters,"
            f" got {len(text):,}: shorten the expression",
            MAX_EXPRESSION_CHARACTERS,
        )
    try:
        return _Evaluator(text).evaluate()
    except (RecursionError, MemoryError):
        raise ExpressionError(
            "the expression is nested too deeply: give parts of it a name"
        ) from None


class _Evaluator:
    """Evaluates the parts of a text, in order.

    `line` is the text as one line of Python, without its first `start` characters,
    which are blank. `wrap_numbers` says whether each number becomes a `Value`.
    """

    def __init__(self, text: str) -> None:
        self.wrap_numbers = "=" not in text
        line = re.sub(
            r"\s*[;\r\n][;\s]*", lambda m: ";".ljust(len(m[0])), text
        )
        self.line = line.lstrip("; \t")
        self.start = len(line) - len(self.line)
        self.variables: dict[str, Value] = {}
        self.spans: dict[Value, tuple[int, int]] = {}

    def fail(self, at: int | ast.expr | ast.stmt, reason: str) -> NoReturn:
        index = (
            at
            if isinstance(at, int)
            else self.character_index(at.col_offset)
        )
        position = self.start + index
        raise ExpressionError(
            f"character {position + 1}: {reason}", position
        )

    def fail_syntax(self, error: SyntaxError) -> NoReturn:
        """Report a syntax error in the same words under every Python."""
        index = (error.offset or 1) - 1
        reason = error.msg.split(".")[0]
        if reason == "invalid syntax":
            if rest := self.line[index:].strip(";\n "):
                got = short_repr(rest)
                reason = f"cannot read {got}: {EXPECTED_STATEMENT_MESSAGE}"
                if re.match(r"[^\W\d]\w*\s*=(?!=)", rest):
                    reason = f"expected ';' before {got}: put one there"
            else:
                last = self.line.rstrip("; ").rpartition(" ")[2]
                reason = f"the expression ends after {short_repr(last)}"
                reason += ": add a number or a name"
        elif reason.startswith("cannot assign"):
            reason = EXPECTED_NAME_MESSAGE
        elif reason.endswith("never closed"):
            reason += f": add {dict(zip('([{', ')]}'))[reason[1]]!r}"
        self.fail(index, reason)

    def quote(self, node: ast.expr | ast.stmt) -> str:
        """Quote the text of a node, for a message."""
        text = ast.get_source_segment(self.line, node) or ""
        return short_repr(text)

    def character_index(self, byte_offset: int | None) -> int:
        """Return the character at an offset in bytes, which ast counts."""
        return len(self.line.encode()[:byte_offset].decode())

    def record_span(self, value: Value, node: ast.expr) -> Value:
        """Note where a value stands, unless it stood somewhere before."""
        start = self.start + self.character_index(node.col_offset)
        end = self.start + self.character_index(node.end_col_offset)
        self.spans.setdefault(value, (start, end))
        return value

    def evaluate(self) -> Evaluation:
        """Compute part by part; later ones may use earlier names."""
        if "#" in self.line:
            self.fail(
                self.line.index("#"), f"{EXPECTED_OPERAND_MESSAGE}, got '#'"
            )
        try:
            parts = ast.parse(self.line).body
        except SyntaxError as error:
            self.fail_syntax(error)
        except ValueError:
            self.fail(0, "expected text that UTF-8 can write")
        result = None
        for part in parts:
            match part:
                case ast.Assign(targets=targets, value=node):
                    pass
                case ast.Expr(value=node):
                    targets = []
                case _:
                    got = self.quote(part)
                    self.fail(
                        part, f"{EXPECTED_STATEMENT_MESSAGE}, got {got}"
                    )
            if not targets and part is not parts[-1]:
                reason = "expected a name for all parts but the last, such"
                self.fail(
                    part, f"{reason} as a = 2, got {self.quote(part)}"
                )
            names = [x.id for x in targets if isinstance(x, ast.Name)]
            if len(names) < len(targets):
                got = self.quote(part)
                self.fail(part, f"{EXPECTED_NAME_MESSAGE}, got {got}")
            value = _as_value(self.evaluate_node(node, self.wrap_numbers))
            result = self.record_span(value, node)
            self.variables |= dict.fromkeys(names, result)
        if result is None:
            raise ExpressionError(
                'expected an expression such as "a = 2; a * 3", got none', 0
            )
        return Evaluation(result, self.variables, self.spans)

    def evaluate_node(
        self, node: ast.expr, wrap_numbers: bool
    ) -> Value | float:
        """Compute a node of the syntax tree, and refuse what is not finite."""
        try:
            result = self.compute_unchecked(node, wrap_numbers)
            value = _as_value(result)
            numbers = (value.data, *value._local_grads)
            if not all(map(math.isfinite, numbers)):
                raise ArithmeticError
        except ExpressionError:
            raise
        except (ValueError, ZeroDivisionError) as error:
            self.fail(node, str(error))
        except TypeError:  # it is complex
            reason = "is not a real number: use a whole exponent"
            self.fail(node, f"{self.quote(node)} {reason}")
        except ArithmeticError:
            reason = "or its gradient is too large to compute"
            advice = "use numbers nearer to 1"
            self.fail(node, f"{self.quote(node)} {reason}: {advice}")
        if isinstance(result, Value):
            self.record_span(result, node)
        return result

    def compute_unchecked(
        self, node: ast.expr, wrap_numbers: bool
    ) -> Value | float:
        """Compute a node from its operands, even if it is not finite."""
        match node:
            case ast.Constant(value=int(x) | float(x)) if x is not bool(x):
                return Value(float(x)) if wrap_numbers else float(x)
            case ast.Name(id=name):
                if name not in self.variables:
                    advice = f'put "{name} = 1;" before it'
                    known = {x.lower(): x for x in self.variables}
                    for close in get_close_matches(name.lower(), known, 1):
                        advice = f"did you mean {known[close]}?"
                    self.fail(node, f"{name} has no value: {advice}")
                return self.variables[name]
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.evaluate_node(operand, wrap_numbers)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                literal = isinstance(operand, ast.Constant)
                result = -self.evaluate_node(
                    operand, wrap_numbers and not literal
                )
                return _as_value(result) if wrap_numbers else result
            case ast.BinOp(left=left, op=op, right=right) if (
                compute := OPERATOR_FUNCTIONS.get(type(op))
            ):
                power = isinstance(op, ast.Pow)
                a = self.evaluate_node(left, wrap_numbers)
                b = self.evaluate_node(right, wrap_numbers and not power)
                if power and isinstance(a, Value) and isinstance(b, Value):
                    reason = "expected a plain number as exponent: write"
                    self.fail(right, f"{reason} exp(b * log(a)) for a ** b")
                if isinstance(op, ast.Div) and _as_value(b).data == 0:
                    reason = "is 0: give it another value"
                    self.fail(
                        right, f"the divisor {self.quote(right)} {reason}"
                    )
                return compute(a, b)
            case ast.Call(
                ast.Name(id=name), args=[x], keywords=[]
            ) | ast.Call(ast.Attribute(x, name), args=[], keywords=[]) if (
                name in FUNCTION_NAMES
            ):
                argument = _as_value(self.evaluate_node(x, wrap_numbers))
                try:
                    output: Value = getattr(argument, name)()
                except ValueError as error:  # of log
                    self.fail(x, str(error))
                return output
            case ast.Call(ast.Name(id=name) | ast.Attribute(attr=name)):
                if name in FUNCTION_NAMES:
                    reason = (
                        f"expected one number in the brackets of {name}"
                    )
                    self.fail(node, f"{reason}, got {self.quote(node)}")
                reason = f"expected the function {FUNCTION_CHOICES}"
                self.fail(node, f"{reason}, got {name!r}")
        self.fail(
            node, f"{EXPECTED_OPERAND_MESSAGE}, got {self.quote(node)}"
        )


def _as_value(x: Value | float) -> Value:
    return x if isinstance(x, Value) else Value(x)
