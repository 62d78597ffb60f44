"""A program becomes one file with what it uses; promises run each beside its program."""

from pathlib import Path

from weave.publish.standalone import standalone

A = """\
import json
import math


# What it is
class A:
    \"\"\"A number.\"\"\"

    def used(self):
        return math.cos(0) + helper()


def helper():
    return 2


def lonely():
    return json.dumps(3)
"""
WITHOUT_THE_REST = """\
\"\"\"It adds.\"\"\"
from __future__ import annotations
import math

# ---------- microgpt/a.py
# What it is
class A:
    \"\"\"A number.\"\"\"

    def used(self):
        return math.cos(0) + helper()

def helper():
    return 2

# ---------- snippets/p.py
print(A().used())
"""


def test_what_the_program_does_not_use_is_left_out(tmp_path: Path) -> None:
    program = '"""It adds."""\n\nfrom microgpt.a import A\n\nprint(A().used())\n'
    (tmp_path / "microgpt").mkdir()
    (tmp_path / "microgpt" / "a.py").write_text(A, encoding="utf-8")
    (tmp_path / "snippets").mkdir()
    (tmp_path / "snippets" / "p.py").write_text(program, encoding="utf-8")
    assert standalone(tmp_path, "snippets.p") == WITHOUT_THE_REST
