"""Compiles gpt.c once for this machine, and keeps the result."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

SOURCE = Path(__file__).with_name("gpt.c")
# Sums may be added up in another order, several numbers at a time.
OPTIONS = (
    "-std=c99",
    "-O3",
    "-shared",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fno-signed-zeros",
    "-fassociative-math",
)
# For this very processor, as compilers call it, or for any of its kind
PROCESSORS: tuple[list[str], ...] = (
    ["-march=native"],
    ["-mcpu=native"],
    [],
)


def compiled(*options: str) -> Path:
    """Return the library made of gpt.c, which another process may have made.

    Raise ModuleNotFoundError if this machine has no C compiler, and
    ValueError if it cannot compile.
    """
    # A home may be shared by machines with other processors.
    machine = (platform.node(), platform.machine(), sys.platform)
    known = (SOURCE.read_text("utf-8"), *OPTIONS, *options, *machine)
    name = f"gpt-{sha256(repr(known).encode()).hexdigest()[:16]}.so"
    folder = cache_folder()
    if not (folder / name).exists():
        command = find_compiler()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder) as temporary:
                made = Path(temporary) / name
                compile_to(made, command, options)
                os.replace(made, folder / name)
        except OSError as error:
            raise ValueError(
                f"cannot keep the compiled engine in {folder}: {error.strerror}"
            ) from None
    return folder / name


def compile_to(
    file: Path, command: Sequence[str], options: Sequence[str]
) -> None:
    """Compile gpt.c for this processor, or for any if that fails."""
    fixed = [*OPTIONS, *options]
    if os.name != "nt":
        fixed += ["-fPIC", "-lm"]
    for processor in PROCESSORS:
        done = subprocess.run(
            [*command, str(SOURCE), "-o", str(file), *fixed, *processor],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode == 0:
            return
    said = (done.stderr.strip() or "no word of why").splitlines()[-1]
    raise ValueError(f"{' '.join(command)} cannot compile gpt.c: {said}")


def find_compiler() -> list[str]:
    """Return the command that compiles C here."""
    for name in (os.environ.get("CC"), "cc", "gcc", "clang"):
        if name and shutil.which(name):
            return [name]
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc"]
    raise ModuleNotFoundError("there is no C compiler", name="c")


def cache_folder() -> Path:
    """Return where this system keeps what can be made again."""
    if os.name == "nt":
        base = os.environ.get("LOCALAPPDATA")
        default = Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base, default = None, Path.home() / "Library" / "Caches"
    else:
        base, default = (
            os.environ.get("XDG_CACHE_HOME"),
            Path.home() / ".cache",
        )
    return Path(base or default) / "microgpt"
