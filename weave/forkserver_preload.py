"""Imports for the fork server of `weave.run_blocks`, made once so that no fork needs to.

A project that cannot be imported is no error here: each block that needs it reports it.
"""

import tomllib
from contextlib import suppress
from importlib import import_module
from pathlib import Path

with suppress(Exception, SystemExit):
    settings = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))
    import_module(settings["tool"]["weave"]["names"])
