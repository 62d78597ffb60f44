"""A program and what it imports become one file that runs alone."""

import re
from pathlib import Path

from tests.processes import python
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


def one_file(root: Path, program: str, **modules: str) -> str:
    files = {f"microgpt/{name}.py": text for name, text in modules.items()}
    for path, text in {**files, "snippets/p.py": program}.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return standalone(root, "snippets.p")


def test_modules_come_before_those_that_need_them(tmp_path: Path) -> None:
    two = "from microgpt.a import ONE\n\ndef two():\n    return ONE + math.cos(0)\n"
    imports = "from microgpt.b import two\nfrom microgpt.a import ONE\n"
    text = one_file(
        tmp_path,
        f'"""The program."""\n\n{imports}\nprint(ONE, two(), __doc__)\n',
        a='"""A."""\n\nimport math\n\nONE = math.cos(0)\n',
        b=f"import math\n{two}",
    )
    assert text.startswith('"""The program."""\n')
    assert text.count("import math") == 1
    assert not re.search(r"^[^#\n].*microgpt", text, re.MULTILINE)
    file = tmp_path / "one.py"
    file.write_text(text, encoding="utf-8")
    run = python("-I", "-S", file)
    assert run.stdout == "1.0 2.0 The program.\n", run.stderr


def test_what_the_program_does_not_use_is_left_out(tmp_path: Path) -> None:
    program = "from microgpt.a import A\n\nprint(A().used(), A() + 1)\n"
    assert one_file(tmp_path, program, a=A) == WITHOUT_THE_REST
