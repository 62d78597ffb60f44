"""Pin what the guide is built and tested with: `python -m weave.publish.pins`, or `--newest`.

The group `pins` of pyproject.toml is the one list: uv and pip both read it. It holds the
version of every package that the extra `dev` brings along, on every Python and system.
PyTorch is not among them, because each machine needs a build of its own.
"""

import argparse
import re
import subprocess
import tempfile
import tomllib
from pathlib import Path

SETTINGS = Path("pyproject.toml")
GROUP = re.compile(r"^pins = \[\n(.*?)^\]\n", re.DOTALL | re.MULTILINE)


def resolved(pinned: list[str], oldest: str, *, newest: bool) -> list[str]:
    """Return the pins that uv finds; as they are, unless they must change or should."""
    with tempfile.TemporaryDirectory() as folder:
        # uv prefers the versions that its output held before.
        output = Path(folder, "pins.txt")
        output.write_text("\n".join(pinned), "utf-8")
        command = ["uv", "pip", "compile", "--universal", "--python-version", oldest]
        command += ["--extra", "dev", "--no-header", "--no-annotate", "--quiet"]
        command += ["--output-file", str(output), *(["--upgrade"] if newest else [])]
        subprocess.run([*command, str(SETTINGS)], check=True)
        lines = output.read_text(encoding="utf-8").splitlines()
    # Options, of which some name addresses, are the business of a machine.
    return [line for line in lines if line and not line.startswith(("-", "#"))]


def with_pins(settings: str, pins: list[str]) -> str:
    """Return the settings with these pins in the place of theirs."""
    lines = "".join(f'    "{pin}",\n' for pin in pins)
    return GROUP.sub(lambda _: f"pins = [\n{lines}]\n", settings, count=1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--newest", action="store_true", help="of all packages")
    newest = parser.parse_args().newest
    text = SETTINGS.read_text(encoding="utf-8")
    settings = tomllib.loads(text)
    oldest = settings["project"]["requires-python"].removeprefix(">=")
    pins = resolved(settings["dependency-groups"]["pins"], oldest, newest=newest)
    SETTINGS.write_text(with_pins(text, pins), encoding="utf-8")
