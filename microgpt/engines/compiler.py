"""Compiles gpt.c once for this machine, and keeps the result."""

import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
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
    "-freciprocal-math",
)
# For this very processor, as compilers call it, or for any of its kind
PROCESSORS = (("-march=native",), ("-mcpu=native",), ())


def compiled(
    *options: str, source: Path = SOURCE, folder: Path | None = None
) -> Path:
    """Return the library made of gpt.c, which another process may have made.

    It is in `folder`, or where libraries are kept; OSError if nothing
    can be. Its name ends with the digest of its content, as loading a
    damaged one would end this process. Raise ModuleNotFoundError if
    this machine has no C compiler, and ValueError if none can compile.
    """
    if sys.platform == "emscripten":
        raise ModuleNotFoundError("browsers compile no C", name="c")
    known = (source.read_text("utf-8"), *OPTIONS, *options, processor())
    name = f"gpt-{digest(repr(known).encode())}"
    folder = folder or cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.glob(f"{name}-*.so"):
        if file.name == f"{name}-{digest(file.read_bytes())}.so":
            return file
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        made = Path(temporary) / "gpt.so"
        compile_to(made, source, options)
        file = folder / f"{name}-{digest(made.read_bytes())}.so"
        with suppress(PermissionError):  # another process was faster
            os.replace(made, file)
    return file


def digest(content: bytes) -> str:
    """Return what tells this content from others."""
    return sha256(content).hexdigest()[:16]


@cache
def of_this_process() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that goes when the process ends."""
    return tempfile.TemporaryDirectory(
        prefix="microgpt-", ignore_cleanup_errors=True
    )


def processor() -> tuple[str, ...]:
    """Tell this processor from others, which may share a home with it."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    kinds = ("model name", "flags", "Features", "CPU part")
    known = {line for line in lines if line.startswith(kinds)}
    machine = (sys.platform, platform.machine(), platform.processor())
    return (*machine, *sorted(known))


def compile_to(file: Path, source: Path, options: Sequence[str]) -> None:
    """Compile gpt.c with the first compiler that can."""
    fixed = [str(source), "-o", str(file), *OPTIONS, *options]
    if os.name != "nt":
        fixed += ["-fPIC", "-lm"]
    why = ""
    for command in compilers():
        for tuned in PROCESSORS:
            try:
                done = subprocess.run(
                    [*command, *fixed, *tuned],
                    capture_output=True,
                    text=True,
                    errors="replace",
                    check=False,
                )
            except OSError as error:
                why = why or f"{command[0]}: {error.strerror}"
                break
            if done.returncode == 0:
                return
        said = done.stderr.strip().splitlines() or ["it does not say why"]
        first = next((line for line in said if "error" in line), said[-1])
        why = why or f"{shlex.join(command)}: {first}"
    if not why:
        raise ModuleNotFoundError("there is no C compiler", name="c")
    raise ValueError(f"cannot compile gpt.c: {why}")


def compilers() -> Iterator[list[str]]:
    """Yield the commands that may compile C here, the likeliest first."""
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        try:
            command = shlex.split(name)
        except ValueError as error:
            raise ValueError(f"CC={name} is no command: {error}") from None
        if command and shutil.which(command[0]):
            yield command
    if find_spec("ziglang"):
        yield [sys.executable, "-m", "ziglang", "cc"]


def cache_folder() -> Path:
    """Return where to keep what can be made again."""
    found = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not found.is_absolute():
        found = Path.home() / ".cache"
    return found / "microgpt"
