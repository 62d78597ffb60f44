"""Each command that a page tells readers to type is one that the program understands.

So is each that documents, contributors' tasks, git's hooks and GitHub's workflows have.
"""

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from microgpt.cli.options import SETTINGS
from microgpt.cli.parser import parser
from tests.commands import code_spans, unknown
from tests.promises.site import ROOT
from tests.site.browsing import WRITTEN
from weave.guide import Guide
from weave.kinds.session import Session
from weave.page import read_page

PAGES = [Path("docs", page) for page in WRITTEN]
DOCUMENTS = [Path("README.md"), Path("CONTRIBUTING.md"), Path("CHANGELOG.md")]
MACHINES = [
    Path("pyproject.toml"),
    Path(".pre-commit-config.yaml"),
    *(file.relative_to(ROOT) for file in ROOT.glob(".github/workflows/*.yml")),
]
PROGRAMS = ("microgpt", "torchrun", "python -m", "uv run", "pip install", "-")
COMMAND = re.compile(
    r"^ {4}(?:\$ )?((?:uv|pip|python|cd|git|npm|\.venv/bin/\w+) .+)$", re.MULTILINE
)


# What a task, a step of a workflow or a hook of git calls.
CALLED = re.compile(
    r"\bcmd = \"(.+?)\"|\b(?:run|entry): (?:'(.+)'|(.+))$", re.MULTILINE
)


def commands_of(path: Path) -> Iterator[str]:
    """Yield what a file says to type or to call, each command in one line."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if path in MACHINES:
        yield from ("".join(called) for called in CALLED.findall(text))
    elif path in DOCUMENTS:
        yield from COMMAND.findall(text)
        yield from spans(text.splitlines())
    else:
        page = read_page(path, text)
        for fence in page.fences:
            if fence.language == "console":
                typed = fence.text.replace("\\\n", " ")
                yield from (line.removeprefix("$ ") for line in typed.splitlines())
            elif fence.language == "session":
                after = [*fence.body[1:], ""]
                for line, answer in zip(fence.body, after, strict=True):
                    if line.startswith("$ ") and "error: " not in answer:
                        yield line[2:].partition("|")[0]
        yield from spans(line for _, line in page.prose())


def spans(lines: Iterable[str]) -> Iterator[str]:
    """Yield the code spans that are commands or options."""
    found = (span for line in lines for span in code_spans(line))
    yield from (span for span in found if span.startswith(PROGRAMS))


@pytest.mark.parametrize("path", [*DOCUMENTS, *MACHINES, *PAGES], ids=str)
def test_each_command_is_understood(path: Path) -> None:
    found = {command: unknown(command) for command in commands_of(path)}
    assert {command: why for command, why in found.items() if why} == {}


def test_there_are_commands_in_fences_and_in_sentences() -> None:
    found = [command for path in PAGES for command in commands_of(path)]
    assert len(found) > 40
    assert any(command.startswith("torchrun") for command in found)
    assert all([*commands_of(path)] for path in MACHINES)


@pytest.mark.parametrize(
    "command",
    [
        "microgpt train --precisoin float32",
        "microgpt train --engine list",
        "microgpt train --engine torch --device cude",
        "python -m microgpt graph a --format tex",
        "python -m bench.rung",
        "python microgtp.py",
        "uv run mkdocs sevre",
        "pip instal uv",
        "microgtp train",
        "python -m bench gpu --step 7",
        "uv run pytest tests/package/engine/test_numpy.py",
        "pip install 'microgpt-guide[nump]'",
        "OMP_NUM_THREAD=1 microgpt train",
        "uv run pytset",
        "uv run poe tset",
        "poe tset",
        "uv run poe pins --latest",
        "uv run python web/npm.py run gone",
        "uv run zensical gone",
        "uv pip install '.[gone]'",
        "uv gone",
        "--node-ranks",
        "--compil",
        "torchrun --nproc-per-nodes 2 -m microgpt train --engine torch --batch 2",
        "torchrun --nproc-per-node 2 -m microgpt train --engine torch --batch 3",
        "torchrun --nproc-per-node 2 -m microgpt train --batch 2",
        "torchrun --nproc-per-node 2 -m microgpt train --engine torch --shards",
    ],
)
def test_a_command_that_nothing_understands_is_found(command: str) -> None:
    assert unknown(command)


def described() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of the program and of each command, by how it is called."""
    (below,) = (
        a for a in parser()._actions if isinstance(a, argparse._SubParsersAction)
    )
    return {p.prog: p for p in [parser(), *below.choices.values()]}


def test_every_command_s_help_stands_on_a_page_and_describes_each_option(
    guide: Guide,
) -> None:
    typed = {command for session in Session.all(guide) for command in session.typed}
    for name, its_parser in described().items():
        assert f"{name} --help" in typed
        for action in its_parser._actions:
            is_command = isinstance(action, argparse._SubParsersAction)
            assert action.help or is_command, (name, action.dest)


def test_help_states_the_defaults_that_hold() -> None:
    compared = 0
    for name, its_parser in described().items():
        for action in its_parser._actions:
            default = SETTINGS.get(action.dest, (action.default,))[0]
            if default not in (None, False, "", argparse.SUPPRESS):
                lines = its_parser.format_help()
                about = lines.partition(f"  {action.option_strings[0]} ")[2]
                about = " ".join(re.split(r"\n  --", about)[0].split())
                assert f"(default: {default}" in about, (name, action.dest)
                compared += 1
    assert compared >= 10


def test_a_session_is_what_its_commands_print(tmp_path: Path) -> None:
    typed = "$ echo one | tr o x\n$ microgpt sample --count 0\n$ echo $?\n"
    page = read_page(Path("docs/page.md"), f"# T\n\n```session\n{typed}```\n")
    (session,) = Session.on(page)
    first, *_, last = session.run(ROOT).splitlines()[1:]
    assert (first, last) == ("xne", "2")
