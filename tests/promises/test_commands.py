"""Each command that a page tells readers to type is one that the program understands."""

import argparse
import importlib.util
import re
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from microgpt.cli.options import SETTINGS
from microgpt.cli.parser import parser
from tests.package.helpers import microgpt
from tests.promises.site import ROOT
from tests.site.browsing import WRITTEN
from weave.guide import Guide
from weave.kinds.command import command_table, commands
from weave.kinds.session import Session
from weave.page import read_page
from weave.text import CODE_SPAN

PAGES = ["docs" / page for page in WRITTEN]
README = Path("README.md")
PROGRAMS = ("microgpt", "torchrun", "python -m", "uv run", "pip install", "-")
OTHERS = {"cd", "echo", "git", "head", "pip", "uv"}  # understood by others
VARIABLE = re.compile(r"([A-Z_]+)=\S+")
DEVICES = {None, "cpu", "cuda", "mps", "auto"}
# What `uv run` starts
TOOLS = {"mkdocs", "pytest", "python", "ruff", "mypy", "playwright", "poe", "microgpt"}


def commands_of(path: Path) -> Iterator[str]:
    """Yield what fences and code spans say to type, each command in one line."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if path == README:
        yield from re.findall(r"^    (?:\$ )?(microgpt .+)$", text, re.MULTILINE)
        lines = text.splitlines()
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
        lines = [line for _, line in page.prose()]
    for line in lines:
        spans = (match[0].strip("`").strip() for match in CODE_SPAN.finditer(line))
        yield from (span for span in spans if span.startswith(PROGRAMS))


def unknown(command: str) -> str:
    """Return what nothing understands in a command, or nothing."""
    words = shlex.split(re.sub(r"\$\([^)]*\)", "FILE", command))
    while words and (variable := VARIABLE.fullmatch(words[0])):
        if not re.search(rf"\b{variable[1]}=\"", sources("tests/**/test_*.py")):
            return variable[1]
        del words[0]
    match words:
        case ["python", "-m", "microgpt", *rest] | ["microgpt", *rest]:
            return refused(parser(), rest)
        case ["torchrun", *rest]:
            return unknown_to_torchrun(rest)
        case ["python", "-m", module, *rest]:
            if importlib.util.find_spec(module) is None:
                return module
            path = module.replace(".", "/")
            source = sources(f"{path}*", f"{path}/__main__.py")
            return next((w for w in options(rest) if f'"{w}"' not in source), "")
        case ["uv", "run", tool, *rest]:
            paths = [word for word in rest if "/" in word]
            missing = [path for path in paths if not (ROOT / path).exists()]
            if tool == "mkdocs" and not {*rest} & {"build", "serve"}:
                return " ".join(rest)
            return next(iter(missing), "" if tool in TOOLS else tool)
        case ["pip", other, *_] if other != "install":
            return other
        case ["pip", "install", *rest]:
            extras = re.findall(r"\[(\w+)\]", " ".join(rest))
            return next((extra for extra in extras if extra not in known_extras()), "")
        case [option, *_] if option.startswith("--"):
            known = consoles() + sources("microgpt/cli/parser.py", "snippets/*.py")
            return "" if re.search(rf"{option}(?![\w-])", known) else option
        case ["python", program, *_] if program.endswith(".py"):
            return "" if (ROOT / "docs" / "downloads" / program).exists() else program
        case [program, *_] if program.isalpha() and program not in OTHERS | TOOLS:
            return program
    return ""


def options(words: list[str]) -> list[str]:
    return [word for word in words if word.startswith("-")]


@cache
def sources(*patterns: str) -> str:
    files = [file for pattern in patterns for file in ROOT.glob(pattern)]
    return "\n".join(f.read_text(encoding="utf-8") for f in files if f.suffix == ".py")


@cache
def consoles() -> str:
    """Return the fences' commands, which are parsed themselves."""
    fences = [f for path in PAGES for f in read_page(path, text_of(path)).fences]
    return "".join(fence.text for fence in fences if fence.language == "console")


def text_of(path: Path) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def known_extras() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return list(project["project"]["optional-dependencies"])


def refused(program: argparse.ArgumentParser, words: list[str]) -> str:
    """Return the words if no program takes them, not even when they go on."""
    for more in ([], ["1"]):
        try:
            given = program.parse_args([*words, *more])
        except SystemExit:
            continue
        device = getattr(given, "device", None)
        return "" if device in DEVICES else str(device)
    return " ".join(words)


def unknown_to_torchrun(words: list[str]) -> str:
    runner = pytest.importorskip("torch.distributed.run").get_args_parser()
    try:
        given = runner.parse_args(words)
    except SystemExit:
        return " ".join(words)
    if not given.module or given.training_script != "microgpt":
        return str(given.training_script)
    rest = given.training_script_args
    if wrong := refused(parser(), rest):
        return wrong
    trained = parser().parse_args(rest)
    processes = int(given.nnodes.split(":")[0]) * int(given.nproc_per_node)
    if trained.engine != "torch" or (trained.batch or 1) % processes:
        return f"{trained.batch} documents for {processes} processes"
    return ""


@pytest.mark.parametrize("path", [README, *PAGES], ids=str)
def test_each_command_of_a_page_is_understood(path: Path) -> None:
    found = {command: unknown(command) for command in commands_of(path)}
    assert {command: why for command, why in found.items() if why} == {}


def test_there_are_commands_in_fences_and_in_sentences() -> None:
    found = [command for path in PAGES for command in commands_of(path)]
    assert len(found) > 40
    assert any(command.startswith("torchrun") for command in found)


@pytest.mark.parametrize(
    "command",
    [
        "microgpt train --precisoin float32",
        "microgpt train --engine list",
        "microgpt train --engine torch --device cude",
        "python -m microgpt graph a --format tex",
        "python -m bench.piece",
        "python microgtp.py",
        "uv run mkdocs sevre",
        "pip instal uv",
        "microgtp train",
        "python -m bench gpu --step 7",
        "uv run pytest tests/package/engine/test_numpy.py",
        "pip install 'microgpt-guide[nump]'",
        "OMP_NUM_THREAD=1 microgpt train",
        "--node-ranks",
        "--compil",
    ],
)
def test_a_misspelt_command_is_found(command: str) -> None:
    assert unknown(command)


@pytest.mark.parametrize(
    "command",
    [
        "torchrun --nproc-per-nodes 2 -m microgpt train --engine torch --batch 2",
        "torchrun --nproc-per-node 2 -m microgpt train --engine torch --batch 3",
        "torchrun --nproc-per-node 2 -m microgpt train --batch 2",
        "torchrun --nproc-per-node 2 -m microgpt train --engine torch --shards",
    ],
)
def test_a_command_that_torchrun_or_its_processes_refuse_is_found(command: str) -> None:
    pytest.importorskip("torch")
    assert unknown(command)


def entries(guide: Guide, name: str) -> dict[str, str]:
    """Return what the reference says of each option of a command."""
    command = commands(guide.root)[name]
    html = BeautifulSoup(command_table(command), "lxml")
    pairs = zip(html.select("dt"), html.select("dd"), strict=True)
    return {term.get_text(): text.get_text() for term, text in pairs}


def test_the_reference_has_every_command_and_option_and_no_other(guide: Guide) -> None:
    fences = [f for page in guide.pages.values() for f in page.fences]
    shown = [f.text.strip() for f in fences if f.language == "command"]
    assert shown == ["microgpt", "train", "sample", "graph", "names"]
    for name in shown[1:]:
        text = microgpt(name, "--help", folder=ROOT).stdout
        helped = set(re.findall(r"^  (--[a-z-]+|[A-Z]+)\b", text, re.MULTILINE))
        said = {term.split()[0] for term in entries(guide, name)}
        assert said == helped


def test_the_reference_states_the_defaults_that_hold(guide: Guide) -> None:
    compared = 0
    for name in ("train", "sample", "graph"):
        given = parser().parse_args([name, *(["a"] if name == "graph" else [])])
        for term, text in entries(guide, name).items():
            setting = term.split()[0].lstrip("-").replace("-", "_")
            default = SETTINGS.get(setting, (getattr(given, setting, None),))[0]
            said = re.search(r"Default: (\S+?)[.,]?( |$)", text)
            if said and said[1] not in ("our", "a", "cpu", "float64"):
                assert said[1] == str(default), term
                compared += 1
    assert compared > 12


def test_a_session_is_what_its_commands_print(tmp_path: Path) -> None:
    typed = "$ echo one | tr o x\n$ microgpt sample --count 0\n$ echo $?\n"
    page = read_page(Path("docs/page.md"), f"# T\n\n```session\n{typed}```\n")
    (session,) = Session.on(page)
    first, *_, last = session.run(ROOT).splitlines()[1:]
    assert (first, last) == ("xne", "2")
