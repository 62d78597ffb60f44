"""The Python side of live blocks, in the Python that runs the tests."""

import sys
from types import ModuleType
from typing import Any

import pytest

from runtime import runner


def run_blocks(*blocks: str) -> tuple[runner.RunResult, list[str]]:
    """Run blocks; return the result, and what each has printed."""
    printed = [""] * len(blocks)

    def send(block: int, text: str) -> None:
        printed[block] += text

    return runner.run_blocks(blocks, lambda block: None, send), printed


def test_run_announces_each_block_before_its_output() -> None:
    """What a block prints, also to stderr, arrives before the next block begins."""
    events: list[tuple[object, ...]] = []
    result = runner.run_blocks(
        ["import sys\nx = 2\nprint('first', file=sys.stderr)", "print(x + 1)"],
        lambda block: events.append(("begin", block)),
        lambda block, text: events.append(("print", block, text)),
    )
    nothing = {"block": None, "line": None}
    assert result == {"error": "", "traceback": "", "hint": "", **nothing}
    first = [("begin", 0), ("print", 0, "first\n")]
    assert events == [*first, ("begin", 1), ("print", 1, "3\n")]


@pytest.mark.parametrize(
    ("code", "then"),
    [
        ("kept = 1", "kept = 'kept' in globals()"),
        (
            "import random; random.seed(1)",
            "import random; kept = random.random() == 0.13436424411240122",
        ),
        ("from microgpt import Value; Value.log = 0", "kept = not microgpt.Value.log"),
        ("open('left', 'w').close()", "import os; kept = os.listdir()"),
        ("import sys; sys.settrace(print)", "import sys; kept = sys.gettrace()"),
        (
            "import math; math.pi = type('A', (), {'__eq__': lambda *_: 1 / 0})()",
            "import math; kept = not isinstance(math.pi, float)",
        ),
        ("import os; os.environ['L'] = '1'", "import os; kept = 'L' in os.environ"),
        ("import sys; sys.path.append('x')", "import sys; kept = 'x' in sys.path"),
    ],
)
def test_changes_made_by_one_run_do_not_affect_the_next(code: str, then: str) -> None:
    assert run_blocks(code)[0]["traceback"] == ""
    assert run_blocks(f"import microgpt\n{then}\nprint(bool(kept))")[1] == ["False\n"]


def test_traceback_names_block_and_line_without_runner_frames() -> None:
    define = "def f():\n    raise KeyError('k')"
    result, printed = run_blocks(define, "\nprint(1)\nf()", "2")
    assert (result["block"], result["line"], printed) == (1, 3, ["", "1\n", ""])
    traceback = result["traceback"]
    assert 'File "block 2 of 3", line 3, in <module>\n    f()' in traceback
    assert 'File "block 1 of 3", line 2, in f' in traceback
    assert "runner.py" not in traceback
    assert 'File "this block", line 1' in run_blocks("1 / 0")[0]["traceback"]


@pytest.mark.parametrize(
    ("code", "line", "message"),
    [
        ("a = 1\nb = = 2", 2, "SyntaxError: invalid syntax\n"),
        ("raise ValueError('one: 1\\ntwo: 2')", 1, "ValueError: one: 1\ntwo: 2\n"),
        ("from microgpt import Value\n\nValue(-1.0).log()", 3, "microgpt/autograd.py"),
        ("name = input('Name? ')", 1, "OSError: nobody can type here"),
        ("raise SystemExit(3)", 1, "SystemExit: 3"),
        ("raise KeyboardInterrupt", 1, "KeyboardInterrupt"),
    ],
)
def test_exception_is_reported_with_its_line_and_the_next_run_works(
    code: str, line: int, message: str
) -> None:
    result, _ = run_blocks(code)
    assert result["line"] == line
    assert result["error"] in result["traceback"]
    assert message in result["traceback"]
    assert "in run\n" not in result["traceback"]
    assert run_blocks("print(1)")[1] == ["1\n"]


def test_output_is_cut_after_100_000_characters_with_a_notice() -> None:
    result, (printed,) = run_blocks("for i in range(100_000):\n    print(i)")
    assert result["traceback"] == "" and printed.startswith("0\n1\n2\n")
    assert printed.endswith("nothing more is shown after 100,000 characters\n")
    assert len(printed) < 100_200
    assert len(run_blocks("print('9' * 99_999)")[1][0]) == 100_000


def test_runner_unlinks_value_graphs_before_they_are_freed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the browser, freeing a chain of 100,000 nodes at once ends Python."""
    monkeypatch.setitem(sys.modules, "store", ModuleType("store"))
    values: list[Any] = []
    vars(sys.modules["store"])["keep"] = values.append
    run_blocks(
        "from store import keep\nfrom microgpt import Value\nx = Value(1.0)\n"
        "for _ in range(50): x = x + 1\nkeep(x)"
    )
    assert values[0]._children == ()


def test_call_returns_the_result_or_refusal_of_a_widget_function() -> None:
    assert runner.call_widget("graph", {"expression": "a = 2; a * a"})["result"]
    answer = runner.call_widget("graph", {"expression": "a +"})
    assert answer.keys() == {"error"}
    assert "character" in answer["error"]["reason"]
    assert answer["error"]["position"] == 3


def test_block_that_patches_the_package_does_not_affect_widgets() -> None:
    expected = runner.call_widget("graph", {"expression": "a = 2; a * a"})
    run_blocks("from microgpt import Value\nValue.__mul__ = lambda a, b: Value(99.0)")
    assert runner.call_widget("graph", {"expression": "a = 2; a * a"}) == expected


def test_widget_modules_stay_loaded_after_a_block_runs() -> None:
    runner.call_widget("graph", {"expression": "a = 2; a * a"})
    model = sys.modules["widgets.graph.model"]
    run_blocks("import microgpt, sys\nassert 'widgets' not in sys.modules\n1 / 0")
    assert sys.modules["widgets.graph.model"] is model


def test_error_in_an_exercise_program_is_reported_with_its_line() -> None:
    program = "def softmax(logits):\n    return logits[99]\n"
    result = runner.run_blocks([program], id, lambda *_: None, "stable_softmax")
    assert (result["error"], result["line"]) == ("IndexError", 2)
    assert "return logits[99]" in result["traceback"]
    assert "check.py" not in result["traceback"]
