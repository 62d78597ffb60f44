"""A program becomes one file with what it uses; promises run each beside its program."""

import ast
from pathlib import Path

import pytest

from weave.publish.standalone import standalone

A = """\
import json
import math


class A:
    \"\"\"A number.

    And more about it.
    \"\"\"

    def __add__(self, other):
        return helper()

    def used(self):
        return math.cos(0)

    def idle(self):
        return json.dumps(lonely())


def helper():
    return 2


def lonely():
    return 3
"""
WITHOUT_THE_REST = """\
\"\"\"It adds.\"\"\"
from __future__ import annotations
import math

# ---------- microgpt/a.py
class A:
    \"\"\"A number.\"\"\"
    def __add__(self, other):
        return helper()

    def used(self):
        return math.cos(0)

def helper():
    return 2

# ---------- snippets/p.py
print(A().used(), A() + 1)
"""


@pytest.mark.parametrize(
    "text",
    [
        'class A(Exception):\n    """It is over."""\n',
        'class A(Exception):\n    """It is over.\n\n    At last.\n    """\n',
        'class A(Exception): """It is over."""\n',
        "class A(Exception):\n    '''It is over.\n\n    At last.\n    '''\n",
        "class A(Exception):\n    def idle(self):\n        return 1\n",
    ],
)
def test_a_program_may_end_in_a_class_of_which_nothing_is_used(
    tmp_path: Path, text: str
) -> None:
    for path in ("microgpt/a.py", "snippets/p.py"):
        (tmp_path / path).parent.mkdir()
        (tmp_path / path).write_text(text, encoding="utf-8")
    other = "from microgpt.a import A\n\nprint(A())\n"
    (tmp_path / "snippets" / "q.py").write_text(other, encoding="utf-8")
    for program in ("snippets.p", "snippets.q"):
        assert "class A(Exception):" in standalone(tmp_path, program)
        ast.parse(standalone(tmp_path, program))


def test_what_the_program_does_not_use_is_left_out(tmp_path: Path) -> None:
    program = (
        '"""It adds."""\n\nfrom microgpt.a import A\n\nprint(A().used(), A() + 1)\n'
    )
    (tmp_path / "microgpt").mkdir()
    (tmp_path / "microgpt" / "a.py").write_text(A, encoding="utf-8")
    (tmp_path / "snippets").mkdir()
    (tmp_path / "snippets" / "p.py").write_text(program, encoding="utf-8")
    assert standalone(tmp_path, "snippets.p") == WITHOUT_THE_REST
