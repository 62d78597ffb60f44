"""A release is one version, of which the changelog tells."""

import re

from tests.promises.site import ROOT
from tests.promises.test_commands import PROJECT


def test_the_newest_version_of_the_changelog_is_that_of_the_package() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## \[(.+)\] - ", changelog, re.MULTILINE)
    assert newest and newest[1] == PROJECT["project"]["version"]
