"""What git and GitHub do with a change: every check, and nothing is published without.

That all that they call is there, `tests/promises/test_commands.py` sees.
"""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.commands import TASKS
from tests.promises.site import ROOT
from weave.guide import Guide

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
# What publishing may do.
NEEDED = {"gh-action-pypi-publish": "id-token", "deploy-pages": "id-token"}


def read(file: Path) -> Any:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def test_every_change_meets_each_check_that_contributors_run() -> None:
    tasks = [TASKS[name] for name in ("ci", *TASKS["ci"]["sequence"])]
    called = [step for task in tasks for step in task.get("sequence", [task])]
    commands = {step["cmd"] for step in called if isinstance(step, dict)}
    checks = {"ruff check", "ruff format --check", "mypy", "pytest -m 'not nightly'"}
    assert checks | {"python web/npm.py run check"} <= commands
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert (
        re.findall(r"^uv run poe (.+)$", script, re.MULTILINE)
        == TASKS["ci"]["sequence"]
    )
    steps = read(GITHUB / "workflows" / "test.yml")["jobs"]["test"]["steps"]
    assert {"run": "uv run poe ci"} in steps


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_what_publishes_may_do_so_after_the_tests(workflow: Path) -> None:
    whole = read(workflow)
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


def test_a_commit_checks_each_page_and_lab_that_it_changes(guide: Guide) -> None:
    (repository,) = read(ROOT / ".pre-commit-config.yaml")["repos"]
    (hook,) = (hook for hook in repository["hooks"] if hook["id"] == "weave-check")
    assert hook["entry"] == "uv run poe check"
    checked = re.compile(hook["files"])
    pages = [path.as_posix() for path in (*guide.paths, *guide.labs)]
    assert [page for page in pages if not checked.search(page)] == []
    assert not checked.search("docs/styles/tokens.css")
    assert not checked.search("CONTRIBUTING.md")


def test_who_says_that_a_page_is_wrong_finds_a_form_and_its_page_filled_in() -> None:
    theme = (ROOT / "web" / "theme" / "main.html").read_text("utf-8")
    (link,) = re.findall(r"/issues/new\?(.+) %}", theme)
    (template,) = re.findall(r"template=([\w.]+)", link)
    form = read(GITHUB / "ISSUE_TEMPLATE" / template)
    assert form["name"] and form["description"]
    fields = {field["id"] for field in form["body"]}
    filled = {*re.findall(r"(\w+)=", link)} - {"template", "title"}
    assert filled and filled <= fields
