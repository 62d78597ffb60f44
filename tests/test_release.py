"""A release is one version with one day, and its workflow refuses what is not ready."""

import re
from datetime import date
from pathlib import Path

from packaging.version import Version

from tests.commands import PROJECT
from tests.promises.site import ROOT
from weave.publish.release import DAY, unready, versions

CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_newest_version_of_the_changelog_is_that_of_the_package() -> None:
    found = versions(CHANGELOG)
    assert found[0][0] == PROJECT["project"]["version"]
    numbers = [Version(version) for version, _ in found]
    assert numbers == sorted(set(numbers), reverse=True)
    days = [day for _, day in found if day != "Unreleased"]
    assert all(DAY.fullmatch(day) and date.fromisoformat(day) for day in days)
    assert len(days) >= len(found) - 1
    assert days == sorted(days, reverse=True)


def test_the_changelog_has_the_headings_of_its_form() -> None:
    assert len(re.findall("^## ", CHANGELOG, re.MULTILINE)) == len(versions(CHANGELOG))
    assert set(re.findall("^### (.+)$", CHANGELOG, re.MULTILINE)) <= KINDS


def test_the_pythons_that_are_tested_are_those_that_the_package_names() -> None:
    names = re.findall(r"Python :: (3\.\d+)'", str(PROJECT["project"]["classifiers"]))
    assert f">={names[0]}" == PROJECT["project"]["requires-python"]
    for workflow in ("test.yml", "newest.yml"):
        text = (ROOT / ".github" / "workflows" / workflow).read_text("utf-8")
        (tested,) = re.findall(r"python: \[(.+)\]", text)
        assert re.findall(r"[\d.]+", tested) == names, workflow


def test_a_release_needs_one_version_a_day_and_addresses(tmp_path: Path) -> None:
    settings, changelog = tmp_path / "pyproject.toml", tmp_path / "CHANGELOG.md"
    settings.write_text('[project]\nversion = "1.2"\n')
    changelog.write_text("## [1.1] - Unreleased\n")
    assert len(list(unready(tmp_path, "v1.3"))) == 4
    urls = '[project.urls]\nHomepage = "a"\nSource = "b"\nChangelog = "c"\n'
    settings.write_text(f'[project]\nversion = "1.2"\n{urls}')
    changelog.write_text("## [1.2] - 2026-01-01\n\n## [1.1] - 2025-01-01\n")
    assert list(unready(tmp_path, "v1.2")) == []
