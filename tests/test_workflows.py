"""Contributors' commands, and what git and GitHub do with them, are whole."""

import json
import os
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib.util import find_spec
from pathlib import Path
from sysconfig import get_path
from typing import Any

import pytest
import yaml

from tests.promises.site import ROOT
from tests.weave.conftest import OPTIONS, Project
from weave.guide import Guide

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
SETTINGS = (ROOT / "pyproject.toml").read_text("utf-8")
TASKS = tomllib.loads(SETTINGS)["tool"]["poe"]["tasks"]
SCRIPTS = {file.stem for file in Path(get_path("scripts")).iterdir()}
NPM = json.loads((ROOT / "web" / "package.json").read_text("utf-8"))["scripts"]
# What the host brings along, or an action installs.
HOSTS = {"cd", "echo", "git", "python", "sudo", "uv", "uvx"}
UV = {"build", "pip", "sync", "venv"}


def read(file: Path) -> Any:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def unknown(words: list[str]) -> Iterator[str]:
    """Yield what a command calls on GitHub that there is not."""
    match words:
        case ["uv", "run", *rest]:
            yield from unknown_within(rest)
        case ["poe", *_]:
            yield from unknown_within(words)
        case ["uv", command, *rest]:
            extras = re.findall(r"\.\[(\w+)\]", " ".join(rest))
            yield from ({command} - UV) | ({*extras} - {"dev"})
        case [program, *_] if program.startswith("$RUNNER_TEMP/"):
            yield from {Path(program).name} - SCRIPTS
        case [program, *_] if program not in HOSTS:
            yield program


def unknown_within(words: list[str]) -> Iterator[str]:
    """Yield what a command calls of the project's environment that there is not."""
    program, *rest = words
    if program not in SCRIPTS:
        yield program
    match words:
        case ["poe", task, *_]:
            yield from {task} - TASKS.keys()
        case ["python", "-m", module, *_]:
            if module != "pip" and find_spec(module) is None:
                yield module
        case ["python", "web/npm.py", "run", script]:
            yield from {script} - NPM.keys()
        case ["mkdocs" | "zensical", what, *_]:
            yield from {what} - {"build", "serve"}
    for word in rest:
        if "/" in word and not (ROOT / word).exists():
            yield word


def commands(task: dict[str, Any]) -> list[str]:
    """Return the commands of a task, or the names of other tasks."""
    steps = task.get("sequence", [task])
    return [step if isinstance(step, str) else step["cmd"] for step in steps]


@pytest.mark.parametrize("name", TASKS)
def test_a_task_says_what_it_does_and_calls_only_what_there_is(name: str) -> None:
    assert len(TASKS[name]["help"]) > 10
    for command in commands(TASKS[name]):
        words = shlex.split(command)
        assert command in TASKS or not [*unknown_within(words)], command


def test_every_change_meets_each_check_that_contributors_run() -> None:
    called = [
        c for task in ("ci", *TASKS["ci"]["sequence"]) for c in commands(TASKS[task])
    ]
    checks = ("ruff check", "ruff format --check", "mypy", "pytest -m 'not nightly'")
    assert {*checks, "python web/npm.py run check"} <= {*called}
    assert "\nuv run poe ci\n" in (ROOT / ".ci" / "run").read_text("utf-8")
    steps = read(GITHUB / "workflows" / "test.yml")["jobs"]["test"]["steps"]
    assert {"run": "uv run poe ci"} in steps


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_calls_only_what_there_is(workflow: Path) -> None:
    whole = read(workflow)
    assert whole["permissions"], "says what it may do"
    begins = whole[True]  # when it runs: YAML takes `on` for a truth
    push = begins.get("push") or {}
    assert push.get("branches", ["main"]) == ["main"]
    assert all(fnmatch("v1.2.3", tag) for tag in push.get("tags", []))
    jobs, left = whole["jobs"], set()
    for job in jobs.values():
        needs = job.get("needs", [])
        assert ({needs} if isinstance(needs, str) else {*needs}) <= jobs.keys()
        if "uses" in job:  # another workflow, as a whole
            assert "workflow_call" in read(ROOT / job["uses"])[True]
        for step in job.get("steps", []):
            assert ("uses" in step) != ("run" in step)
            action, given = step.get("uses", ""), step.get("with", {})
            assert re.fullmatch(r"([\w-]+/[\w-]+@[\w./]+)?", action)
            if "/upload-artifact@" in action:
                left.add((given["name"], given["path"]))
            if "/download-artifact@" in action:
                assert (given["name"], given["path"]) in left
            for line in step.get("run", "").splitlines():
                plain = re.sub(r"\$\([^)]*\)", "", line)
                assert [*unknown(shlex.split(plain))] == [], line


# What publishing may do, and what other steps give.
NEEDED = {"gh-action-pypi-publish": "id-token", "deploy-pages": "id-token"}
GIVEN = {"page_url", "base_url"}


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_what_publishes_may_do_so_after_the_tests(workflow: Path) -> None:
    whole = read(workflow)
    assert {*re.findall(r"outputs\.(\w+)", workflow.read_text("utf-8"))} <= GIVEN
    for job in whole["jobs"].values():
        may = job.get("permissions", whole["permissions"])
        for step in job.get("steps", []):
            action = step.get("uses", "").partition("@")[0].rpartition("/")[2]
            assert action not in NEEDED or may[NEEDED[action]] == "write"
            if action == "upload-pages-artifact":
                assert step["with"]["path"] == "site"  # where MkDocs writes
            if action == "gh-action-pypi-publish":
                assert {*job["needs"]} >= {"test", "nightly", "build"}


def test_publishing_says_of_which_day_the_commit_is() -> None:
    pages = (GITHUB / "workflows" / "pages.yml").read_text("utf-8")
    date = pages.index("SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)")
    assert date < pages.index("poe build")


@pytest.mark.parametrize(
    "line",
    [
        "uv run pytset",
        "uv run poe tset",
        "poe tset",
        "uv run python -m weave.gone",
        "uv run python web/npm.py run gone",
        "uv run zensical gone",
        "uv run pytest tests/gone",
        "uv pip install '.[gone]'",
        "uv gone",
        "gone",
    ],
)
def test_what_there_is_not_is_found(line: str) -> None:
    assert [*unknown(shlex.split(line))] != []


HOOKS = {
    hook["id"]: hook
    for repository in read(ROOT / ".pre-commit-config.yaml")["repos"]
    for hook in repository["hooks"]
}


@pytest.mark.parametrize("name", HOOKS)
def test_a_commit_calls_only_what_there_is(name: str) -> None:
    assert [*unknown(shlex.split(HOOKS[name]["entry"]))] == []


def test_a_commit_checks_each_page_and_lab_that_it_changes(guide: Guide) -> None:
    checked = re.compile(HOOKS["weave-check"]["files"])
    pages = [path.as_posix() for path in (*guide.paths, *guide.labs)]
    assert [page for page in pages if not checked.search(page)] == []
    assert not checked.search("docs/styles/tokens.css")
    assert not checked.search("CONTRIBUTING.md")


def test_a_commit_takes_a_page_that_is_true_and_no_other(tmp_path: Path) -> None:
    project = Project(tmp_path / "project")
    program, *entry = HOOKS["weave-check"]["entry"].removeprefix("uv run ").split()
    scripts = get_path("scripts")
    path = os.pathsep.join([scripts, os.environ["PATH"]])
    tasks = SETTINGS.partition("[tool.poe]")[2].partition("[tool.ruff]")[0]
    project.write("pyproject.toml", f"{OPTIONS}[tool.poe]{tasks}")
    block = "# A page\n\n```python\nprint(1 + 1)\n```\n\n"
    output = "<!--pytest-codeblocks:expected-output-->\n```text\n{}\n```\n"
    for said, status in (("2", 0), ("3", 1)):
        page = project.write("docs/two/first.md", block + output.format(said))
        done = subprocess.run(
            [Path(scripts, program), "-e", "simple", *entry, page],
            cwd=project.root,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status, done.stdout + done.stderr
        assert ("docs/two/first.md:9" in done.stdout + done.stderr) == bool(status)


def test_who_says_that_a_page_is_wrong_finds_a_form_and_its_page_filled_in() -> None:
    theme = (ROOT / "web" / "theme" / "main.html").read_text("utf-8")
    (link,) = re.findall(r"/issues/new\?(.+) %}", theme)
    (template,) = re.findall(r"template=([\w.]+)", link)
    form = read(GITHUB / "ISSUE_TEMPLATE" / template)
    assert form["name"] and form["description"]
    fields = {field["id"] for field in form["body"]}
    filled = {*re.findall(r"(\w+)=", link)} - {"template", "title"}
    assert filled and filled <= fields
