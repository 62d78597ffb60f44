import pytest

from microgpt.autograd import Value
from microgpt.graph import mermaid, table


def test_a_graph_is_drawn_from_its_inputs_down_to_its_output() -> None:
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


def test_a_table_holds_the_same() -> None:
    a, b = Value(2.0), Value(-0.5)
    output = (a * b).relu()
    output.backward()
    assert table(output, {"a": a, "b": b}).splitlines() == [
        "node  name  operation  data  grad  from (local gradient)",
        "n0    a                2     0",
        "n1    b                -0.5  0",
        "n2          multiply   -1    0     n0 (-0.5), n1 (2)",
        "n3          relu       0     1     n2 (0)",
    ]


@pytest.mark.parametrize("name", ['a"b', "a\nb", "<b>", "a|b", "a`b"])
def test_a_name_that_would_break_the_diagram_is_refused(name: str) -> None:
    a = Value(1.0)
    with pytest.raises(ValueError, match="cannot show the name"):
        mermaid(a, {name: a})


def test_200_nodes_can_be_drawn_and_201_not() -> None:
    node = Value(1.0)
    for _ in range(199):
        node = node**1
    assert mermaid(node).count("data") == 200
    with pytest.raises(ValueError, match="201 nodes is too large"):
        mermaid(node**1)
    with pytest.raises(ValueError, match="201 nodes is too large"):
        table(node**1)
