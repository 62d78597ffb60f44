"""What people and machines type, and whether all that it names is there."""

import argparse
import importlib.util
import json
import re
import shlex
import tomllib
from functools import cache
from pathlib import Path
from sysconfig import get_path
from typing import Any

import pytest

from microgpt.cli.parser import parser
from tests.promises.site import ROOT
from weave.text import CODE_SPAN

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TASKS: dict[str, dict[str, Any]] = PROJECT["tool"]["poe"]["tasks"]
EXTRAS = PROJECT["project"]["optional-dependencies"].keys()
NPM = json.loads((ROOT / "web" / "package.json").read_text("utf-8"))["scripts"]
# What the environment of the project has, and what is understood by others.
SCRIPTS = {file.stem for file in Path(get_path("scripts")).iterdir()}
OTHERS = {"cd", "curl", "echo", "git", "grep", "head", "npm", "pip"}
OTHERS |= {"sudo", "uv", "uvx"}
VARIABLE = re.compile(r"([A-Z_]+)=\S+")
DEVICES = {None, "cpu", "cuda", "mps", "auto"}


def code_spans(text: str) -> list[str]:
    """Return what a line, or a docstring, sets as code."""
    return [match[0].strip("`").strip() for match in CODE_SPAN.finditer(text)]


def unknown(command: str) -> str:
    """Return what nothing understands in a command, or nothing."""
    words = shlex.split(re.sub(r"\$\([^)]*\)", "FILE", command), comments=True)
    return not_understood([word for word in words if "NAME" not in word])


def not_understood(words: list[str]) -> str:
    match words:
        case [word, *rest] if variable := VARIABLE.fullmatch(word):
            used = re.search(rf"\b{variable[1]}=\"", sources("tests/**/test_*.py"))
            return not_understood(rest) if used else variable[1]
        case [program, *rest] if "/bin/" in program:  # of an environment
            return not_understood([Path(program).name, *rest])
        case ["uv", "run", *rest]:
            lost = [word for word in rest if "/" in word and not (ROOT / word).exists()]
            return next(iter(lost), "") or not_understood(rest)
        case ["python", "-m", "microgpt", *rest] | ["microgpt", *rest]:
            return refused(rest)
        case ["torchrun", *rest]:
            return unknown_to_torchrun(rest)
        case ["uv" | "python", "pip", *rest] | ["python", "-m", "pip", *rest]:
            return not_understood(["pip", *rest])
        case ["pip", "install", *rest]:
            extras = re.findall(r"\[(\w+)\]", " ".join(rest))
            return next((extra for extra in extras if extra not in EXTRAS), "")
        case ["python", "-m", module, *rest]:
            if importlib.util.find_spec(module) is None:
                return module
            path = module.replace(".", "/")
            source = sources(f"{path}*", f"{path}/__main__.py")
            options = [word for word in rest if word.startswith("-")]
            lost = [word for word in options if source and f'"{word}"' not in source]
            return next(iter(lost), "")
        case ["python", program, *rest] if program.endswith(".py"):
            if program == "web/npm.py":
                return "" if rest[1] in NPM else rest[1]
            places = (ROOT / program, ROOT / "docs" / "downloads" / program)
            return "" if any(place.exists() for place in places) else program
        case ["poe", task, *rest]:
            whole = TASKS.get(task, {}).get("cmd", "")
            if rest and whole:
                return not_understood([*shlex.split(whole), *rest])
            return "" if task in TASKS else task
        case ["mkdocs" | "zensical", what, *_] if what not in {"build", "serve"}:
            return what
        case ["pip", what, *_]:
            return what
        case ["uv", what, *_] if what not in {"build", "sync", "venv"}:
            return what
        case [option, *_] if option.startswith("--"):
            programs = ("microgpt/cli/parser.py", "snippets/*.py", "weave/__main__.py")
            known = consoles() + sources(*programs)
            return "" if re.search(rf"{option}(?![\w-])", known) else option
        case [program, *_] if program.isalpha() and program not in OTHERS | SCRIPTS:
            return program
    return ""


@cache
def sources(*patterns: str) -> str:
    files = [file for pattern in patterns for file in ROOT.glob(pattern)]
    return "\n".join(f.read_text(encoding="utf-8") for f in files if f.suffix == ".py")


@cache
def consoles() -> str:
    """Return the fences' commands, which are parsed themselves."""
    texts = "\n".join(f.read_text("utf-8") for f in (ROOT / "docs").glob("**/*.md"))
    return "".join(
        re.findall(r"^```console\n(.*?)^```", texts, re.MULTILINE | re.DOTALL)
    )


def refused(words: list[str]) -> str:
    """Return the words if `microgpt` does not take them, not even when they go on."""
    for more in ([], ["1"]):
        try:
            given = parser().parse_args([*words, *more])
        except SystemExit as end:
            if end.code == 0:  # it asks for help
                return ""
            continue
        device = getattr(given, "device", None)
        return "" if device in DEVICES else str(device)
    return " ".join(words)


def unknown_to_torchrun(words: list[str]) -> str:
    runner: argparse.ArgumentParser = pytest.importorskip(
        "torch.distributed.run"
    ).get_args_parser()
    try:
        given = runner.parse_args(words)
    except SystemExit:
        return " ".join(words)
    if not given.module or given.training_script != "microgpt":
        return str(given.training_script)
    rest = given.training_script_args
    if wrong := refused(rest):
        return wrong
    trained = parser().parse_args(rest)
    processes = int(given.nnodes.split(":")[0]) * int(given.nproc_per_node)
    if trained.engine != "torch" or (trained.batch or 1) % processes:
        return f"{trained.batch} documents for {processes} processes"
    return ""
