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

GPT_C_PATH = Path(__file__).with_name("gpt.c")
# The compiler may reorder sums, to add several numbers at a time.
COMPILER_OPTIONS = (
    "-std=c99",
    "-O3",
    "-shared",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fno-signed-zeros",
    "-fassociative-math",
    "-freciprocal-math",
)
# Options to use all instructions of this processor, or else none
PROCESSOR_TUNING_OPTIONS = (("-march=native",), ("-mcpu=native",), ())


def compile_library(
    *options: str, source: Path = GPT_C_PATH, folder: Path | None = None
) -> Path:
    """Return the path of a compiled library, compiling it if need be.

    Its name ends with the digest of its content, as loading a damaged
    one would end this process.

    Args:
        options: For the compiler, beside COMPILER_OPTIONS.
        source: What to compile.
        folder: Where to keep the library; if None, in the cache.

    Raises:
        ModuleNotFoundError: This machine has no C compiler.
        ValueError: No compiler can compile the source.
        OSError: Nothing can be written to the folder.
    """
    if sys.platform == "emscripten":
        raise ModuleNotFoundError("a browser cannot compile C", name="c")
    source_text, cpu = source.read_text("utf-8"), processor_cache_key()
    key = (source_text, *COMPILER_OPTIONS, *options, cpu)
    name = f"gpt-{short_digest(repr(key).encode())}"
    folder = folder or cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.glob(f"{name}-*.so"):
        if file.name == f"{name}-{short_digest(file.read_bytes())}.so":
            return file
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        new = Path(temporary) / "gpt.so"
        compile_with_any_compiler(new, source, options)
        file = folder / f"{name}-{short_digest(new.read_bytes())}.so"
        with suppress(PermissionError):  # another process was faster
            os.replace(new, file)
    return file


def short_digest(content: bytes) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256."""
    return sha256(content).hexdigest()[:16]


@cache
def temporary_folder_until_exit() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that is deleted when the process ends."""
    return tempfile.TemporaryDirectory(
        prefix="microgpt-", ignore_cleanup_errors=True
    )


def processor_cache_key() -> tuple[str, ...]:
    """Describe this processor, as machines may share the cache."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    keys = ("model name", "flags", "Features", "CPU part")
    features = {line for line in lines if line.startswith(keys)}
    machine = (sys.platform, platform.machine(), platform.processor())
    return (*machine, *sorted(features))


def compile_with_any_compiler(
    output: Path, source: Path, options: Sequence[str]
) -> None:
    """Compile a source with the first compiler that can."""
    fixed = [str(source), "-o", str(output), *COMPILER_OPTIONS, *options]
    if os.name != "nt":
        fixed += ["-fPIC", "-lm"]
    problem = ""
    for command in find_compilers():
        for tuning in PROCESSOR_TUNING_OPTIONS:
            try:
                result = subprocess.run(
                    [*command, *fixed, *tuning],
                    capture_output=True,
                    text=True,
                    errors="replace",
                    check=False,
                )
            except OSError as error:
                problem = problem or f"{command[0]}: {error.strerror}"
                break
            if result.returncode == 0:
                return
        lines = result.stderr.strip().splitlines() or ["no message"]
        first = next((line for line in lines if "error" in line), lines[-1])
        problem = problem or f"{shlex.join(command)}: {first}"
    if not problem:
        raise ModuleNotFoundError("there is no C compiler", name="c")
    raise ValueError(f"cannot compile {source.name}: {problem}")


def find_compilers() -> Iterator[list[str]]:
    """Yield commands that may compile C here, the likeliest first.

    Raises:
        ValueError: The environment variable CC is not a command.
    """
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        try:
            command = shlex.split(name)
        except ValueError as error:
            raise ValueError(
                f"CC={name} is not a command: {error}"
            ) from None
        if command and shutil.which(command[0]):
            yield command
    if find_spec("ziglang"):
        yield [sys.executable, "-m", "ziglang", "cc"]


def cache_folder() -> Path:
    """Return the folder of compiled libraries; it may be deleted."""
    folder = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not folder.is_absolute():
        folder = Path.home() / ".cache"
    return folder / "microgpt"
