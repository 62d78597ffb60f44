"""What the server of `weave.run_blocks` imports once, so that none of its forks need to.

Where the project cannot be imported, each block that needs it will say so.
"""

import tomllib
from contextlib import suppress
from importlib import import_module
from pathlib import Path

with suppress(Exception, SystemExit):
    settings = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))
    import_module(settings["tool"]["weave"]["names"])
