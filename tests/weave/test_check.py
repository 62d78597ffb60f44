"""What is not true is found, by line; what can be mended, is, and nothing else changes."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import pytest_codeblocks.plugin

from tests.processes import ROOT, Ran, python
from tests.thorough import thorough
from tests.weave.conftest import Project
from weave.check import examine, examine_project
from weave.codeblocks import extract_from_file
from weave.errors import WeaveErrors

TRUE_PAGE = """\
# A page

Both have <data value="c.data">6</data>, and `Value` holds it.

```python
from microgpt import Value

a, b = Value(2.0), Value(3.0)
c = a * b
c.backward()
print(a.grad)
```

<!--pytest-codeblocks:expected-output-->
```text
3.0
```

<!--pytest-codeblocks:cont-->
```python
print(b.grad)
```

<!--pytest-codeblocks:expected-output-->
```text
2.0
```

```source
microgpt.autograd:Value.backward
> self.grad = 1.0
```

<!--weave:graph c-->
```mermaid
```

"""
EXPECTED = "<!--pytest-codeblocks:expected-output-->\n"


def weave(project: Project, *arguments: str, **environment: str) -> Ran:
    return python("-m", "weave", *arguments, "--root", project.root, **environment)


def errors(project: Project, text: str) -> list[str]:
    path = project.write("docs/two/first.md", text)
    try:
        examine(project.guide, [path]).raise_if_any()
    except WeaveErrors as raised:
        return [str(error) for error in raised.errors]
    return []


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, str]:
    """Return a project, and the text of its page, of which everything is true."""
    project = Project(tmp_path_factory.mktemp("true") / "project")
    path = project.write("docs/two/first.md", TRUE_PAGE)
    done = weave(project, "update", str(project.root / path))
    assert done.returncode == 0, done.stderr
    return project, (project.root / path).read_text(encoding="utf-8")


def test_a_true_page_has_no_errors(truth: tuple[Project, str]) -> None:
    assert errors(*truth) == []


@pytest.mark.parametrize(
    "path",
    ["docs/lie.html", "docs/two/lie.svg", "docs/data/a.json", "docs/downloads/a.py"],
)
def test_a_file_that_nothing_checks_is_found(project: Project, path: str) -> None:
    project.write(path, "7")
    found = map(str, examine_project(project.guide))
    assert f"{path}: nothing checks what this file says" in found


@thorough
def test_update_restores_what_check_finds_and_nothing_else(
    project: Project, truth: tuple[Project, str]
) -> None:
    true_page = false_page = truth[1]
    # Two outputs of a chain, a number, a node of a graph
    lies = (
        ("\n3.0\n", "\n3.1\n"),
        ("\n2.0\n", "\n2\n"),
        (">6<", ">7<"),
        ("data 6", "7"),
    )
    for old, new in lies:
        assert old in true_page
        false_page = false_page.replace(old, new, 1)
    page = project.root / project.write("docs/two/first.md", false_page)
    checked = weave(project, "check", str(page))
    assert checked.returncode == 1
    assert checked.stderr.count("\n") >= len(lies)
    assert weave(project, "update", str(page)).returncode == 0
    assert page.read_text(encoding="utf-8") == true_page
    assert weave(project, "check", str(page)).returncode == 0
    assert weave(project, "update", str(page)).stdout == "1 page checked: no errors.\n"


def test_what_is_saved_during_an_update_is_left_and_the_rest_is_updated(
    project: Project,
) -> None:
    block = "```python\nprint(1)\n```\n\n" + EXPECTED + "```text\n2\n```\n"
    other = project.root / project.write("docs/two/second.md", f"# B\n\n{block}")
    page = project.root / "docs/two/first.md"
    save = """\
```python
from pathlib import Path
import microgpt

root = Path(microgpt.__file__).parents[1]
with open(root / "docs/two/first.md", "a") as page:
    page.write("A new line.\\n")
```

"""
    text = f"# A\n\n{save}{block}"
    project.write("docs/two/first.md", text)
    done = weave(project, "update", str(page), str(other))
    assert done.returncode == 1
    assert page.read_text("utf-8") == f"{text}A new line.\n"
    assert "\n1\n" in other.read_text("utf-8")
    assert done.stdout == f"updated {other.relative_to(project.root)}\n"
    assert done.stderr == (
        "docs/two/first.md: it was saved while it was checked, and is left as it is: "
        "update it again\n"
    )


def test_a_block_that_raises_is_named_by_the_line_that_raised(project: Project) -> None:
    text = "# A\n\n```python\nx = 1\n1 / 0\n```\n\n<!--pytest-codeblocks:cont-->\n"
    found = errors(project, text + "```python\nprint(x)\n```\n")
    assert len(found) == 1
    assert "docs/two/first.md" in found[0]
    assert "line 5" in found[0]
    assert "ZeroDivisionError" in found[0]


def test_a_page_and_the_project_are_not_asked_for_at_once(project: Project) -> None:
    done = weave(project, "check", "--project", str(project.root / "docs/index.md"))
    assert done.returncode == 2
    assert "--project looks at no page" in done.stderr


def test_a_block_that_kills_python_is_an_error_of_its_page(project: Project) -> None:
    text = "# A\n\n```python\nimport os\nos._exit(3)\n```\n"
    assert "Python stopped in this block" in errors(project, text)[0]


def block(code: str, printed: str = "") -> str:
    output = f"\n<!--pytest-codeblocks:expected-output-->\n```text\n{printed}```\n"
    return f"\n```python\n{code}\n```\n{output if printed else ''}"


LEAVES = """
import logging, os, random, sys
from microgpt import Value
import snippets.step2

random.seed(1)
random.shuffle = random.Random.random = sys.modules["left"] = "left"
os.environ["LEFT"] = "left"
Value.relu = snippets.step2.forward = None
sys.path.append("left")
sys.setrecursionlimit(5000)
logging.disable()
open("left", "w").close()
"""
FINDS = """
import logging, os, random, sys
from microgpt import Value
from snippets.step2 import forward

first = random.random()
random.seed(1)
print(first == random.random(), random.shuffle == "left")
print("LEFT" in os.environ, "left" in {*sys.modules, *sys.path})
print(Value.relu is None, forward is None)
print(sys.getrecursionlimit() == 5000, random.Random.random == "left")
print(logging.getLogger().isEnabledFor(40), os.listdir())
"""
NOTHING = "False False\n" * 4 + "True []\n"


def test_what_follows_a_block_that_raises_is_left_as_it_is(project: Project) -> None:
    cont = "\n<!--pytest-codeblocks:cont-->"
    blocks = (
        block("n = 1") + cont + block("n = 5 / 0") + cont + block("print(n)", "5\n")
    )
    (found,) = errors(project, f'# A\n{blocks}\nIt has <data value="n">5</data>.\n')
    assert "ZeroDivisionError" in found


def test_chains_do_not_see_what_others_leave(project: Project) -> None:
    text = f"# A\n{block('x = 1')}{block('print(x)')}{block(LEAVES)}"
    (found,) = errors(project, text + block(FINDS, NOTHING))
    assert "NameError" in found


def test_pytest_gives_what_check_gives(project: Project) -> None:
    text = (
        f"# A\n{block(LEAVES)}{block(FINDS, NOTHING)}{block('print(7)', '8' + chr(10))}"
    )
    path = project.write("docs/two/first.md", text)
    said: list[str] = []
    for chain in extract_from_file(project.root / path):
        try:
            pytest_codeblocks.plugin.TestBlock.runtest(
                SimpleNamespace(name="", obj=chain)
            )
        except RuntimeError as raised:
            said.append(str(raised))
    (seven,) = said
    (found,) = errors(project, text)
    assert found in seven
    assert "prints '7\\n', not '8\\n'" in found


@pytest.mark.parametrize(
    "code",
    [
        "import sys; print('said', file=sys.stderr)",
        "import sys; sys.__stdout__.write('said')",
        "import logging; logging.warning('said')",
        "import warnings; warnings.warn('said')",
        "import os; os.write(1, b'said')",
        "import os; os.write(2, b'said')",
        "import os; os.system('echo said')",
        "import subprocess as s, sys; s.run([sys.executable, '-c', 'print(\"said\")'])",
    ],
)
def test_what_a_block_writes_where_no_page_shows_it_is_refused(
    project: Project, code: str
) -> None:
    (found,) = errors(
        project, f"# A\n\n```python\n{code.replace('; ', chr(10))}\n```\n"
    )
    assert found.startswith("docs/two/first.md:3: the block writes ")
    assert "said" in found
    assert "print it" in found


NEEDS_NUMPY = """\
# A page

It gives <data value="total">9</data>.

<!--pytest-codeblocks:importorskip(numpy)-->
```python
import numpy

total = int(numpy.add(2, 3))
print(total)
```

<!--pytest-codeblocks:expected-output-->
```text
9
```
"""


def test_a_block_that_needs_a_library_is_compared_where_that_is_installed(
    project: Project,
) -> None:
    pytest.importorskip("numpy")
    path = project.page(NEEDS_NUMPY).path
    said = {
        c.what.partition(";")[0] for c in examine(project.guide, [path]).corrections
    }
    assert said == {
        "total is 5, not 9",
        "the block of line 6 prints '5\\n', not '9\\n'",
    }


def without_numpy(project: Project, tmp_path: Path, text: str) -> Ran:
    path = project.page(text).path
    (tmp_path / "sitecustomize.py").write_text(
        "import sys; sys.modules['numpy'] = None"
    )
    return weave(project, "check", str(project.root / path), PYTHONPATH=str(tmp_path))


def test_block_and_its_numbers_are_skipped_without_the_library(
    project: Project, tmp_path: Path
) -> None:
    done = without_numpy(project, tmp_path, NEEDS_NUMPY)
    assert done.returncode == 0, done.stderr
    said = "not compared without NumPy: 2 blocks and numbers\n"
    assert said in done.stdout


def test_other_chains_are_compared_without_the_library(
    project: Project, tmp_path: Path
) -> None:
    numbers = 'Is it <data value="total">84</data>? <data value="numpy">84</data>?'
    text = NEEDS_NUMPY.replace(">9<", ">7<") + block("total = 7") + f"\n{numbers}\n"
    done = without_numpy(project, tmp_path, text)
    (wrong,) = done.stderr.splitlines()
    assert "total is 7, not 84" in wrong


def test_a_library_that_fails_to_import_is_an_error_of_its_block(
    project: Project, tmp_path: Path
) -> None:
    (tmp_path / "numpy.py").write_text("1 / 0")
    path = project.root / project.page(f"{NEEDS_NUMPY}{block('print(7)')}").path
    done = weave(project, "check", str(path), PYTHONPATH=str(tmp_path))
    assert "ZeroDivisionError" in done.stderr
    assert "the block prints '7" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_a_check_without_a_word(project: Project, tmp_path: Path) -> None:
    started = tmp_path / "started"
    code = f"import time\n\nopen({str(started)!r}, 'w').close()\ntime.sleep(60)"
    path = project.root / project.page(f"# A\n{block(code)}").path
    checking = subprocess.Popen(
        [sys.executable, "-m", "weave", "check", path, "--root", project.root],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    end = time.monotonic() + 60
    while not started.exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    os.killpg(checking.pid, signal.SIGINT)
    try:
        said, _ = checking.communicate(timeout=20)
    finally:
        checking.kill()
    assert (said, checking.returncode) == ("", 130)
