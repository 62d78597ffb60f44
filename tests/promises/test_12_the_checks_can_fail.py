"""Lies, told one at a time: each must turn the checks red.

First every claim of every page is altered, by the hundred, and the check is asked. Then
lies of each kind: what a page's check can be told is told to it, and the others are
planted in a copy of the project, where a command that CI runs must refuse them. Some of
these are planted with every change, the rest each night: the tests that refuse them run
with every change.
"""

import gzip
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from tests.promises.site import ROOT, Site
from tests.site.browsing import WRITTEN
from tests.thorough import nightly, one_of_each, thorough
from tests.writing import write_anew
from weave.check import examine, findings
from weave.draw import node as drawing_node
from weave.errors import WeaveError
from weave.findings import Results
from weave.guide import Guide
from weave.kinds.block import Block
from weave.kinds.diagram import Graph
from weave.kinds.session import Session
from weave.page import Page, read_page
from weave.prose.numbers import numbers

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
                # The line of a class, and a listing's title, claim nothing.
                if body_line.strip() and not body_line.strip().startswith(
                    ("class ", "? ")
                ):
                    lines = list(page.lines)
                    lines[fence.line + offset] = altered(body_line)
                    where = f"line {fence.line + offset + 1}, {body_line.strip()!r}"
                    yield where, "\n".join(lines)


def stated(page: Page) -> Results:
    """Return what running a page would give if all that it states is true."""
    answers: dict[tuple[int, str], object] = {}
    for graph in Graph.on(page):
        for question in graph.questions():
            answers[question.line, question.expression] = graph.fence.text
    for number in numbers(page):
        answers[number.line, number.expression] = value_of(number.text.strip("`"))
    outputs = {b.line: b.output.fence.text for b in Block.on(page) if b.output}
    ran = {session.line: session.fence.text for session in Session.on(page)}
    return Results(outputs, answers, ran=ran)


def value_of(text: str) -> int | float | str:
    for read in (int, float):
        with suppress(ValueError):
            return read(text.replace(",", "").replace("−", "-"))
    return text


def is_caught(guide: Guide, path: Path, text: str, results: Results) -> bool:
    try:
        return any(findings(guide, read_page(path, text), results))
    except WeaveError:
        return True


@pytest.mark.parametrize("path", one_of_each(PAGES, kind=lambda p: Path(p).parent))
def test_every_claim_of_a_page_is_checked(path: str, guide: Guide) -> None:
    page = guide.read(Path(path))
    results = stated(page)
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
    """A change to one file that makes the guide false, and what must refuse it.

    `refused_by` is a command to run in a copy; a lie without one is told to the check of
    `page`, or of the page on which it stands.
    """

    name: str
    path: str
    old: str
    new: str
    because: str
    refused_by: tuple[str, ...] = ()
    page: str = ""
    needs: str = ""  # a library that not every machine has
    everywhere: bool = False  # whether all pages must be built to see it

    def about(self, true: str) -> str:
        """Return the text of the file with the lie in it."""
        assert self.old in true, f"{self.path} no longer has {self.old!r}"
        if self.path.startswith("microgpt/"):
            assert true.count(self.old) == 1, f"{self.old!r} may be in a docstring"
        return true.replace(self.old, self.new, 1)


def weave(page: str) -> tuple[str, ...]:
    return ("-m", "weave", "check", page)


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
        "addopts=--import-mode=importlib --codeblocks -m 'not nightly'",
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
    Lie(
        "a public name without a docstring",
        AUTOGRAD,
        '        """Return the natural logarithm; `data` must be positive."""\n',
        "",
        "microgpt.autograd.Value.log is public and has no docstring",
        PROJECT,
    ),
    Lie(
        "a module that the reference leaves out",
        "docs/reference/modules.md",
        "microgpt.optim\n",
        "",
        "no api fence shows the module microgpt.optim",
        PROJECT,
    ),
    Lie(
        "a promise that no number stands beside",
        "docs/reference/promises.md",
        "<data value=\"count('graphs')\">…</data> graphs",
        "graphs",
        "Every diagram of a graph",
        pytests(P + "test_promises.py::test_no_promise_stands_without_its_number"),
    ),
    Lie(
        "an import that the picture of the package does not show",
        "microgpt/optim.py",
        "from collections.abc import Sequence\n",
        "from collections.abc import Sequence\n\n"
        "from microgpt.tokenizer import Tokenizer\n",
        "the graph of microgpt differs: it has",
        weave("docs/reference/architecture.md"),
    ),
    Lie(
        "an option that does not say what it means",
        "microgpt/cli/parser.py",
        'help="how many"',
        "help=None",
        "sample --count N does not say what it means",
        PROJECT,
    ),
    Lie(
        "a session that goes otherwise",
        "docs/reference/command-line.md",
        "$ echo $?\n1",
        "$ echo $?\n0",
        "the session prints something else: 1",
    ),
    Lie(
        "an entry for a name that is not there",
        "docs/reference/api.md",
        "microgpt.optim:SGD",
        "microgpt.optim:SGDs",
        "no public 'microgpt.optim:SGDs'",
    ),
    Lie(
        "a policy that lets texts become scripts",
        "weave/publish/policy.py",
        "'wasm-unsafe-eval'",
        "'unsafe-eval'",
        "unsafe-eval",
        pytests(P + "test_13_no_script_but_our_own.py", "-k", "policy_names"),
    ),
    Lie(
        "a term whose home does not speak of it",
        "docs/reference/glossary.md",
        "(../adam/momentum.md)",
        "(../counting/counts.md)",
        "said to explain 'momentum', does not use it",
        PROJECT,
    ),
    Lie(
        "a change between two programs that no page goes through",
        "docs/reference/changes/step0-step1.md",
        "snippets.step0:count_pairs ->",
        "snippets.step0:zero_counts ->",
        "no page goes through all that changes",
        PROJECT,
    ),
    Lie(
        "a rung with names that no model invented",
        "docs/index.md",
        "one-end: ",
        "two-end: ",
        "the runs are",
    ),
    Lie(
        "a map whose lines lead to what explains others",
        "weave/kinds/minimap.py",
        'y="{span.first - 1}"',
        'y="{span.first}"',
        "test_every_line_leads_home",
        pytests("tests/weave/test_minimap.py"),
    ),
    Lie(
        "a check that lets a mistake pass",
        "snippets/exercises/tanh/check.py",
        "if not math.isclose(x.grad, slope, abs_tol=1e-9)",
        "if not math.isclose(x.grad, slope, abs_tol=1e9)",
        "passes the check",
        PROJECT,
    ),
    Lie(
        "a block that no longer prints it", VALUE, "Value(3.0)", "Value(4.0)", "prints"
    ),
    Lie("a titled fence", VALUE, "```python\n", '```python title="x"\n', "fence"),
    Lie(
        "a block that is skipped in silence",
        VALUE,
        "```python\n",
        "<!--pytest.mark.skip-->\n```python\n",
        "unknown directive",
    ),
    Lie(
        "a continued block that stands alone",
        RECORDING,
        "<!--pytest-codeblocks:cont-->\n",
        "",
        "NameError",
    ),
    Lie("a bare number", VALUE, "\n\n```", "\n\nIt takes 170.\n\n```", "'170'"),
    Lie(
        "a number that names nothing",
        VALUE,
        "\n\n```",
        '\n\n<data value="40 + 2">42</data>\n\n```',
        "computes nothing",
    ),
    Lie(
        "a formula with a derivative that nothing checks",
        VALUE,
        "\n\n```",
        "\n\n$$\n\\frac{\\partial c}{\\partial a} = a\n$$\n\n```",
        "derivative fence",
    ),
    Lie(
        "a diagram that nothing draws",
        VALUE,
        "\n\n```",
        "\n\n```mermaid\nflowchart TD\n    a --> b\n```\n\n```",
        "what keeps it true",
    ),
    Lie(
        "text that nothing keeps true",
        VALUE,
        "\n\n```",
        "\n\n```text\n3.14\n```\n\n```",
        "what keeps it true",
    ),
    Lie(
        "a name that no code has",
        VALUE,
        "\n\n```",
        "\n\nCall `Value.foresee()`.\n\n```",
        "'foresee'",
    ),
    Lie(
        "a number in the docstring of a block",
        "docs/efficiency/machines.md",
        '"""Leave the sum of all lists',
        '"""Leave the sum of 500 lists',
        "'500' is a number that the program does not have",
    ),
    Lie(
        "a percentage that is called otherwise",
        "docs/adam/momentum.md",
        " percent",
        " permille",
        "% or percent follows",
    ),
    Lie(
        "a loss in another unit",
        "docs/autograd/same-results.md",
        "y: mean loss (nats)",
        "y: mean loss (bits)",
        "losses are in (nats)",
    ),
    Lie(
        "a number of the code that is waived",
        VALUE,
        "\n\n```",
        '\n\n<span data-waive="SAMPLES in microgpt/cli/train.py">30</span>\n\n```',
        "(what code has can be computed)",
    ),
    Lie("a link to nothing", VALUE, "(recording.md)", "(record.md)", "record.md"),
    Lie(
        "an anchor of nothing",
        VALUE,
        "(recording.md)",
        "(recording.md#nowhere)",
        "nowhere",
        SOME_PAGES,
    ),
    Lie(
        "a page that is in no menu",
        "mkdocs.yml",
        "      - The order: autograd/order.md\n",
        "",
        "order.md",
        page="docs/autograd/order.md",
    ),
    Lie(
        "an output typed as HTML",
        VALUE,
        "\n\n```",
        '\n\n<pre class="output">Value(data=7)</pre>\n\n```',
        "nothing checks",
    ),
    Lie(
        "a number in a footnote",
        VALUE,
        "\n\n```",
        "[^1]\n\n[^1]: It takes 170.\n\n```",
        "'170'",
    ),
    Lie(
        "a graph of a text",
        RECORDING,
        'weave:graph mermaid(d, {"a": a, "b": b, "c": c, "d": d})',
        "weave:graph str(d)",
        "is a text",
    ),
    Lie(
        "a point of a picture",
        "docs/data/two-losses.json",
        "3.",
        "4.",
        "is not what",
        page="docs/autograd/same-results.md",
    ),
    Lie(
        "a point of a recorded run",
        "docs/data/step2.json",
        "3.",
        "4.",
        "recorded",
        pytests("tests/snippets/test_ladder.py"),
    ),
    Lie(
        "a switch that is said to matter and does not",
        "docs/reference/what-if.md",
        "### What if we only draw other random numbers?\n\nNo difference:",
        "### What if we only draw other random numbers?\n\nHigher by",
        "test_the_page_says_of_each_question_what_is_recorded",
        pytests("tests/bench/test_what_if.py", "-k", "page_says"),
    ),
    Lie(
        "a line that no page explains",
        AUTOGRAD,
        "from collections.abc import Iterable\n",
        "from collections.abc import Iterable\n\nimport cmath\n",
        "wait for an explanation",
        PROJECT,
    ),
    Lie(
        "a higher count of waiting lines",
        "pyproject.toml",
        "waiting = ",
        "waiting = 9",
        "FAILED",
        pytests(
            P
            + "test_05_every_line_is_explained.py::test_no_more_lines_wait_than_are_written_down"
        ),
    ),
    Lie(
        "a file whose source no page shows",
        "mkdocs.yml",
        "          - nn.py: reference/source/nn.md\n",
        "",
        "the navigation does not have microgpt/nn.py",
        PROJECT,
    ),
    Lie(
        "a renamed method",
        AUTOGRAD,
        "def relu",
        "def rectify",
        "relu",
        weave("docs/autograd/more-operations.md"),
    ),
    Lie(
        "a renamed attribute",
        AUTOGRAD,
        '"_local_grads"',
        '"_slopes"',
        "AttributeError",
        weave(VALUE),
    ),
    Lie("`=` for `+=`", AUTOGRAD, "grad += ", "grad = ", "prints", weave(BACKWARD)),
    Lie(
        "the operands not swapped",
        AUTOGRAD,
        '(b, a), "multiply"',
        '(a, b), "multiply"',
        "backward() gives",
        weave(RECORDING),
    ),
    Lie(
        "another slope at 0",
        AUTOGRAD,
        "self.data > 0",
        "self.data >= 0",
        "backward() gives",
        weave("docs/autograd/more-operations.md"),
    ),
    Lie(
        "a wrong derivative of log",
        AUTOGRAD,
        "1 / self.data,",
        "2 / self.data,",
        "failed",
        pytests(PACKAGE + "test_autograd.py"),
    ),
    Lie(
        "a gradient that starts at 2",
        AUTOGRAD,
        "self.grad = 1.0",
        "self.grad = 2.0",
        "prints",
        weave(BACKWARD),
    ),
    Lie(
        "a recursive search",
        AUTOGRAD,
        "    order: list[Value] = []\n",
        "    order: list[Value] = []\n    [topological_order(c) for c in output._children]\n",
        "RecursionError",
        weave("docs/autograd/order.md"),
    ),
    Lie(
        "attention without its scale",
        "microgpt/attention.py",
        "** -0.5",
        "** -0.4",
        "failed",
        pytests(PACKAGE + "test_model.py"),
    ),
    Lie(
        "a normalisation that is off",
        "microgpt/nn.py",
        "(mean_square + 1e-5)",
        "(mean_square + 1e-2)",
        "failed",
        pytests(PACKAGE + "test_nn.py"),
    ),
    Lie(
        "Adam without bias correction",
        "microgpt/optim.py",
        "1 - self.beta1**self.steps",
        "1",
        "failed",
        pytests(PACKAGE + "test_optim.py"),
    ),
    Lie(
        "a derivative of softmax without its mean",
        "microgpt/engines/tape.py",
        "scale * share * (slope - mean)",
        "scale * share * slope",
        "failed",
        pytests(PACKAGE + "engines", "-k", "loss_and_gradient"),
    ),
    Lie(
        "a matrix that looks ahead",
        "microgpt/engines/tape.py",
        "row[: t + 1]",
        "row[: t + 2]",
        "failed",
        pytests(PACKAGE + "engines", "-k", "loss_and_gradient"),
    ),
    Lie(
        "a dot product taken apart that forgets its first product",
        "microgpt/engines/value.py",
        "total = a[0] * b[0]",
        "total = Value(0.0)",
        "failed",
        pytests(ENGINES + "test_value.py"),
    ),
    Lie(
        "a batch whose gradients are added up",
        "microgpt/engines/dot.py",
        "parameter.grad /= count",
        "parameter.grad /= 1",
        "failed",
        pytests(ENGINES + "test_engines.py", "-k", "a_batch_of_equal_documents"),
    ),
    Lie(
        "first weights that are not those of the model",
        "microgpt/engines/protocol.py",
        "rng.gauss(0, 0.08)",
        "rng.gauss(0, 0.09)",
        "failed",
        pytests(ENGINES + "test_engines.py", "-k", "first_weights"),
    ),
    Lie(
        "arrays whose norm goes back without the mean",
        "microgpt/engines/arrays.py",
        "(dy - y * along) / size",
        "dy / size",
        "failed",
        pytests(ENGINES + "test_numpy.py"),
    ),
    Lie(
        "arrays that look ahead",
        "microgpt/engines/arrays.py",
        "queries @ keys.mT * scale + mask",
        "queries @ keys.mT * scale",
        "failed",
        pytests(ENGINES + "test_numpy.py"),
    ),
    Lie(
        "padding that counts",
        "microgpt/engines/numpy.py",
        "[0.0] * gap",
        "[share / count] * gap",
        "failed",
        pytests(ENGINES + "test_numpy.py"),
    ),
    Lie(
        "Adam over arrays, without bias correction",
        "microgpt/engines/numpy.py",
        "1 - self.beta2**self.steps",
        "1",
        "failed",
        pytests(ENGINES + "test_numpy.py"),
    ),
    Lie(
        "modules that look ahead",
        "microgpt/engines/modules.py",
        "is_causal=True",
        "is_causal=False",
        "failed",
        pytests(ENGINES + "test_torch.py"),
        needs="torch",
    ),
    Lie(
        "processes that all learn from the same documents",
        "microgpt/engines/processes.py",
        "begin = worker.rank * size",
        "begin = 0 * size",
        "failed",
        pytests(ENGINES + "test_processes.py", "-k", "deal"),
        needs="torch",
    ),
    Lie(
        "an output that only NumPy can give",
        "docs/efficiency/numpy.md",
        "[19.  4.]",
        "[19.  5.]",
        "[19.  4.]",
    ),
    Lie(
        "an output that only PyTorch can give",
        "docs/efficiency/torch.md",
        "8.0 4.0 2.0\n8.0 4.0 2.0",
        "8.0 4.0 2.0\n8.0 4.0 3.0",
        "8.0 4.0 2.0",
        needs="torch",
    ),
    Lie(
        "fewer nodes than there are",
        "docs/efficiency/one-node.md",
        "6371 nodes, 38912 edges",
        "6371 nodes, 38012 edges",
        "38912",
    ),
    Lie(
        "a loss on held-out names that was not measured",
        "docs/data/held-out.json",
        "2.57612",
        "2.17612",
        "failed",
        pytests("tests/snippets/test_held_out.py", "-k", "page_states"),
    ),
    Lie(
        "what a part is worth, in a model that nobody trained",
        "docs/data/parts.json",
        "2.49488",
        "2.48488",
        "failed",
        pytests("tests/snippets/test_records.py"),
    ),
    Lie(
        "a loss of the original that it never printed",
        "docs/data/original.json",
        "2.6483",
        "2.6438",
        "failed",
        pytests("tests/snippets/test_original.py", "-k", "agrees"),
    ),
    Lie(
        "data that no test compares",
        "pyproject.toml",
        '"held-out.json" = "tests/snippets/test_held_out.py"',
        '"held-out.json" = "tests/snippets/test_programs.py"',
        "does not name it",
        PROJECT,
    ),
    Lie(
        "a trained model that nobody trained",
        "microgpt/cli/trained.json",
        "0.1164023",
        "0.1264023",
        "failed",
        pytests(PACKAGE + "engines", "-k", "1000_steps"),
    ),
    Lie(
        "a tokenizer without an end",
        "microgpt/tokenizer.py",
        "[self.bos, *self.encode(text), self.bos]",
        "[self.bos, *self.encode(text)]",
        "failed",
        pytests(PACKAGE + "test_tokenizer.py"),
    ),
    Lie(
        "step 2 at another learning rate",
        "snippets/step2.py",
        "linear_decay(1.0,",
        "linear_decay(0.9,",
        "failed",
        pytests(P + "test_08_the_ladder_holds.py"),
    ),
    Lie(
        "captions one line off",
        "weave/source.py",
        "{self.first}–{self.last}",
        "{self.first + 1}–{self.last}",
        "FAILED",
        pytests(
            P
            + "test_04_every_listing.py::test_a_listing_shows_the_lines_that_its_caption_names"
        ),
    ),
    Lie(
        "a search that leads away from where lines are explained",
        "weave/kinds/listing.py",
        "if not is_home:",
        "if is_home:",
        "failed",
        pytests("tests/weave/test_anchors.py"),
    ),
    Lie(
        "a copy button that leaves out what the block needs",
        "weave/kinds/block.py",
        "for block in self.program())",
        "for block in [self])",
        "FAILED",
        pytests(
            P
            + "test_01_nothing_is_skipped.py::test_a_copy_button_copies_all_that_the_block_needs"
        ),
    ),
    Lie(
        "differences counted wrongly",
        "weave/kinds/changes.py",
        "to {places[1]}: {_many(gone)}",
        "to {places[1]}: {_many(gone + 1)}",
        "FAILED",
        pytests(
            P
            + "test_04_every_listing.py::test_a_difference_is_that_of_the_lines_its_caption_names"
        ),
    ),
    Lie(
        "a table of lines that is off",
        "weave/kinds/source_page.py",
        "cells = (name, found.lines,",
        "cells = (name, found.lines + 1,",
        "FAILED",
        pytests(
            P
            + "test_05_every_line_is_explained.py::test_the_table_counts_the_lines_of_each_file"
        ),
    ),
    Lie(
        "outputs that the site shows otherwise",
        "weave/kinds/block.py",
        "escape(self.output.fence.text)",
        "escape(self.output.fence.text.replace('1', '2'))",
        "FAILED",
        pytests(
            P
            + "test_02_every_output.py::test_outputs_of_the_built_site_are_those_of_the_markdown"
        ),
    ),
    Lie(
        "a check that compares nothing",
        "weave/kinds/block.py",
        "elif self.output.fence.text != printed:",
        "elif False:",
        "failed",
        pytests("tests/weave/test_check.py"),
    ),
    Lie(
        "drawings with other numbers",
        "web/dist/draw.mjs",
        "</tspan>",
        "0</tspan>",
        "FAILED",
        pytests(
            P
            + "test_06_every_diagram.py::test_a_drawing_shows_each_node_and_edge_of_its_source"
        ),
    ),
    Lie(
        "a font from another host",
        "docs/styles/tokens.css",
        ":root",
        "@import 'https://fonts.example.org/a.css';\n:root",
        "FAILED",
        pytests(
            P
            + "test_10_no_request_leaves_the_site.py::test_no_style_fetches_from_elsewhere"
        ),
    ),
    Lie(
        "a script from another host",
        "web/theme/main.html",
        "{% block extrahead %}",
        '{% block extrahead %}<script src="https://cdn.example.org/a.js"></script>',
        "FAILED",
        pytests(
            P
            + "test_10_no_request_leaves_the_site.py::test_no_element_fetches_from_elsewhere"
        ),
    ),
    Lie(
        "colours that a reader has replaced",
        "docs/styles/tokens.css",
        "--paper: Canvas",
        "--paper: light-dark(#fbfaf6, #16191d)",
        "colours of the page's own",
        pytests("tests/site/test_accessibility.py", "-k", "forces_on_all"),
    ),
    Lie(
        "output that changes on its way to the reader",
        "web/runtime/runner.py",
        "self.send(held)",
        "self.send(held.replace('5', '6'))",
        "failed",
        pytests(P + "test_09_the_browser_agrees.py", "-k", "recording"),
    ),
    Lie(
        "a block that forgets what it continues",
        "web/runtime/cell.ts",
        "[...cellOf(element).chain(), this]",
        "[this]",
        "failed",
        pytests(P + "test_09_the_browser_agrees.py", "-k", "recording"),
    ),
    Lie(
        "a button that runs nothing",
        "web/runtime/worker.ts",
        "runner.run(blocks, begin, print, exercise)",
        "runner.run([], begin, print, exercise)",
        "failed",
        pytests(P + "test_09_the_browser_agrees.py", "-k", "recording"),
    ),
    Lie(
        "a package for browsers that is another",
        "weave/bundle.py",
        "path.read_bytes())",
        "path.read_bytes().replace(b'1.0', b'2.0'))",
        "failed",
        pytests("tests/weave/test_bundle.py"),
        everywhere=True,
    ),
    Lie(
        "a number in a widget's picture",
        "web/parts/graph_picture.tsx",
        "            {row.value}\n",
        "            {row.value}1\n",
        "failed",
        pytests("tests/site/test_widgets_autograd.py", "-k", "graph"),
    ),
    Lie(
        "a widget's run that is not what it says",
        "web/widgets/running_mean/model.py",
        "window = 1 / (1 - beta)",
        "window = 2 / (1 - beta)",
        "failed",
        pytests("web/widgets/running_mean/test_model.py"),
    ),
    Lie(
        "a line of the package lit for another",
        "web/widgets/transformer/model.py",
        '("mlp", "output = ")',
        '("mlp", "activated = ")',
        "failed",
        pytests("web/widgets/transformer/test_model.py", "-k", "lit_lines"),
    ),
    Lie(
        "a habit that no head has",
        "web/widgets/attention/model.py",
        "vowel != sound[-1]",
        "vowel == sound[-1]",
        "failed",
        pytests("web/widgets/attention/test_model.py", "-k", "told_apart"),
    ),
    Lie(
        "samples that were never counted",
        "docs/data/memorised.json",
        "54, 60, 69]",
        "54, 60, 68]",
        "failed",
        pytests("tests/snippets/test_memorised.py", "-k", "right and 0.8"),
    ),
    Lie(
        "an option that no program has",
        "docs/efficiency/machines.md",
        "--nproc-per-node 2 ",
        "--nproc-per-nodes 2 ",
        "failed",
        pytests(P + "test_commands.py"),
        needs="torch",
    ),
    Lie(
        "a precision that the engine does not have",
        "docs/efficiency/torch.md",
        "--device cuda --precision float32",
        "--device cuda --precision float16",
        "failed",
        pytests(P + "test_commands.py"),
    ),
    Lie(
        "an engine's time in the row of another",
        "docs/efficiency/speeds.md",
        "['engines']['lists']['ms']\">",
        "['engines']['dot']['ms']\">",
        "failed",
        pytests("tests/bench/test_speeds.py", "-k", "row_and_its_column"),
    ),
    Lie(
        "a law with another sign",
        "docs/efficiency/ways-back.md",
        r"dy_j - y_j \cdot",
        r"dy_j + y_j \cdot",
        "failed",
        pytests(P + "test_07_every_law.py"),
    ),
    Lie(
        "a card that belongs to another process",
        "microgpt/engines/processes.py",
        'f"cuda:{this_worker().local_rank}"',
        'f"cuda:{this_worker().rank}"',
        "failed",
        pytests(ENGINES + "test_processes.py", "-k", "takes_the_card"),
        needs="torch",
    ),
    Lie(
        "a batch that lies where the engine does not compute",
        "microgpt/engines/torch.py",
        "            device=self.device,\n        )\n        return rows",
        "        )\n        return rows",
        "failed",
        pytests(ENGINES + "test_torch.py", "-k", "where_it_was_told"),
        needs="torch",
    ),
    Lie(
        "a measurement of fewer documents than it says",
        "web/widgets/speeds/model.py",
        "tokens[step * batch : (step + 1) * batch]",
        "tokens[step * batch : step * batch + 1]",
        "failed",
        pytests("web/widgets/speeds/test_model.py", "-k", "whole_batch"),
    ),
    Lie(
        "a setting of the record under another's size",
        "web/widgets/speeds/model.py",
        'width=one["width"]',
        'width=one["context"]',
        "failed",
        pytests("web/widgets/speeds/test_model.py", "-k", "every_setting"),
    ),
    Lie(
        "a shape that no array has",
        "docs/efficiency/numpy-attention.md",
        "$(B, 4, T, T)$",
        "$(B, 4, T, 4)$",
        "failed",
        pytests(ENGINES + "test_numpy.py", "-k", "shapes_of_attention"),
    ),
    Lie(
        "a block that is said to need a library and does not",
        "docs/efficiency/batches.md",
        "```python\nimport sys\n\ndigits",
        "<!--pytest-codeblocks:importorskip(numpy)-->\n```python\nimport sys\n\ndigits",
        "does not use numpy",
    ),
    Lie(
        "a sign of a formula",
        "docs/reference/mathematics.md",
        r"\log a + \log b",
        r"\log a - \log b",
        "failed",
        pytests(P + "test_07_every_law.py", "-k", "every_formula"),
    ),
    Lie(
        "a link that names another page",
        "docs/reference/questions/counting.md",
        "[The loss](../../counting/loss.md)",
        "[The loss](../../counting/counts.md)",
        "does not lead to docs/counting/loss.md",
    ),
    Lie(
        "a method of another class",
        VALUE,
        "\n\n```",
        "\n\nCall `GPT.zero_grad()`.\n\n```",
        "'GPT.zero_grad'",
    ),
    Lie(
        "a year of a work that another year contradicts",
        "docs/adam/bias-correction.md",
        ", 2015",
        ", 2016",
        "'Kingma and Ba, 2016' is cited, which docs/reference/history.md does not name",
        PROJECT,
    ),
    Lie(
        "a command that contributors cannot type",
        "CONTRIBUTING.md",
        "poe pins --newest",
        "poe pins --latest",
        "--latest",
        pytests("tests/test_documents.py"),
    ),
    Lie(
        "a digit of what a widget has recorded",
        "web/widgets/trainer/recorded.json",
        "3.",
        "4.",
        "recorded.json was not written by snippets.records.record",
        pytests("tests/snippets/test_records.py"),
    ),
    Lie(
        "a button that no picture has",
        "docs/gradient-descent/layers.md",
        'press "two embeddings"',
        'press "three embeddings"',
        "no picture of this page has 'three embeddings' to press",
    ),
    Lie(
        "a number of a docstring that the code does not have",
        "snippets/step0.py",
        "Invent a name of at most 16 letters",
        "Invent a name of at most 170 letters",
        "{'step0.py': ['170']}",
        pytests(P + "test_03_every_number.py", "-k", "words_of_programs"),
    ),
    Lie(
        "a number in the caption of a lab's figure",
        "docs/labs/ablations.ipynb",
        "What a model loses without each of its parts",
        "What a model loses without 500 of its parts",
        "'500' is a number that nothing computes",
    ),
    Lie(
        "the extension left out",
        "mkdocs.yml",
        "  - weave\n\n",
        "\n",
        "FAILED",
        pytests(
            P
            + "test_01_nothing_is_skipped.py::test_every_code_element_of_the_site_is_of_a_kind_that_is_checked"
        ),
    ),
]


# One for each way in which a lie reaches a reader
END_TO_END: dict[str, pytest.MarkDecorator | tuple[()]] = {
    "`=` for `+=`": (),  # in a plain run as well
    **dict.fromkeys(
        [
            "a renamed method",
            "a point of a recorded run",
            "attention without its scale",
            "a wrong derivative of log",
            "a law with another sign",
            "a check that compares nothing",
            "a font from another host",
            "output that changes on its way to the reader",
            "a number in a widget's picture",
            "a widget's run that is not what it says",
        ],
        thorough,
    ),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project, with what its installation built and needs."""
    root = tmp_path_factory.mktemp("copy") / "project"
    anywhere = shutil.ignore_patterns(".?*", "node_modules", "__pycache__")

    def ignored(folder: str, names: list[str]) -> set[str]:
        built_site = {"site"} if Path(folder) == ROOT else set()
        # How the site is published is part of what an edition is made of, and
        # CONTRIBUTING.md names what the hooks of git run.
        used = {".github", ".pre-commit-config.yaml"}
        return {*anywhere(folder, names), *built_site} - used

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
    names = {lie.name for lie in LIES}
    assert len(names) == len(LIES) >= 40
    assert names > END_TO_END.keys()


@nightly
def test_the_copy_is_true_before_anybody_lies(copy: Path) -> None:
    for command in (weave(VALUE), SOME_PAGES):
        done = run_in(copy, command)
        assert done.returncode == 0, done.stdout + done.stderr


def hashes(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file() and file.name != ".done"
    }


@nightly
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
    return [list(batch.values()) for batch in found][::-1]  # the smallest first


@contextmanager
def planted(root: Path, lie: Lie) -> Iterator[None]:
    file = root / lie.path
    true = file.read_text(encoding="utf-8")
    try:
        plant(root, lie.path, lie.about(true))
        yield
    finally:
        plant(root, lie.path, true)


@thorough
@pytest.mark.parametrize("batch", one_of_each(batches()), ids=len)
def test_lies_about_the_project_are_caught(batch: list[Lie], copy: Path) -> None:
    with ExitStack() as stack:
        for lie in batch:
            stack.enter_context(planted(copy, lie))
        done = run_in(copy, PROJECT)
    assert done.returncode != 0
    said = done.stdout + done.stderr
    assert [lie.name for lie in batch if lie.because not in said] == [], said


@pytest.mark.parametrize(
    "lie",
    one_of_each(
        (lie for lie in LIES if not lie.refused_by),
        kind=lambda lie: Path(lie.path).parent,
    ),
    ids=lambda lie: lie.name,
)
def test_a_lie_on_a_page_is_caught(lie: Lie) -> None:
    if lie.needs:
        pytest.importorskip(lie.needs)
    path = Path(lie.path)
    told = {path: lie.about((ROOT / path).read_text(encoding="utf-8"))}
    report = examine(Guide(ROOT, told), [Path(lie.page or lie.path)])
    said = [str(error) for error in (*report.corrections, *report.errors)]
    assert any(lie.because in message for message in said), said


@pytest.mark.parametrize(
    "lie",
    [
        pytest.param(lie, marks=END_TO_END.get(lie.name, nightly), id=lie.name)
        for lie in LIES
        if lie.refused_by not in ((), PROJECT)
    ],
)
def test_a_planted_lie_is_caught(lie: Lie, copy: Path, site: Site) -> None:
    if lie.needs:
        pytest.importorskip(lie.needs)
    truth = {} if lie.everywhere else {"SITE_OF_THE_TRUTH": str(site.folder)}
    with planted(copy, lie):
        done = run_in(copy, lie.refused_by, **truth)
    said = done.stdout + done.stderr
    assert done.returncode != 0, f"nothing refused it: {said}"
    assert lie.because in said, said


@nightly
def test_what_refuses_lies_passes_the_truth(copy: Path, site: Site) -> None:
    """Else a command that always fails would pass for one that saw a lie."""
    commands = {(lie.refused_by, lie.everywhere) for lie in LIES if lie.refused_by}
    assert len(commands) > 30
    failed = []
    for command, everywhere in commands:
        truth = {} if everywhere else {"SITE_OF_THE_TRUTH": str(site.folder)}
        done = run_in(copy, command, **truth)
        if done.returncode != 0:
            failed.append(done.stdout + done.stderr)
    assert not failed


@nightly
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
