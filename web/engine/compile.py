"""Compiles gpt.c to WebAssembly: `uv run poe wasm`.

The result, `gpt.wasm`, is committed, because the compiler (ziglang) has a hundred
megabytes, and a fresh clone should not wait for it. A test compiles it again and
compares the bytes. It imports its memory and `log`, and nothing else.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "microgpt" / "engines" / "gpt.c"
BINARY = Path(__file__).with_name("gpt.wasm")
COMPILER = "ziglang==0.17.1"  # another one may give other bytes
EXPORTS = (
    "gpt_parameters",
    "gpt_memory",
    "gpt_loss",
    "gpt_gradient",
    "gpt_predict",
    "gpt_attention",
    "gpt_sgd",
    "gpt_adam",
    "__heap_base",
)
OPTIONS = (
    "-target",
    "wasm32-freestanding",
    "-std=c99",
    "-O3",
    "-g0",
    "-s",
    "-nostdlib",
    "-msimd128",
    "-mbulk-memory",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fno-signed-zeros",
    "-fassociative-math",
    "-freciprocal-math",
    "-Dsqrt=__builtin_sqrt",  # an instruction of WebAssembly
    "-Wl,-z,stack-size=65536",
    "-Wl,--no-entry",
    "-Wl,--import-memory",
    "-Wl,--import-symbols",
    *(f"-Wl,--export={name}" for name in EXPORTS),
)


def compile_to(file: Path) -> None:
    """Compile gpt.c; raise CalledProcessError if the compiler cannot."""
    command = [sys.executable, "-m", "ziglang", "cc", *OPTIONS]
    # From its folder, so that no path of this machine gets into the file
    subprocess.run(
        [*command, SOURCE.name, "-o", str(file)], check=True, cwd=SOURCE.parent
    )


if __name__ == "__main__":
    compile_to(BINARY)
