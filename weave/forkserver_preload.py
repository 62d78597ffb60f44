"""Imports for the fork server of `weave.run_blocks`, made once so that no fork needs to.

If the project cannot be imported, nothing fails here: each block that needs it reports
the error.
"""

import tomllib
from contextlib import suppress
from importlib import import_module
from pathlib import Path

with suppress(Exception, SystemExit):
    settings = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))
    import_module(settings["tool"]["weave"]["namespace"])
