"""Compiles gpt.c to WebAssembly: `uv run poe wasm`.

The results are committed, because the compiler (ziglang) has a hundred megabytes, and a
fresh clone should not wait for it: `gpt.wasm`, and `otherwise.wasm` with the changes of
`widgets.what_if.changes`, for the page What if. A test compiles them again and compares the bytes.
They import their memory and `log`, and nothing else.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT), str(ROOT / "web")]
from weave.files import replace
from widgets.what_if.changes import otherwise

SOURCE = ROOT / "microgpt" / "engines" / "gpt.c"
BINARY = Path(__file__).with_name("gpt.wasm")
OTHERWISE = BINARY.with_name("otherwise.wasm")
COMPILER = "ziglang==0.17.1"  # another one may give other bytes
EXPORTS = (
    "gpt_parameters",
    "gpt_memory",
    "gpt_loss",
    "gpt_gradient",
    "gpt_predict",
    "gpt_activations",
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


def compile_to(file: Path, source: Path = SOURCE, *exports: str) -> None:
    """Compile gpt.c; raise CalledProcessError if the compiler cannot."""
    command = [sys.executable, "-m", "ziglang", "cc", *OPTIONS]
    command += [f"-Wl,--export={name}" for name in exports]
    # From its folder, so that no path of this machine gets into the file
    subprocess.run(
        [*command, source.name, "-o", str(file)], check=True, cwd=source.parent
    )


def compile_otherwise(file: Path) -> None:
    """Compile gpt.c with all changes, of which `gpt_change` chooses one."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, SOURCE.name)
        source.write_text(otherwise(), encoding="utf-8")
        compile_to(file, source, "gpt_change")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for to, compiles in ((BINARY, compile_to), (OTHERWISE, compile_otherwise)):
            compiles(made := Path(folder, to.name))
            replace(to, made.read_bytes())
