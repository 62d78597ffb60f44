"""Lies, planted one at a time: each must turn the checks red.

First every claim of every page is altered in memory, by the hundred. Then lies of each
kind are planted in a copy of the project, and the commands that CI runs must refuse it.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from tests.promises.site import ROOT, Site, can_run
from tests.site.browsing import WRITTEN
from tests.thorough import one_of_each, thorough
from tests.writing import write_anew
from weave.check import findings
from weave.draw import node as drawing_node
from weave.errors import WeaveError
from weave.guide import Guide
from weave.page import Page, read_page
from weave.prose.numbers import numbers
from weave.run import Results

PAGES = [f"docs/{page.as_posix()}" for page in WRITTEN]


def altered(text: str) -> str:
    """Change the last digit of a text, or else its last letter."""
    for pattern in (r"\d", r"\w", r"\S"):
        if found := list(re.finditer(pattern, text)):
            at = found[-1].start()
            other = "7" if text[at] != "7" else "8"
            return text[:at] + (other if pattern == r"\d" else "§") + text[at + 1 :]
    return text + "?"


def lies_about(page: Page) -> Iterator[tuple[str, str]]:
    """Yield, for each claim of a page, what it is and the page's text with it altered."""
    for number in numbers(page):
        lines = list(page.lines)
        line = lines[number.line - 1]
        lie = line[: number.start] + altered(number.text) + line[number.end :]
        lines[number.line - 1] = lie
        yield f"line {number.line}, number {number.text}", "\n".join(lines)
    for fence in page.fences:
        claims = ("expected-output", "graph", "imports")
        if any(fence.directive(name) for name in claims) or fence.language in (
            "derivative",
            "session",
            "source",
        ):
            for offset, body_line in enumerate(fence.body):
                if body_line.strip() and not body_line.strip().startswith("class "):
                    lines = list(page.lines)
                    lines[fence.line + offset] = altered(body_line)
                    where = f"line {fence.line + offset + 1}, {body_line.strip()!r}"
                    yield where, "\n".join(lines)


def is_caught(guide: Guide, path: Path, text: str, results: Results) -> bool:
    try:
        page = read_page(path, text)
        found = [*findings(guide, page, results)]
    except WeaveError:
        return True
    return bool(found)


@pytest.mark.parametrize("path", PAGES)
def test_every_claim_of_a_page_is_checked(
    path: str, guide: Guide, results_of: Callable[[Page], Results]
) -> None:
    page = guide.read(Path(path))
    if not can_run(page):
        pytest.skip("its blocks need a library that is not installed")
    results = results_of(page)
    assert not is_caught(guide, page.path, "\n".join(page.lines), results)
    missed = [
        where
        for where, text in lies_about(page)
        if not is_caught(guide, page.path, text, results)
    ]
    assert not missed


def test_the_pages_hold_hundreds_of_claims(guide: Guide) -> None:
    lies = [lie for page in guide.pages.values() for lie in lies_about(page)]
    assert len(lies) > 700


@dataclass
class Lie:
    """A change to one file that makes the guide false, and what must refuse it."""

    name: str
    path: str
    old: str
    new: str
    refused_by: tuple[str, ...]
    because: str
    needs: str = ""  # a library that not every machine has
    everywhere: bool = False  # whether all pages must be built to see it


def weave(page: str = "") -> tuple[str, ...]:
    return ("-m", "weave", "check", *([page] if page else []))


PROJECT = ("-m", "weave", "check", "--project")
# Plugins of pytest that take a second to load
NOT_NEEDED = ("cacheprovider", "xdist", "hypothesispytest")


def pytests(*names: str) -> tuple[str, ...]:
    absent = (part for name in NOT_NEEDED for part in ("-p", f"no:{name}"))
    return (
        "-m",
        "pytest",
        "-x",
        "-q",
        "-o",
        "addopts=--codeblocks -m 'not nightly'",
        *absent,
        *names,
    )


BUILD = ("-m", "mkdocs", "build", "--strict")
SOME_PAGES = (*BUILD, "-f", "partial.yml")
VALUE = "docs/autograd/value.md"
RECORDING = "docs/autograd/recording.md"
BACKWARD = "docs/autograd/backward.md"
AUTOGRAD = "microgpt/autograd.py"
P = "tests/promises/"
PACKAGE = "tests/package/"
ENGINES = PACKAGE + "engines/"

LIES = [
    # The reference of the package's names, and of its commands
    Lie(
        "a public name without a docstring",
        AUTOGRAD,
        '        """Return the natural logarithm; `data` must be positive."""\n',
        "",
        PROJECT,
        "microgpt.autograd.Value.log is public and has no docstring",
    ),
    Lie(
        "a module that the reference leaves out",
        "docs/reference/modules.md",
        "microgpt.optim\n",
        "",
        PROJECT,
        "no api fence shows the module microgpt.optim",
    ),
    Lie(
        "a promise that no number stands beside",
        "docs/reference/promises.md",
        "<data value=\"count('graphs')\">…</data> graphs",
        "graphs",
        pytests(f"{P}test_promises.py::test_no_promise_stands_without_its_number"),
        "Every diagram of a graph",
    ),
    Lie(
        "an import that the picture of the package does not show",
        "microgpt/optim.py",
        "from collections.abc import Sequence\n",
        "from collections.abc import Sequence\n\nimport microgpt.sampling\n",
        weave("docs/reference/architecture.md"),
        "the graph of microgpt differs: it has",
    ),
    Lie(
        "an option that does not say what it means",
        "microgpt/cli/parser.py",
        'help="how many"',
        "help=None",
        PROJECT,
        "sample --count N does not say what it means",
    ),
    Lie(
        "a session that goes otherwise",
        "docs/reference/command-line.md",
        "$ echo $?\n1",
        "$ echo $?\n0",
        weave("docs/reference/command-line.md"),
        "the session goes otherwise: 1",
    ),
    Lie(
        "an entry for a name that is not there",
        "docs/reference/api.md",
        "microgpt.optim:SGD",
        "microgpt.optim:SGDs",
        weave("docs/reference/api.md"),
        "no public 'microgpt.optim:SGDs'",
    ),
    Lie(
        "a policy that lets texts become scripts",
        "weave/publish/policy.py",
        "'wasm-unsafe-eval'",
        "'unsafe-eval'",
        pytests(f"{P}test_13_no_script_but_our_own.py", "-k", "policy_names"),
        "unsafe-eval",
    ),
    Lie(
        "a term that is defined twice",
        "docs/reference/glossary.md",
        "\ntokenizer\n",
        "\ntoken\n",
        PROJECT,
        "'token' is defined in line",
    ),
    Lie(
        "a term whose home does not speak of it",
        "docs/reference/glossary.md",
        "(../adam/momentum.md)",
        "(../counting/counts.md)",
        PROJECT,
        "said to explain 'momentum', does not use it",
    ),
    Lie(
        "a change between two programs that no page goes through",
        "docs/reference/changes/step0-step1.md",
        "snippets.step0:count_pairs ->",
        "snippets.step0:zero_counts ->",
        PROJECT,
        "no page goes through all that changes",
    ),
    # Home: the ladder and the map
    Lie(
        "a program that has no rung",
        "docs/index.md",
        "snippets/step4.py: ",
        "snippets/step3.py: ",
        weave("docs/index.md"),
        "no rung has snippets/step4.py",
    ),
    Lie(
        "a map whose lines lead to what explains others",
        "weave/kinds/minimap.py",
        'y="{span.first - 1}"',
        'y="{span.first}"',
        pytests("tests/weave/test_minimap.py"),
        "test_every_line_leads_home",
    ),
    # Exercises: what passes, what does not, and what a reader is then told.
    Lie(
        "a solution that does not pass",
        "snippets/exercises/tanh/solution.py",
        "1 - t * t",
        "1 - t",
        PROJECT,
        "does not pass the check",
    ),
    Lie(
        "a starting point that needs nothing",
        "snippets/exercises/assigned_gradient/attempts.diff",
        "+            child.grad = local",
        "+            child.grad += local",
        PROJECT,
        "passes the check",
    ),
    Lie(
        "a hint that its mistake does not get",
        "snippets/exercises/tanh/attempts.diff",
        "At 0.5 the slope",
        "At 0.5 the value",
        PROJECT,
        "not the hint that stands here",
    ),
    Lie(
        "a check that lets a mistake pass",
        "snippets/exercises/tanh/check.py",
        "if not math.isclose(x.grad, slope, abs_tol=1e-9)",
        "if not math.isclose(x.grad, slope, abs_tol=1e9)",
        PROJECT,
        "passes the check",
    ),
    # What stands on a page.
    Lie("an output", BACKWARD, "```text\n", "```text\n0", weave(BACKWARD), "prints"),
    Lie(
        "an output, seen by pytest",
        BACKWARD,
        "```text\n",
        "```text\n0",
        pytests(BACKWARD),
        "but got",
    ),
    Lie(
        "a block that no longer prints it",
        VALUE,
        "Value(3.0)",
        "Value(4.0)",
        weave(VALUE),
        "prints",
    ),
    Lie(
        "a titled fence",
        VALUE,
        "```python\n",
        '```python title="x"\n',
        weave(VALUE),
        "fence",
    ),
    Lie(
        "a spaced fence", VALUE, "```python\n", "``` python\n", pytests(VALUE), "fence"
    ),
    Lie(
        "a fence in braces", VALUE, "```python\n", "```{.python}\n", SOME_PAGES, "fence"
    ),
    Lie("a fence named py", VALUE, "```python\n", "```py\n", weave(VALUE), "fence"),
    Lie(
        "a fence of tildes", VALUE, "```python\n", "~~~python\n", weave(VALUE), "fence"
    ),
    Lie("a quoted fence", VALUE, "```python\n", "> ```python\n", weave(VALUE), "fence"),
    Lie(
        "an indented fence", VALUE, "```python\n", "  ```python\n", SOME_PAGES, "fence"
    ),
    Lie(
        "a block that is skipped in silence",
        VALUE,
        "```python\n",
        "<!--pytest.mark.skip-->\n```python\n",
        weave(VALUE),
        "unknown directive",
    ),
    Lie(
        "a continued block that stands alone",
        RECORDING,
        "<!--pytest-codeblocks:cont-->\n",
        "",
        weave(RECORDING),
        "NameError",
    ),
    Lie(
        "a misspelt directive",
        RECORDING,
        "<!--pytest-codeblocks:cont-->",
        "<!--pytest-codeblock:cont-->",
        weave(RECORDING),
        "unknown directive",
    ),
    Lie(
        "a bare number",
        VALUE,
        "\n\n```",
        "\n\nIt takes 17.\n\n```",
        weave(VALUE),
        "'17'",
    ),
    Lie(
        "a number as a word",
        VALUE,
        "\n\n```",
        "\n\nTwelve.\n\n```",
        weave(VALUE),
        "Twelve",
    ),
    Lie(
        "a number that names nothing",
        VALUE,
        "\n\n```",
        '\n\n<data value="40 + 2">42</data>\n\n```',
        weave(VALUE),
        "computes nothing",
    ),
    Lie(
        "a formula with a derivative that nothing checks",
        VALUE,
        "\n\n```",
        "\n\n$$\n\\frac{\\partial c}{\\partial a} = a\n$$\n\n```",
        weave(VALUE),
        "derivative fence",
    ),
    Lie(
        "a diagram that nothing draws",
        VALUE,
        "\n\n```",
        "\n\n```mermaid\nflowchart TD\n    a --> b\n```\n\n```",
        weave(VALUE),
        "what keeps it true",
    ),
    Lie(
        "text that nothing keeps true",
        VALUE,
        "\n\n```",
        "\n\n```text\n3.14\n```\n\n```",
        weave(VALUE),
        "what keeps it true",
    ),
    Lie(
        "a name that no code has",
        VALUE,
        "\n\n```",
        "\n\nCall `Value.foresee()`.\n\n```",
        weave(VALUE),
        "'foresee'",
    ),
    Lie(
        "a number in the docstring of a block",
        "docs/attention/cache.md",
        '"""Train on tosses',
        '"""Train on 50 tosses',
        weave("docs/attention/cache.md"),
        "'50' is a number that the program does not have",
    ),
    Lie(
        "a percentage that is called otherwise",
        "docs/adam/momentum.md",
        " percent",
        " permille",
        weave("docs/adam/momentum.md"),
        "% or percent follows",
    ),
    Lie(
        "a button in bold that no picture has",
        "docs/adam/training.md",
        "Press **Train**",
        "Press **Teach**",
        weave("docs/adam/training.md"),
        "no picture of this page has 'Teach' to press",
    ),
    Lie(
        "a loss in another unit",
        "docs/autograd/same-results.md",
        "y: mean loss (nats)",
        "y: mean loss (bits)",
        weave("docs/autograd/same-results.md"),
        "losses are in (nats)",
    ),
    Lie(
        "a name before dots that no code has",
        "docs/transformer/forward-pass.md",
        "| `position_embedding = …` |",
        "| `poistion_embedding = …` |",
        weave("docs/transformer/forward-pass.md"),
        "'poistion_embedding' stands in a code span",
    ),
    Lie(
        "a module that has another part",
        "docs/efficiency/lists.md",
        "That is what `microgpt.engines` does",
        "That is what `microgpt.optim.backward` does",
        weave("docs/efficiency/lists.md"),
        "'microgpt.optim.backward' stands in a code span",
    ),
    Lie(
        "a number of the code that is waived",
        VALUE,
        "\n\n```",
        '\n\n<span data-waive="SAMPLES in microgpt/cli/train.py">30</span>\n\n```',
        weave(VALUE),
        "(what code has can be computed)",
    ),
    Lie(
        "a link to nothing",
        VALUE,
        "(recording.md)",
        "(record.md)",
        SOME_PAGES,
        "record.md",
    ),
    Lie(
        "an anchor of nothing",
        VALUE,
        "(recording.md)",
        "(recording.md#nowhere)",
        SOME_PAGES,
        "nowhere",
    ),
    Lie(
        "a page that is in no menu",
        "mkdocs.yml",
        "      - How deep: autograd/depth.md\n",
        "",
        SOME_PAGES,
        "depth.md",
    ),
    Lie(
        "an output typed as HTML",
        VALUE,
        "\n\n```",
        '\n\n<pre class="output">Value(data=7)</pre>\n\n```',
        weave(VALUE),
        "nothing checks",
    ),
    Lie(
        "a number in a footnote",
        VALUE,
        "\n\n```",
        "[^1]\n\n[^1]: It takes 17.\n\n```",
        weave(VALUE),
        "'17'",
    ),
    Lie(
        "a number of Python's own",
        VALUE,
        "\n\n```",
        "\n\n<data value=\"len('abc')\">3</data>\n\n```",
        weave(VALUE),
        "computes nothing",
    ),
    Lie(
        "a graph of a text",
        RECORDING,
        'weave:graph mermaid(d, {"a": a, "b": b, "c": c, "d": d})',
        "weave:graph str(d)",
        weave(RECORDING),
        "is a text",
    ),
    Lie(
        "a source page under another's name",
        "docs/reference/source/nn.md",
        "# `microgpt/nn.py`",
        "# `microgpt/optim.py`",
        PROJECT,
        "is called",
    ),
    # The data behind a picture, the recorded run, the download, the list of lines.
    Lie(
        "a point of a picture",
        "docs/data/two-losses.json",
        "3.",
        "4.",
        weave("docs/autograd/same-results.md"),
        "is not what",
    ),
    Lie(
        "a point of a recorded run",
        "docs/data/step2.json",
        "3.",
        "4.",
        pytests("tests/snippets/test_ladder.py"),
        "recorded",
    ),
    Lie(
        "a line of a download",
        "docs/downloads/step2.py",
        "self.data, self.grad = data, 0.0",
        "self.data, self.grad = data, 1.0",
        PROJECT,
        "step2.py gives",
    ),
    Lie(
        "a line that no page explains",
        AUTOGRAD,
        "import math\n",
        "import cmath\nimport math\n",
        PROJECT,
        "wait for an explanation",
    ),
    Lie(
        "a higher count of waiting lines",
        "pyproject.toml",
        "waiting = ",
        "waiting = 9",
        pytests(
            f"{P}test_05_every_line_is_explained.py::test_no_more_lines_wait_than_are_written_down"
        ),
        "FAILED",
    ),
    Lie(
        "a file without a source page",
        "docs/reference/source/nn.md",
        "microgpt/nn.py\n```",
        "microgpt/optim.py\n```",
        PROJECT,
        "no source page",
    ),
    # The package: what it computes, and what pages say of it.
    Lie(
        "a renamed method",
        AUTOGRAD,
        "def relu",
        "def rectify",
        weave("docs/autograd/more-operations.md"),
        "relu",
    ),
    Lie(
        "a renamed attribute",
        AUTOGRAD,
        '"_local_grads"',
        '"_slopes"',
        weave(VALUE),
        "AttributeError",
    ),
    Lie("`=` for `+=`", AUTOGRAD, "grad += ", "grad = ", weave(BACKWARD), "prints"),
    Lie(
        "the operands not swapped",
        AUTOGRAD,
        '(b, a), "multiply"',
        '(a, b), "multiply"',
        weave(RECORDING),
        "backward() gives",
    ),
    Lie(
        "another slope at 0",
        AUTOGRAD,
        "self.data > 0",
        "self.data >= 0",
        weave("docs/autograd/more-operations.md"),
        "backward() gives",
    ),
    Lie(
        "a wrong derivative of log",
        AUTOGRAD,
        "1 / self.data,",
        "2 / self.data,",
        pytests(PACKAGE + "test_autograd.py"),
        "failed",
    ),
    Lie(
        "a gradient that starts at 2",
        AUTOGRAD,
        "self.grad = 1.0",
        "self.grad = 2.0",
        weave(BACKWARD),
        "prints",
    ),
    Lie(
        "a recursive search",
        AUTOGRAD,
        "    order: list[Value] = []\n",
        "    order: list[Value] = []\n    [topological_order(c) for c in output._children]\n",
        weave("docs/autograd/depth.md"),
        "RecursionError",
    ),
    Lie(
        "attention without its scale",
        "microgpt/attention.py",
        "** -0.5",
        "** -0.4",
        pytests(PACKAGE + "test_model.py"),
        "failed",
    ),
    Lie(
        "a normalisation that is off",
        "microgpt/nn.py",
        "(mean_square + 1e-5)",
        "(mean_square + 1e-2)",
        pytests(PACKAGE + "test_nn.py"),
        "failed",
    ),
    Lie(
        "Adam without bias correction",
        "microgpt/optim.py",
        "1 - self.beta1**self.steps",
        "1",
        pytests(PACKAGE + "test_optim.py"),
        "failed",
    ),
    Lie(
        "a derivative of softmax without its mean",
        "microgpt/engines/tape.py",
        "scale * share * (slope - mean)",
        "scale * share * slope",
        pytests(PACKAGE + "engines", "-k", "loss_and_gradient"),
        "failed",
    ),
    Lie(
        "a matrix that looks ahead",
        "microgpt/engines/tape.py",
        "row[: t + 1]",
        "row[: t + 2]",
        pytests(PACKAGE + "engines", "-k", "loss_and_gradient"),
        "failed",
    ),
    Lie(
        "a dot product taken apart that forgets its first product",
        "microgpt/engines/value.py",
        "total = a[0] * b[0]",
        "total = Value(0.0)",
        pytests(ENGINES + "test_value.py"),
        "failed",
    ),
    Lie(
        "a batch whose gradients are added up",
        "microgpt/engines/dot.py",
        "parameter.grad /= count",
        "parameter.grad /= 1",
        pytests(ENGINES + "test_engines.py", "-k", "a_batch_of_equal_documents"),
        "failed",
    ),
    Lie(
        "first weights that are not those of the model",
        "microgpt/engines/protocol.py",
        "rng.gauss(0, 0.08)",
        "rng.gauss(0, 0.09)",
        pytests(ENGINES + "test_engines.py", "-k", "first_weights"),
        "failed",
    ),
    Lie(
        "arrays whose norm goes back without the mean",
        "microgpt/engines/arrays.py",
        "(dy - y * along) / size",
        "dy / size",
        pytests(ENGINES + "test_numpy.py"),
        "failed",
    ),
    Lie(
        "arrays that look ahead",
        "microgpt/engines/arrays.py",
        "queries @ keys.mT * scale + mask",
        "queries @ keys.mT * scale",
        pytests(ENGINES + "test_numpy.py"),
        "failed",
    ),
    Lie(
        "padding that counts",
        "microgpt/engines/numpy.py",
        "[0.0] * gap",
        "[share / count] * gap",
        pytests(ENGINES + "test_numpy.py"),
        "failed",
    ),
    Lie(
        "Adam over arrays, without bias correction",
        "microgpt/engines/numpy.py",
        "1 - self.beta2**self.steps",
        "1",
        pytests(ENGINES + "test_numpy.py"),
        "failed",
    ),
    Lie(
        "modules that look ahead",
        "microgpt/engines/modules.py",
        "is_causal=True",
        "is_causal=False",
        pytests(ENGINES + "test_torch.py"),
        "failed",
        needs="torch",
    ),
    Lie(
        "processes that all learn from the same documents",
        "microgpt/engines/processes.py",
        "begin = worker.rank * size",
        "begin = 0 * size",
        pytests(ENGINES + "test_processes.py", "-k", "deal"),
        "failed",
        needs="torch",
    ),
    Lie(
        "an output that only NumPy can give",
        "docs/efficiency/numpy.md",
        "[19.  4.]",
        "[19.  5.]",
        weave("docs/efficiency/numpy.md"),
        "[19.  4.]",
    ),
    Lie(
        "an output that only PyTorch can give",
        "docs/efficiency/torch.md",
        "8.0 4.0 2.0\n8.0 4.0 2.0",
        "8.0 4.0 2.0\n8.0 4.0 3.0",
        weave("docs/efficiency/torch.md"),
        "8.0 4.0 2.0",
        needs="torch",
    ),
    Lie(
        "fewer nodes than there are",
        "docs/efficiency/one-node.md",
        "6371 nodes, 38912 edges",
        "6371 nodes, 38012 edges",
        weave("docs/efficiency/one-node.md"),
        "38912",
    ),
    Lie(
        "a loss on held-out names that was not measured",
        "docs/data/held-out.json",
        "2.57612",
        "2.17612",
        pytests("tests/snippets/test_held_out.py", "-k", "page_states"),
        "failed",
    ),
    Lie(
        "what a part is worth, in a model that nobody trained",
        "docs/data/parts.json",
        "2.49488",
        "2.48488",
        pytests("tests/snippets/test_records.py"),
        "failed",
    ),
    Lie(
        "a loss of the original that it never printed",
        "docs/data/original.json",
        "2.6483",
        "2.6438",
        pytests("tests/snippets/test_original.py", "-k", "agrees"),
        "failed",
    ),
    Lie(
        "data that no test compares",
        "pyproject.toml",
        '"held-out.json" = "tests/snippets/test_held_out.py"',
        '"held-out.json" = "tests/snippets/test_programs.py"',
        PROJECT,
        "does not name it",
    ),
    Lie(
        "one file that is not the package",
        "docs/downloads/microgpt.py",
        "-> Vector:",
        "-> list:",
        PROJECT,
        "is not what step6.py gives today",
    ),
    Lie(
        "a trained model that nobody trained",
        "microgpt/cli/trained.json",
        "0.1164023",
        "0.1264023",
        pytests("tests/package/engines", "-k", "1000_steps"),
        "failed",
    ),
    Lie(
        "a tokenizer without an end",
        "microgpt/tokenizer.py",
        "[self.bos, *self.encode(text), self.bos]",
        "[self.bos, *self.encode(text)]",
        pytests(PACKAGE + "test_tokenizer.py"),
        "failed",
    ),
    Lie(
        "step 2 at another learning rate",
        "snippets/step2.py",
        "linear_decay(1.0,",
        "linear_decay(0.9,",
        pytests(P + "test_08_the_ladder_holds.py"),
        "failed",
    ),
    # The tool and the settings: what turns true pages into false ones.
    Lie(
        "captions one line off",
        "weave/source.py",
        "{self.first}–{self.last}",
        "{self.first + 1}–{self.last}",
        pytests(
            f"{P}test_04_every_listing.py::test_a_listing_shows_the_lines_that_its_caption_names"
        ),
        "FAILED",
    ),
    Lie(
        "line numbers one off",
        "weave/kinds/listing.py",
        'linenums="{span.first}"',
        'linenums="{span.first + 1}"',
        pytests(
            f"{P}test_04_every_listing.py::test_a_listing_shows_the_lines_that_its_caption_names"
        ),
        "FAILED",
    ),
    Lie(
        "a search that leads away from where lines are explained",
        "weave/kinds/listing.py",
        "if home is not self:",
        "if home is self:",
        pytests("tests/weave/test_anchors.py"),
        "failed",
    ),
    Lie(
        "a copy button that leaves out what the block needs",
        "weave/kinds/block.py",
        "for block in self.program())",
        "for block in [self])",
        pytests(
            f"{P}test_01_nothing_is_skipped.py::test_what_a_copy_button_copies_runs_and_prints_what_the_page_shows"
        ),
        "FAILED",
    ),
    Lie(
        "differences counted wrongly",
        "weave/kinds/changes.py",
        "to {places[1]}: {_many(gone)}",
        "to {places[1]}: {_many(gone + 1)}",
        pytests(
            f"{P}test_04_every_listing.py::test_a_difference_is_that_of_the_lines_its_caption_names"
        ),
        "FAILED",
    ),
    Lie(
        "a table of lines that is off",
        "weave/kinds/source_page.py",
        "cells = (name, found.lines,",
        "cells = (name, found.lines + 1,",
        pytests(
            f"{P}test_05_every_line_is_explained.py::test_the_table_counts_the_lines_of_each_file"
        ),
        "FAILED",
    ),
    Lie(
        "outputs that the site shows otherwise",
        "weave/kinds/block.py",
        "escape(self.output.fence.text)",
        "escape(self.output.fence.text.replace('1', '2'))",
        pytests(
            f"{P}test_02_every_output.py::test_outputs_of_the_built_site_are_what_the_blocks_print"
        ),
        "FAILED",
    ),
    Lie(
        "a check that compares nothing",
        "weave/kinds/block.py",
        "elif self.output.fence.text != printed:",
        "elif False:",
        pytests("tests/weave/test_check.py"),
        "failed",
    ),
    Lie(
        "drawings with other numbers",
        "web/dist/draw.mjs",
        "</tspan>",
        "0</tspan>",
        pytests(
            f"{P}test_06_every_diagram.py::test_a_drawing_shows_each_node_and_edge_of_its_source"
        ),
        "FAILED",
    ),
    Lie(
        "a font from another host",
        "docs/styles/tokens.css",
        ":root",
        "@import 'https://fonts.example.org/a.css';\n:root",
        pytests(
            f"{P}test_10_no_request_leaves_the_site.py::test_no_style_fetches_from_elsewhere"
        ),
        "FAILED",
    ),
    Lie(
        "a script from another host",
        "web/theme/main.html",
        "{% block extrahead %}",
        '{% block extrahead %}<script src="https://cdn.example.org/a.js"></script>',
        pytests(
            f"{P}test_10_no_request_leaves_the_site.py::test_no_element_fetches_from_elsewhere"
        ),
        "FAILED",
    ),
    # Who cannot see the page as it is drawn.
    Lie(
        "colours that a reader has replaced",
        "docs/styles/tokens.css",
        "--paper: Canvas",
        "--paper: light-dark(#fbfaf6, #16191d)",
        pytests("tests/site/test_accessibility.py", "-k", "forces_on_all"),
        "colours of the page's own",
    ),
    # What runs in the reader's browser.
    Lie(
        "output that changes on its way to the reader",
        "web/runtime/runner.py",
        "self.send(held)",
        "self.send(held.replace('5', '6'))",
        pytests(P + "test_09_the_browser_agrees.py", "-k", "recording"),
        "failed",
    ),
    Lie(
        "a block that forgets what it continues",
        "web/runtime/cell.ts",
        "[...cellOf(element).chain(), this]",
        "[this]",
        pytests(P + "test_09_the_browser_agrees.py", "-k", "recording"),
        "failed",
    ),
    Lie(
        "a button that runs nothing",
        "web/runtime/worker.ts",
        "runner.run(blocks, begin, print, exercise)",
        "runner.run([], begin, print, exercise)",
        pytests(P + "test_09_the_browser_agrees.py", "-k", "recording"),
        "failed",
    ),
    Lie(
        "a package for browsers that is another",
        "weave/bundle.py",
        "path.read_bytes())",
        "path.read_bytes().replace(b'1.0', b'2.0'))",
        pytests("tests/weave/test_bundle.py"),
        "failed",
        everywhere=True,
    ),
    Lie(
        "a number in a widget's picture",
        "web/parts/graph_picture.tsx",
        "            {row.value}\n",
        "            {row.value}1\n",
        pytests("tests/site/test_widgets_autograd.py", "-k", "graph"),
        "failed",
    ),
    Lie(
        "a widget's run that is not what it says",
        "web/widgets/zeroing/model.py",
        "if self.zeroes:",
        "if not self.zeroes:",
        pytests("tests/widgets/test_zeroing.py"),
        "failed",
    ),
    Lie(
        "a line of the package lit for another",
        "web/widgets/walk/model.py",
        '("mlp", "output = ")',
        '("mlp", "activated = ")',
        pytests("tests/widgets/test_walk.py", "-k", "lit_lines"),
        "failed",
    ),
    Lie(
        "a sentence about another row",
        "web/widgets/walk/model.py",
        'f" Row {position} of wpe',
        'f" Row {token} of wpe',
        pytests("tests/widgets/test_walk.py", "-k", "what_is_said"),
        "failed",
    ),
    Lie(
        "a harm that no mask does",
        "web/widgets/cache_mask/model.py",
        "apart=[furthest(*rows)",
        "apart=[2 * furthest(*rows)",
        pytests("tests/widgets/test_cache_mask.py", "-k", "missing_mask"),
        "failed",
    ),
    Lie(
        "samples that were never counted",
        "docs/data/memorised.json",
        "54, 60, 69]",
        "54, 60, 68]",
        pytests("tests/snippets/test_memorised.py", "-k", "right and 0.8"),
        "failed",
    ),
    # Commands to type, tables of times, laws: what readers cannot tell from the truth.
    Lie(
        "an option that no program has",
        "docs/efficiency/machines.md",
        "--nproc-per-node 2 ",
        "--nproc-per-nodes 2 ",
        pytests(P + "test_commands.py"),
        "failed",
        needs="torch",
    ),
    Lie(
        "a precision that the engine does not have",
        "docs/efficiency/torch.md",
        "--device cuda --precision float32",
        "--device cuda --precision float16",
        pytests(P + "test_commands.py"),
        "failed",
    ),
    Lie(
        "an engine's time in the row of another",
        "docs/efficiency/speeds.md",
        "['engines']['lists']['ms']\">",
        "['engines']['dot']['ms']\">",
        pytests("tests/bench/test_speeds.py", "-k", "row_and_its_column"),
        "failed",
    ),
    Lie(
        "a law with another sign",
        "docs/efficiency/lists.md",
        r"dy_j - y_j \cdot",
        r"dy_j + y_j \cdot",
        pytests(P + "test_07_every_law.py"),
        "failed",
    ),
    Lie(
        "a card that belongs to another process",
        "microgpt/engines/processes.py",
        'f"cuda:{this_worker().local_rank}"',
        'f"cuda:{this_worker().rank}"',
        pytests(ENGINES + "test_processes.py", "-k", "takes_the_card"),
        "failed",
        needs="torch",
    ),
    Lie(
        "a batch that lies where the engine does not compute",
        "microgpt/engines/torch.py",
        "            device=self.device,\n        )\n        return rows",
        "        )\n        return rows",
        pytests(ENGINES + "test_torch.py", "-k", "where_it_was_told"),
        "failed",
        needs="torch",
    ),
    Lie(
        "a measurement of fewer documents than it says",
        "web/widgets/speeds/model.py",
        "tokens[step * batch : (step + 1) * batch]",
        "tokens[step * batch : step * batch + 1]",
        pytests("tests/widgets/test_speeds.py", "-k", "whole_batch"),
        "failed",
    ),
    Lie(
        "a setting of the record under another's size",
        "web/widgets/speeds/model.py",
        'width=one["width"]',
        'width=one["context"]',
        pytests("tests/widgets/test_speeds.py", "-k", "every_setting"),
        "failed",
    ),
    Lie(
        "a shape that no array has",
        "docs/efficiency/numpy.md",
        "$(B, 4, T, T)$",
        "$(B, 4, T, 4)$",
        pytests(ENGINES + "test_numpy.py", "-k", "shapes_of_attention"),
        "failed",
    ),
    Lie(
        "a block that is said to need a library and does not",
        "docs/efficiency/numpy.md",
        "```python\nimport sys\n\ndigits",
        "<!--pytest-codeblocks:importorskip(numpy)-->\n```python\nimport sys\n\ndigits",
        weave("docs/efficiency/numpy.md"),
        "does not use numpy",
    ),
    # What a page says beside its code: formulas, links, names, captions.
    Lie(
        "a sign of a formula",
        "docs/reference/mathematics.md",
        "\\log a + \\log b",
        "\\log a - \\log b",
        pytests(f"{P}test_07_every_law.py", "-k", "every_formula"),
        "failed",
    ),
    Lie(
        "a link that names another page",
        "docs/reference/questions.md",
        "[The loss](../counting/loss.md)",
        "[The loss](../counting/counts.md)",
        weave("docs/reference/questions.md"),
        "does not lead to docs/counting/loss.md",
    ),
    Lie(
        "a method of another class",
        "docs/adam/what-changes.md",
        "\n\n```",
        "\n\nCall `GPT.zero_grad()`.\n\n```",
        weave("docs/adam/what-changes.md"),
        "'GPT.zero_grad'",
    ),
    Lie(
        "a year of a work that another year contradicts",
        "docs/adam/bias-correction.md",
        ">2015</span>",
        ">2016</span>",
        PROJECT,
        "'Kingma and Ba, 2016' is cited, which docs/reference/history.md does not name",
    ),
    Lie(
        "a command that contributors cannot type",
        "CONTRIBUTING.md",
        "-m weave.pins --newest",
        "-m weave.pins --latest",
        pytests("tests/test_documents.py"),
        "--latest",
    ),
    Lie(
        "a digit of what a widget has recorded",
        "web/widgets/train_here/train_here.json",
        "3.",
        "4.",
        pytests("tests/snippets/test_records.py"),
        "train_here.json was not written by snippets.records.record",
    ),
    Lie(
        "a button that no picture has",
        "docs/gradient-descent/layers.md",
        'Press "two embeddings"',
        'Press "three embeddings"',
        weave("docs/gradient-descent/layers.md"),
        "no picture of this page has 'three embeddings' to press",
    ),
    Lie(
        "a small number in a heading",
        VALUE,
        "\n\n```",
        "\n\n## Seven of them\n\n```",
        weave(VALUE),
        "'Seven' is a number that nothing computes",
    ),
    Lie(
        "a share that nothing computes",
        "docs/inference/temperature.md",
        "few names get by without one",
        "a tenth of the names get by without one",
        weave("docs/inference/temperature.md"),
        "'a tenth' is a number that nothing computes",
    ),
    Lie(
        "a count of what stands below",
        "docs/efficiency/end.md",
        "there are three ways on:",
        "there are four ways on:",
        weave("docs/efficiency/end.md"),
        "four stands above 3",
    ),
    Lie(
        "a page that the search does not find",
        "docs/reference/source/nn.md",
        "boost: 0.1",
        "exclude: true",
        weave("docs/reference/source/nn.md"),
        "above the title stands how the search ranks",
    ),
    Lie(
        "a number of a docstring that the code does not have",
        "snippets/step0.py",
        "Invent a name of at most 16 letters",
        "Invent a name of at most 17 letters",
        pytests(f"{P}test_03_every_number.py", "-k", "words_of_programs"),
        "{'step0.py': ['17']}",
    ),
    Lie(
        "a number in the caption of a lab's figure",
        "docs/labs/training-dynamics.ipynb",
        "as means over windows of steps",
        "as means over fifty steps",
        weave("docs/labs/training-dynamics.ipynb"),
        "'fifty' is a number that nothing computes",
    ),
    Lie(
        "an output of a lab altered",
        "docs/labs/attention-maps.ipynb",
        "names that the model never saw\\n",
        "names which the model never saw\\n",
        weave("docs/labs/attention-maps.ipynb"),
        "gives something else",
    ),
    Lie(
        "the extension left out",
        "mkdocs.yml",
        "  - weave\n\n",
        "\n",
        pytests(
            f"{P}test_01_nothing_is_skipped.py::test_every_code_element_of_the_site_is_of_a_kind_that_is_checked"
        ),
        "FAILED",
    ),
]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project, with what its installation built and needs."""
    root = tmp_path_factory.mktemp("copy") / "project"
    anywhere = shutil.ignore_patterns(".?*", "node_modules", "__pycache__")

    def ignored(folder: str, names: list[str]) -> set[str]:
        built_site = {"site"} if Path(folder) == ROOT else set()
        # How the site is published is part of what an edition is made of.
        return {*anywhere(folder, names), *built_site} - {".github"}

    shutil.copytree(ROOT, root, ignore=ignored)
    (root / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    partial = (
        "INHERIT: mkdocs.yml\nhooks: [weave/hooks.py, tests/promises/partial.py]\n"
    )
    (root / "partial.yml").write_text(partial, encoding="utf-8")
    return root


def plant(root: Path, path: str, text: str) -> None:
    """Write a file of the copy; what is built from it is built again."""
    write_anew(root / path, text)
    if path.startswith("web/") and path.endswith((".ts", ".tsx")):
        node = str(drawing_node())
        subprocess.run([node, root / "web" / "build.mjs"], check=True, timeout=300)


def run_in(
    root: Path, arguments: tuple[str, ...], **extra: str
) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    environment |= {"PYTHONPATH": str(root), "NO_MKDOCS_2_WARNING": "1", **extra}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def test_there_are_forty_lies_and_more() -> None:
    assert len({lie.name for lie in LIES}) == len(LIES) >= 40


@thorough
def test_the_copy_is_true_before_anybody_lies(copy: Path) -> None:
    for command in (weave(VALUE), PROJECT, SOME_PAGES):
        done = run_in(copy, command)
        assert done.returncode == 0, done.stdout + done.stderr


def hashes(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file() and file.name != ".done"
    }


@thorough
def test_a_build_elsewhere_on_another_day_gives_the_same_bytes(
    copy: Path, site: Site
) -> None:
    elsewhere = {"PYTHONHASHSEED": "1", "SOURCE_DATE_EPOCH": "0"}
    done = run_in(copy, BUILD, **elsewhere)
    assert done.returncode == 0, done.stdout + done.stderr
    here, there = hashes(site.folder), hashes(copy / "site")
    assert here.keys() == there.keys()
    different = {name for name in here if here[name] != there[name]}
    # Its header has the day; publishing gives that of the commit (pages.yml).
    assert different == {"sitemap.xml.gz"}
    with gzip.open(copy / "site" / "sitemap.xml.gz") as packed:
        assert packed.read() == (site.folder / "sitemap.xml").read_bytes()
        assert packed.mtime == 0


def batches() -> list[list[Lie]]:
    """Return what `weave check --project` must refuse, for it reports all that it finds.

    Lies in one file, or in one exercise, go to different batches.
    """
    found: list[dict[tuple[str, ...], Lie]] = []
    for lie in (lie for lie in LIES if lie.refused_by == PROJECT):
        place = Path(lie.path).parts[:3]
        batch = next((batch for batch in found if place not in batch), None)
        if batch is None:
            found.append(batch := {})
        batch[place] = lie
    return [list(batch.values()) for batch in found]


@contextmanager
def planted(root: Path, lie: Lie) -> Iterator[None]:
    file = root / lie.path
    true = file.read_text(encoding="utf-8")
    assert lie.old in true, f"{lie.path} no longer has {lie.old!r}: plant the lie anew"
    if lie.path.startswith("microgpt/"):
        assert true.count(lie.old) == 1, f"{lie.old!r} may be in a docstring"
    try:
        plant(root, lie.path, true.replace(lie.old, lie.new, 1))
        yield
    finally:
        plant(root, lie.path, true)


@pytest.mark.parametrize("batch", one_of_each(batches()[::-1]), ids=len)
def test_lies_about_the_project_are_caught(batch: list[Lie], copy: Path) -> None:
    with ExitStack() as stack:
        for lie in batch:
            stack.enter_context(planted(copy, lie))
        done = run_in(copy, PROJECT)
    assert done.returncode != 0
    said = done.stdout + done.stderr
    assert [lie.name for lie in batch if lie.because not in said] == [], said


def tool(lie: Lie) -> str:
    """Return which program must refuse a lie: weave, MkDocs or pytest."""
    return lie.refused_by[1]


@pytest.mark.parametrize(
    "lie",
    one_of_each((lie for lie in LIES if lie.refused_by != PROJECT), kind=tool),
    ids=lambda lie: lie.name,
)
def test_a_lie_is_caught(lie: Lie, copy: Path, site: Site) -> None:
    if lie.needs:
        pytest.importorskip(lie.needs)
    truth = {} if lie.everywhere else {"SITE_OF_THE_TRUTH": str(site.folder)}
    with planted(copy, lie):
        done = run_in(copy, lie.refused_by, **truth)
    said = done.stdout + done.stderr
    assert done.returncode != 0, f"nothing refused it: {said}"
    assert lie.because in said, said


@thorough
def test_what_sees_the_lies_of_a_site_sees_nothing_in_the_truth(
    copy: Path, site: Site
) -> None:
    """Else a test that fails on some pages alone would pass for one that saw a lie."""
    seen_by = {lie.refused_by[-1] for lie in LIES if lie.because == "FAILED"}
    assert len(seen_by) > 5
    done = run_in(copy, pytests(*seen_by), SITE_OF_THE_TRUTH=str(site.folder))
    assert done.returncode == 0, done.stdout + done.stderr


@thorough
def test_shifting_a_file_by_a_line_moves_every_caption_with_it(copy: Path) -> None:
    """The one change that is no lie: nothing names a line by its number."""
    file = copy / AUTOGRAD
    page = copy / "site/autograd/backward/index.html"
    true = file.read_text(encoding="utf-8")
    caption = re.compile(r"autograd\.py</code></a>, lines (\d+)")
    assert run_in(copy, SOME_PAGES).returncode == 0
    before = [int(n) for n in caption.findall(page.read_text(encoding="utf-8"))]
    try:
        write_anew(file, "\n" + true)
        assert run_in(copy, weave(BACKWARD)).returncode == 0
        assert run_in(copy, SOME_PAGES).returncode == 0
    finally:
        write_anew(file, true)
    after = [int(n) for n in caption.findall(page.read_text(encoding="utf-8"))]
    assert after == [n + 1 for n in before] != []
