"""What a benchmark ran on, and processes of their own."""

import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def processor() -> str:
    """Return the model of the processor, as the system calls it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def description() -> dict[str, str | int | None]:
    """Return what a record says of the machine, of its software, and of the day."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "cpu": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": installed("numpy"),
        "torch": installed("torch"),
    }


def gpu() -> str | None:
    """Return the name of the GPU that PyTorch finds; None if there is none."""
    try:
        import torch
    except ModuleNotFoundError:
        return None
    if not torch.cuda.is_available():
        return None
    name: str = torch.cuda.get_device_name()
    return name


def installed(library: str) -> str | None:
    """Return the version of a library; None if it is not there."""
    try:
        return version(library).partition("+")[0]
    except PackageNotFoundError:
        return None


def elsewhere(module: str, expression: str, interpreter: str = sys.executable) -> Any:
    """Return what an expression gives in a process that has only loaded a module, `here`.

    No other's packages are there: what begins with PYTHON is not handed on.
    """
    program = f"import json, sys, {module} as here; print(json.dumps({expression}))"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        [interpreter, "-c", program],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(done.stdout)


def write(record: Path, text: str) -> None:
    """Write a record, and note the digest of one of docs/data."""
    from weave.files import replace  # which labs cannot import

    replace(record, f"{text}\n".encode())
    if record.resolve().parent == ROOT / "docs" / "data":
        from snippets.records.record import note_digests

        note_digests()
