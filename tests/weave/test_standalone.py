"""A program and what it imports become one file that runs alone."""

from pathlib import Path

import pytest

from tests.processes import python
from weave.errors import WeaveError
from weave.publish.standalone import standalone


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def test_modules_come_before_those_that_need_them(tmp_path: Path) -> None:
    write(tmp_path, "microgpt/a.py", '"""A."""\n\nimport math\n\nONE = math.cos(0)\n')
    write(
        tmp_path,
        "microgpt/b.py",
        "import math\nfrom microgpt.a import ONE\n\ndef two():\n    return ONE + math.cos(0)\n",
    )
    write(
        tmp_path,
        "snippets/p.py",
        '"""The program."""\n\nfrom microgpt.b import two\nfrom microgpt.a import ONE\n\n'
        "print(ONE, two(), __doc__)\n",
    )
    text = standalone(tmp_path, "snippets.p")
    assert text.startswith('"""The program."""\n')
    assert text.count("import math") == 1
    assert "microgpt" not in "".join(
        line for line in text.splitlines() if not line.startswith("#")
    )
    file = tmp_path / "one.py"
    file.write_text(text, encoding="utf-8")
    run = python("-I", "-S", file)
    assert run.stdout == "1.0 2.0 The program.\n", run.stderr


def test_what_the_program_does_not_use_is_left_out(tmp_path: Path) -> None:
    write(
        tmp_path,
        "microgpt/a.py",
        "import json\nimport math\n\n\n"
        "class A:\n"
        '    """A number.\n\n    And more about it.\n    """\n\n'
        "    def __add__(self, other):\n        return helper()\n\n"
        "    def used(self):\n        return math.cos(0)\n\n"
        "    def idle(self):\n        return json.dumps(lonely())\n\n\n"
        "def helper():\n    return 2\n\n\n"
        "def lonely():\n    return 3\n",
    )
    write(
        tmp_path,
        "snippets/p.py",
        "from microgpt.a import A\n\nprint(A().used(), A() + 1)\n",
    )
    assert standalone(tmp_path, "snippets.p").splitlines() == [
        "from __future__ import annotations",
        "import math",
        "",
        "# ---------- microgpt/a.py",
        "class A:",
        '    """A number."""',
        "    def __add__(self, other):",
        "        return helper()",
        "",
        "    def used(self):",
        "        return math.cos(0)",
        "",
        "def helper():",
        "    return 2",
        "",
        "# ---------- snippets/p.py",
        "print(A().used(), A() + 1)",
    ]


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ("X = 1\n", "from microgpt.a import X\nX = 2\n", "both define 'X'"),
        ("X = 1\n", "from microgpt.a import X as y\n", "without 'as'"),
        ("X = 1\n", "import microgpt.a\n", "from module import name"),
        ("from microgpt.b import Y\n", "from microgpt.a import X\n", "in a circle"),
    ],
)
def test_what_one_file_cannot_hold_is_refused(
    tmp_path: Path, a: str, b: str, message: str
) -> None:
    write(tmp_path, "microgpt/a.py", a)
    write(tmp_path, "microgpt/b.py", b)
    with pytest.raises(WeaveError, match=message):
        standalone(tmp_path, "microgpt.b")
