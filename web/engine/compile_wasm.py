"""Compiles the C engines to WebAssembly: `uv run poe wasm`.

The results are committed: the compiler (ziglang) takes a hundred megabytes, and a fresh
clone should not wait for it. A test compiles them again and compares the bytes. The
modules import their memory and `log`, and nothing else.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))
from weave.files import write_if_changed

C_SOURCES = [ROOT / f"microgpt/engines/{name}.c" for name in ("gpt", "variants")]
COMPILER_PACKAGE = "ziglang==0.17.1"  # other versions may give other bytes
EXPORTED_FUNCTION_PATTERN = re.compile(r"^EXPORT .*\b(gpt_\w+)\(", re.MULTILINE)
COMPILER_OPTIONS = [  # sqrt is an instruction of WebAssembly
    *("-target", "wasm32-freestanding", "-std=c99", "-O3", "-g0", "-s", "-nostdlib"),
    *("-msimd128", "-mbulk-memory", "-Dsqrt=__builtin_sqrt", "-fno-math-errno"),
    *("-fno-trapping-math", "-fno-signed-zeros", "-fassociative-math"),
    *("-freciprocal-math", "-Wl,-z,stack-size=65536", "-Wl,--no-entry"),
    *("-Wl,--import-memory", "-Wl,--import-symbols"),
]


def wasm_path(source: Path) -> Path:
    """Return the path of the WebAssembly module that is compiled from a C file."""
    return Path(__file__).with_name(f"{source.stem}.wasm")


def compile_wasm(source: Path, output: Path) -> None:
    """Compile a C file to WebAssembly.

    Raises:
        CalledProcessError: the compiler failed; it has printed why.
    """
    functions = EXPORTED_FUNCTION_PATTERN.findall(source.read_text("utf-8"))
    exports = [f"-Wl,--export={name}" for name in ("__heap_base", *functions)]
    command = [sys.executable, "-m", "ziglang", "cc", *COMPILER_OPTIONS, *exports]
    command += [source.name, "-o", str(output)]
    # From its folder, so that no path of this machine gets into the file
    subprocess.run(command, check=True, cwd=source.parent)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for source in C_SOURCES:
            output = Path(folder, "output.wasm")
            compile_wasm(source, output)
            write_if_changed(wasm_path(source), output.read_bytes())
