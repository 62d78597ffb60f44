"""Pin the packages that build and test the guide, in the group `pins` of pyproject.toml.

uv and pip both read that group. It holds the version of every package that the extra `dev`
brings along, on every Python and system. PyTorch is not among them, because each machine
needs a build of its own.

Run `python -m weave.publish.pin_dependencies` after a change of dependencies; with
`--upgrade` all packages get their newest version.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

PYPROJECT = Path("pyproject.toml")
PINS_GROUP_PATTERN = re.compile(r"^pins = \[\n(.*?)^\]\n", re.DOTALL | re.MULTILINE)


def replace_pins(pyproject: str, pins: list[str]) -> str:
    """Return the text of pyproject.toml with these lines as its group of pins."""
    lines = "".join(f'    "{pin}",\n' for pin in pins)
    return PINS_GROUP_PATTERN.sub(lambda _: f"pins = [\n{lines}]\n", pyproject, count=1)


def resolve_pins(pyproject: str, options: list[str]) -> list[str]:
    """Return a pin, such as `numpy==2.1.0`, for each package that `dev` needs.

    The options are those of `uv pip compile`, such as `--upgrade`.
    """
    settings = tomllib.loads(pyproject)
    oldest = settings["project"]["requires-python"].removeprefix(">=")
    with tempfile.TemporaryDirectory() as folder:
        # uv prefers the versions that its output held before.
        output = Path(folder, "pins.txt")
        output.write_text("\n".join(settings["dependency-groups"]["pins"]), "utf-8")
        command = ["uv", "pip", "compile", "--universal", "--python-version", oldest]
        command += ["--extra", "dev", "--no-header", "--no-annotate", "--quiet"]
        command += ["--output-file", str(output), *options, str(PYPROJECT)]
        subprocess.run(command, check=True)
        lines = output.read_text(encoding="utf-8").splitlines()
    # Options, such as the address of a package index, concern only this machine.
    return [line for line in lines if line and not line.startswith(("-", "#"))]


if __name__ == "__main__":
    text = PYPROJECT.read_text(encoding="utf-8")
    PYPROJECT.write_text(replace_pins(text, resolve_pins(text, sys.argv[1:])), "utf-8")
