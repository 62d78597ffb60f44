"""Compiles the engines in C to WebAssembly: `uv run poe wasm`.

The results are committed, because the compiler (ziglang) has a hundred megabytes, and a
fresh clone should not wait for it. A test compiles them again and compares the bytes.
They import their memory and `log`, and nothing else.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))
from weave.files import write_if_changed

SOURCES = [ROOT / "microgpt" / "engines" / f"{name}.c" for name in ("gpt", "variants")]
COMPILER = "ziglang==0.17.1"  # another one may give other bytes
EXPORTED = re.compile(r"^EXPORT .*\b(gpt_\w+)\(", re.MULTILINE)
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
)


def binary_of(source: Path) -> Path:
    """Return where a source's WebAssembly is kept."""
    return Path(__file__).with_name(f"{source.stem}.wasm")


def compile_to(file: Path, source: Path) -> None:
    """Compile a source; raise CalledProcessError if the compiler cannot."""
    names = ["__heap_base", *EXPORTED.findall(source.read_text(encoding="utf-8"))]
    exports = [f"-Wl,--export={name}" for name in names]
    command = [sys.executable, "-m", "ziglang", "cc", *OPTIONS, *exports]
    # From its folder, so that no path of this machine gets into the file
    subprocess.run(
        [*command, source.name, "-o", str(file)], check=True, cwd=source.parent
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for source in SOURCES:
            compile_to(made := Path(folder, "made.wasm"), source)
            write_if_changed(binary_of(source), made.read_bytes())
