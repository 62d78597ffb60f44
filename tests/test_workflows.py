"""What runs on the project's host is well formed, and calls only what there is."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib.util import find_spec
from pathlib import Path
from sysconfig import get_path
from typing import Any

import pytest
import yaml

from tests.promises.site import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SCRIPTS = {file.stem for file in Path(get_path("scripts")).iterdir()}
NPM = json.loads((ROOT / "web" / "package.json").read_text("utf-8"))["scripts"]
EXTRAS = re.compile(r"\.\[(\w+)\]")
# What the host brings along, or an action installs.
HOSTS = {"cd", "echo", "git", "python", "uv", "uvx"}
UV = {"build", "pip", "run", "sync", "venv"}
# Installed by uv, which then gives the project's own to what it runs.
BESIDE = {"mkdocs", "npm", "python"}


def steps(workflow: dict[Any, Any]) -> Iterator[dict[str, Any]]:
    for job in workflow["jobs"].values():
        if "uses" in job:  # another workflow, as a whole
            assert (ROOT / job["uses"]).is_file()
        else:
            yield from job["steps"]


def unknown(words: list[str], folder: Path) -> Iterator[str]:
    """Yield what a command calls that there is not."""
    match words:
        case ["uv", command, *rest] if command in UV:
            if command == "run":
                yield from unknown_within(rest, folder)
            else:
                named = EXTRAS.findall(" ".join(rest))
                yield from (extra for extra in named if extra not in {"dev"})
        case [program, *_] if program.startswith("$RUNNER_TEMP/"):
            if Path(program).name not in SCRIPTS:
                yield program
        case [program, *rest]:
            if program in BESIDE:
                yield from unknown_within(words, folder)
            elif program not in HOSTS:
                yield program


def unknown_within(words: list[str], folder: Path) -> Iterator[str]:
    """Yield what a command calls of the project's environment that is not there."""
    program, *rest = words
    if program not in SCRIPTS:
        yield program
    match words:
        case ["python", "-m", module, *_]:
            if module != "pip" and find_spec(module) is None:
                yield module
        case ["npm", "run", script, *_] if script not in NPM:
            yield script
        case ["mkdocs" | "zensical", what, *_] if what not in {"build", "serve"}:
            yield what
    for word in rest:
        if "/" in word and not (folder / word).exists():
            yield word


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_calls_only_what_there_is(workflow: Path) -> None:
    read = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    assert read["permissions"], "says what it may do"
    assert read[True], "says when it runs: YAML takes `on` for a truth"
    for step in steps(read):
        assert ("uses" in step) != ("run" in step)
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w-]+@[\w./]+", step["uses"])
            continue
        where = step.get("working-directory", "")
        folder = ROOT if "${{" in where else ROOT / where
        assert folder.is_dir(), where
        for line in step["run"].splitlines():
            plain = re.sub(r"\$\([^)]*\)", "", line)
            assert list(unknown(shlex.split(plain), folder)) == [], line


# What other steps give, what publishing may do, and what the tags of versions are.
GIVEN = {"page_url", "base_url"}
NEEDED = {"gh-action-pypi-publish": "id-token", "deploy-pages": "id-token"}
BUILT = "site"  # where MkDocs writes unless it is told


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_begins_and_publishes_as_contributing_says(workflow: Path) -> None:
    text = workflow.read_text(encoding="utf-8")
    read = yaml.safe_load(text)
    push = (read[True] or {}).get("push", {})
    assert push.get("branches", ["main"]) == ["main"]
    assert all(fnmatch("v1.2.3", tag) for tag in push.get("tags", []))
    assert set(re.findall(r"outputs\.(\w+)", text)) <= GIVEN
    files = [ROOT / "conftest.py", *ROOT.glob("tests/**/*.py")]
    tests = "".join(file.read_text("utf-8") for file in files)
    for job in read["jobs"].values():
        for name in job.get("env", {}):
            assert not name.startswith("MICROGPT_") or f'"{name}"' in tests
        may = job.get("permissions", read["permissions"])
        for step in job.get("steps", []):
            action = step.get("uses", "").partition("@")[0].rpartition("/")[2]
            if wanted := NEEDED.get(action):
                assert may[wanted] == "write"
            if action == "upload-pages-artifact":
                assert step["with"]["path"] == BUILT


def test_every_change_meets_each_check_that_contributors_run() -> None:
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    for command in ("ruff check", "ruff format --check", "mypy", "pytest"):
        assert f"uv run {command}\n" in text
    assert "run: uv run npm run check\n        working-directory: web" in text


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_job_waits_for_jobs_and_takes_what_one_has_left(workflow: Path) -> None:
    read = yaml.safe_load(workflow.read_text(encoding="utf-8"))
    jobs, left = read["jobs"], set()
    for job in jobs.values():
        needs = job.get("needs", [])
        awaited = {needs} if isinstance(needs, str) else {*needs}
        assert awaited <= jobs.keys()
        for step in job.get("steps", []):
            action, given = step.get("uses", ""), step.get("with", {})
            if "/upload-artifact@" in action:
                left.add((given["name"], given["path"]))
            if "/download-artifact@" in action:
                assert (given["name"], given["path"]) in left


@pytest.mark.parametrize(
    "line",
    [
        "uv run pytset",
        "uv run python -m weave.gone",
        "uv run npm run gone",
        "uv run zensical gone",
        "uv run pytest tests/gone",
        "uv pip install '.[gone]'",
        "gone",
    ],
)
def test_what_there_is_not_is_found(line: str) -> None:
    assert list(unknown(shlex.split(line), ROOT)) != []


def test_publishing_says_of_which_day_the_commit_is() -> None:
    pages = (ROOT / ".github" / "workflows" / "pages.yml").read_text("utf-8")
    date = pages.index("SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)")
    assert date < pages.index("mkdocs build")
