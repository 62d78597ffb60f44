"""`weave check` reports false claims by line; `weave update` corrects only those."""

from pathlib import Path
from types import SimpleNamespace

import pytest
import pytest_codeblocks.plugin

from tests.marks import thorough
from tests.processes import CompletedProcess, run_python
from tests.weave.conftest import Project
from weave.check import check_pages
from weave.errors import WeaveErrors
from weave.fences.python_block import EXPECTED_OUTPUT_COMMENT
from weave.pytest_blocks import extract_from_file

CONTINUE_COMMENT = "\n<!--pytest-codeblocks:cont-->"


def format_block(code: str, printed: str = "") -> str:
    output = f"\n{EXPECTED_OUTPUT_COMMENT}\n```text\n{printed}```\n"
    return f"\n```python\n{code}\n```\n{output if printed else ''}"


def format_chain(first: str, second: str, printed: str = "") -> str:
    """Format two blocks, of which the second continues the first."""
    return f"{format_block(first)}{CONTINUE_COMMENT}{format_block(second, printed)}"


def run_weave(project: Project, *arguments: object, **env: str) -> CompletedProcess:
    return run_python("-m", "weave", *arguments, "--root", project.root, **env)


def get_check_errors(project: Project, text: str) -> list[str]:
    path = project.write("docs/two/first.md", text)
    try:
        check_pages(project.guide, [path]).raise_if_any_findings()
    except WeaveErrors as raised:
        return [str(error) for error in raised.errors]
    return []


MULTIPLY_CODE = """\
from microgpt import Value

a, b = Value(2.0), Value(3.0)
c = a * b
c.backward()
print(a.grad)"""
TRUE_PAGE = f"""\
# A page

Both have <data value="c.data">6</data>, and `Value` holds it.
{format_block(MULTIPLY_CODE, "3.0" + chr(10))}{CONTINUE_COMMENT}{format_block("print(b.grad)", "2.0" + chr(10))}
```source
microgpt.autograd:Value.backward
> self.grad = 1.0
```

<!--weave:graph c-->
```mermaid
```
"""


@thorough
def test_update_corrects_what_check_finds_and_nothing_else(project: Project) -> None:
    page = project.root / project.write("docs/two/first.md", TRUE_PAGE)
    assert run_weave(project, "update", page).returncode == 0  # which draws the graph
    assert run_weave(project, "check", page).stdout == "1 page checked: no errors.\n"
    true = false = page.read_text(encoding="utf-8")
    changes = {"\n3.0\n": "\n3.1\n", "\n2.0\n": "\n2\n", ">6<": ">7<", "data 6": "7"}
    for old, new in changes.items():
        assert old in true
        false = false.replace(old, new, 1)
    page.write_text(false, encoding="utf-8")
    result = run_weave(project, "check", page)
    assert result.returncode == 1
    assert result.stderr.endswith("\nFound 4 errors; update corrects 4.\n")
    assert run_weave(project, "update", page).returncode == 0
    assert page.read_text(encoding="utf-8") == true


def test_page_named_twice_is_corrected_once(project: Project) -> None:
    text = "# A page\n\n```session\n$ echo one\n```\n"
    page = project.root / project.write("docs/two/first.md", text)
    result = run_weave(project, "update", page, page)
    assert result.stdout.endswith("1 page checked: no errors.\n")
    assert page.read_text(encoding="utf-8") == text.replace("one\n", "one\none\n")


def test_update_skips_a_page_saved_meanwhile_but_no_other(project: Project) -> None:
    wrong = format_block("print(1)", "2\n")
    page, other = (
        project.root / project.write(f"docs/two/{name}.md", f"# A\n{wrong}")
        for name in ("first", "second")
    )
    save = f"with open({str(page)!r}, 'a') as page:\n    page.write('A')"
    text = f"# A\n{format_block(save)}{wrong}"
    page.write_text(text, encoding="utf-8")
    result = run_weave(project, "update", page, other)
    assert result.returncode == 1
    assert page.read_text("utf-8") == f"{text}A"
    assert "\n1\n" in other.read_text("utf-8")
    assert result.stdout == "updated docs/two/second.md\n"
    assert "first.md: was saved during the check, so it is not updated" in result.stderr


POLLUTING_CODE = """\
from microgpt import Value

Value.relu = None
open("left", "w").close()
"""
DETECTING_CODE = """\
import os
from microgpt import Value

print(Value.relu is None, os.listdir())
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (format_chain("x = 1", "1 / 0"), "line 9, in <module>"),
        (format_chain("n = 5 / 0", "print(n)", "5\n"), "line 4, in"),
        (format_block("import os\nos._exit(3)"), "3: Python stopped in this block"),
        (
            format_block("import os, time\nos.fork() or time.sleep(60)\nos._exit(3)"),
            "it ended with status 3",
        ),
        (format_block("x = 1") + format_block("print(x)"), "NameError"),
    ],
)
def test_failing_block_is_reported_without_follow_up_errors(
    project: Project, text: str, message: str
) -> None:
    number = 'It has <data value="n">5</data>.\n' if "n = 5" in text else ""
    (error,) = get_check_errors(project, f"# A\n{text}\n{number}")
    assert message in error


def test_pytest_codeblocks_reports_the_same_errors_as_check(project: Project) -> None:
    """In both, no chain of blocks sees the changes of another."""
    clean = format_block(POLLUTING_CODE) + format_block(DETECTING_CODE, "False []\n")
    text = f"# A\n{clean}{format_block('print(7)', '8' + chr(10))}"
    path = project.write("docs/two/first.md", text)
    messages: list[str] = []
    for chain in extract_from_file(project.root / path):
        item = SimpleNamespace(name="", obj=chain)
        try:
            pytest_codeblocks.plugin.TestBlock.runtest(item)
        except RuntimeError as raised:
            messages.append(str(raised))
    (seven,) = messages
    (error,) = get_check_errors(project, text)
    assert error in seven and "prints '7\\n', not '8\\n'" in error


@pytest.mark.parametrize(
    "code",
    [
        "import sys; print('said', file=sys.stderr)",
        "import logging; logging.warning('said')",
        "import os; os.write(1, b'said')",
        "import os; os.system('echo said')",
    ],
)
def test_block_that_writes_to_stderr_or_a_file_descriptor_is_refused(
    project: Project, code: str
) -> None:
    block = format_block(code.replace("; ", "\n"))
    (error,) = get_check_errors(project, f"# A\n{block}")
    assert error.startswith("docs/two/first.md:3: the block writes ")
    assert "said" in error
    assert "print it" in error


NUMPY_PAGE = f"""\
# A page

```python
rates = [1]
```

It is <data value="rates[0]">9</data>.

<!--pytest-codeblocks:importorskip(numpy)-->
```python
import numpy

total = int(numpy.add(2, 3))
print(total)
```

{EXPECTED_OUTPUT_COMMENT}
```text
9
```

It is <data value="total">9</data>.
"""


def test_block_is_skipped_without_its_library(project: Project, tmp_path: Path) -> None:
    page = project.root / project.page(NUMPY_PAGE).path
    errors = ["rates[0] is 1, not 9", "total is 5, not 9", "prints '5\\n', not '9\\n'"]

    def get_reports(file: str, library: str, text: str = NUMPY_PAGE) -> list[bool]:
        (tmp_path / file).write_text(library)
        page.write_text(text, encoding="utf-8")
        result = run_weave(project, "check", page, PYTHONPATH=str(tmp_path))
        skipped = "skipped 2 blocks and numbers that need NumPy"
        output = result.stdout + result.stderr
        return [error in output for error in (*errors, "ZeroDivisionError", skipped)]

    assert get_reports("other.py", "") == [True, True, True, False, False]
    assert get_reports("numpy.py", "1 / 0") == [True, False, False, True, False]
    absent = "import sys; sys.modules['numpy'] = None"
    assert get_reports("sitecustomize.py", absent) == [True] + [False] * 4
    true = NUMPY_PAGE.replace(">9<", ">1<", 1)
    assert get_reports("sitecustomize.py", absent, true) == [False] * 4 + [True]
