"""Pin what the guide is built and tested with: `python -m weave.publish.pin_dependencies`.

With `--upgrade`, the newest of all packages. The group `pins` of pyproject.toml is the one
list: uv and pip both read it. It holds the version of every package that the extra `dev`
brings along, on every Python and system. PyTorch is not among them, because each machine
needs a build of its own.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

PYPROJECT = Path("pyproject.toml")
PINS_GROUP = re.compile(r"^pins = \[\n(.*?)^\]\n", re.DOTALL | re.MULTILINE)


def replace_pins(settings: str, pins: list[str]) -> str:
    """Return the settings with these pins in the place of theirs."""
    lines = "".join(f'    "{pin}",\n' for pin in pins)
    return PINS_GROUP.sub(lambda _: f"pins = [\n{lines}]\n", settings, count=1)


if __name__ == "__main__":
    text = PYPROJECT.read_text(encoding="utf-8")
    settings = tomllib.loads(text)
    oldest = settings["project"]["requires-python"].removeprefix(">=")
    with tempfile.TemporaryDirectory() as folder:
        # uv prefers the versions that its output held before.
        output = Path(folder, "pins.txt")
        output.write_text("\n".join(settings["dependency-groups"]["pins"]), "utf-8")
        command = ["uv", "pip", "compile", "--universal", "--python-version", oldest]
        command += ["--extra", "dev", "--no-header", "--no-annotate", "--quiet"]
        command += ["--output-file", str(output), *sys.argv[1:], str(PYPROJECT)]
        subprocess.run(command, check=True)
        lines = output.read_text(encoding="utf-8").splitlines()
    # Options, of which some name addresses, are the business of a machine.
    pins = [line for line in lines if line and not line.startswith(("-", "#"))]
    PYPROJECT.write_text(replace_pins(text, pins), encoding="utf-8")
