"""A release is one version with one day, on the Pythons that the package names."""

import re
from datetime import date

from packaging.version import Version

from tests.commands import PROJECT
from tests.promises.site import ROOT

CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
VERSION = re.compile(r"^## \[([^\]]+)\] - (.+)$", re.MULTILINE)
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_newest_version_of_the_changelog_is_that_of_the_package() -> None:
    found = VERSION.findall(CHANGELOG)
    assert found[0][0] == PROJECT["project"]["version"]
    numbers = [Version(version) for version, _ in found]
    assert numbers == sorted(set(numbers), reverse=True)
    days = [day for _, day in found if day != "Unreleased"]
    assert all(date.fromisoformat(day).isoformat() == day for day in days)
    assert len(days) >= len(found) - 1
    assert days == sorted(days, reverse=True)


def test_the_changelog_has_the_headings_of_its_form() -> None:
    assert len(re.findall("^## ", CHANGELOG, re.MULTILINE)) == len(
        VERSION.findall(CHANGELOG)
    )
    assert set(re.findall("^### (.+)$", CHANGELOG, re.MULTILINE)) <= KINDS


def test_the_pythons_that_are_tested_are_those_that_the_package_names() -> None:
    names = re.findall(r"Python :: (3\.\d+)'", str(PROJECT["project"]["classifiers"]))
    assert f">={names[0]}" == PROJECT["project"]["requires-python"]
    for workflow in ("test.yml", "newest.yml"):
        text = (ROOT / ".github" / "workflows" / workflow).read_text("utf-8")
        (tested,) = re.findall(r"python: \[(.+)\]", text)
        assert re.findall(r"[\d.]+", tested) == names, workflow
