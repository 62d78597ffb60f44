"""Expressions are computed or refused, and drawn as graphs."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microgpt.autograd import Value
from microgpt.expression import (
    FUNCTION_NAMES,
    ExpressionError,
    evaluate,
    evaluate_with_spans,
)
from microgpt.graph import format_table, mermaid


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 2; b = 3; a * b + a", 8),
        ("a = 2; b = a ** 3; b - 1;", 7),
        ("a = 2\nb = 3\na / b", 2 / 3),
        ("2 + 3 * 4", 14),
        ("-2 ** 2", -4),
        ("a = 3; 2 ** a", 8),
        ("a = 3; (a - 5).relu() + relu(a)", 3),
        ("x = 1; exp(x) + x.exp() + log(x)", 2 * math.e),
        ("é = 2; é * é", 4),
        ("a = 2; a = a * 3; a", 6),
    ],
)
def test_evaluate_computes_a_formula(text: str, expected: float) -> None:
    assert evaluate(text)[0].data == pytest.approx(expected, rel=1e-15)


def test_evaluate_records_the_same_graph_as_python() -> None:
    value, names = evaluate("a = 2; b = -3; (2 * a - 1 / b) ** 2 + a / 4 - 5")
    a, b = Value(2.0), Value(-3.0)
    expected = (2 * a - 1 / b) ** 2 + a / 4 - 5
    assert list(names) == ["a", "b"]
    assert mermaid(value, names) == mermaid(expected, {"a": a, "b": b})


@pytest.mark.parametrize(
    ("text", "character", "reason"),
    [
        ("a = 2; a * b", 12, "b has no value"),
        ("é = 2; é + ü", 12, "ü has no value"),
        ("a = 2;\n  a *", 13, "the expression ends after '\\*'"),
        ("(1 a)", 2, r"cannot read '1 a\)': expected"),
        ("1 + log(-1)", 9, "log needs a number above 0, such as 2, got -1"),
        ("a = 2; 0 ** a", 8, "expected a positive base, got 0"),
        ("9 ** 9 ** 9", 1, "too large to compute"),
        ("1e999", 1, "too large to compute"),
        ("1 + squash(2)", 5, f"function {', '.join(FUNCTION_NAMES[:-1])} or"),
        ("a = 1; a.exp(1)", 8, "expected one number in the brackets of exp"),
        ("a = 2; 3; a", 8, "expected a name for all parts but the last"),
        ("a = 2; a += 1", 8, "expected an expression, such as"),
        ("__import__('os').system('ls')", 1, "expected the function .* got 'system'"),
        ("().__class__", 1, "expected a number, a name"),
        ("a = 1; a if a else a", 8, "expected a number, a name"),
        ("1 \0", 1, ""),
        ("\ud800", 1, "expected text"),
    ],
)
def test_expression_error_names_the_character_and_reason(
    text: str, character: int, reason: str
) -> None:
    message = rf"^character {character}: .*{reason}"
    with pytest.raises(ExpressionError, match=message) as raised:
        evaluate(text)
    assert raised.value.position == character - 1


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a = 2;  b = -3 ; (a + b) * a", {"2", "-3", "a + b", "(a + b) * a"}),
        ("é = 2; ü = é * é; exp(ü)", {"2", "é * é", "exp(ü)"}),
        ("2 * -3 + 4 ** 2", {"2", "-3", "4", "2 * -3", "4 ** 2", "2 * -3 + 4 ** 2"}),
        ("a = 2 * 3; a - 1", {"2 * 3", "a - 1"}),
    ],
)
def test_evaluate_with_spans_maps_each_value_to_its_text(
    text: str, parts: set[str]
) -> None:
    _, variables, spans = evaluate_with_spans(text)
    assert {text[start:end] for start, end in spans.values()} == parts
    for value, (start, end) in spans.items():
        names = {name: x.data for name, x in variables.items()}
        part = eval(text[start:end], {"exp": math.exp}, names)
        assert value.data == pytest.approx(part)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected an expression such as"),
        (";;\n", "expected an expression such as"),
        ("(" * 999, "too many nested|never closed"),
    ],
)
def test_evaluate_refuses_empty_or_deep_text(text: str, message: str) -> None:
    with pytest.raises(ExpressionError, match=message):
        evaluate(text)


@given(st.text(alphabet="ab12.+-*/() =;elogxpru\n", max_size=30))
def test_any_text_is_evaluated_or_raises_expression_error(text: str) -> None:
    try:
        value, _ = evaluate(text)
    except ExpressionError:
        return
    assert math.isfinite(value.data)


def test_mermaid_graph_lists_nodes_from_inputs_to_output() -> None:
    a, b = Value(2.0), Value(3.0)
    output = a * b + a
    output.backward()
    assert mermaid(output, {"a": a, "b": b, "loss": output}).splitlines() == [
        "flowchart TD",
        '    n0["a<br/>data 2<br/>grad 4"]',
        '    n1["b<br/>data 3<br/>grad 2"]',
        '    n2["multiply<br/>data 6<br/>grad 1"]',
        '    n3["loss<br/>add<br/>data 8<br/>grad 1"]',
        "    n0 -->|3| n2",
        "    n1 -->|2| n2",
        "    n2 -->|1| n3",
        "    n0 -->|1| n3",
        "    class n0,n1 input",
        "    class n3 result",
    ]


def test_graph_table_lists_nodes_with_data_and_gradients() -> None:
    a, b = Value(2.0), Value(-0.5)
    output = (a * b).relu()
    output.backward()
    assert format_table(output, {"a": a, "b": b}).splitlines() == [
        "node  name  operation  data  grad  from (local gradient)",
        "n0    a                2     0",
        "n1    b                -0.5  0",
        "n2          multiply   -1    0     n0 (-0.5), n1 (2)",
        "n3          relu       0     1     n2 (0)",
    ]


@pytest.mark.parametrize("name", ['a"b', "a\nb", "<b>", "a|b", "a`b"])
def test_mermaid_refuses_a_name_that_would_break_the_diagram(name: str) -> None:
    a = Value(1.0)
    with pytest.raises(ValueError, match="cannot show the name"):
        mermaid(a, {name: a})


def test_graph_of_more_than_200_nodes_is_refused() -> None:
    node = Value(1.0)
    for _ in range(199):
        node = node**1
    assert mermaid(node).count("data") == 200
    with pytest.raises(ValueError, match="200 nodes, got 201"):
        mermaid(node**1)
    with pytest.raises(ValueError, match="200 nodes, got 201"):
        format_table(node**1)
