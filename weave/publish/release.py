"""Refuse a release that is not ready: `python -m weave.publish.release v1.2.3`."""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

VERSION = re.compile(r"^## \[(?P<version>[^\]]+)\] - (?P<day>.+)$", re.MULTILINE)
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
ADDRESSES = {"Homepage", "Source", "Changelog"}


def versions(changelog: str) -> list[tuple[str, str]]:
    """Return the versions of a changelog, the newest first, each with its day."""
    return [(found["version"], found["day"]) for found in VERSION.finditer(changelog)]


def unready(root: Path, tag: str) -> Iterator[str]:
    """Yield what is to be done before this tag can be released."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    if tag != f"v{project['version']}":
        yield f"the tag is {tag}, the version in pyproject.toml {project['version']}"
    version, day = versions((root / "CHANGELOG.md").read_text("utf-8"))[0]
    if tag != f"v{version}":
        yield f"the tag is {tag}, the newest version in CHANGELOG.md {version}"
    if not DAY.fullmatch(day):
        yield f"CHANGELOG.md gives version {version} no day"
    if missing := ADDRESSES - project.get("urls", {}).keys():
        yield f"[project.urls] in pyproject.toml lacks {', '.join(sorted(missing))}"


def main() -> int:
    """Say what is missing; return the exit status."""
    if len(sys.argv) != 2:
        print("usage: python -m weave.publish.release TAG", file=sys.stderr)
        return 2
    found = list(unready(Path(), sys.argv[1]))
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
