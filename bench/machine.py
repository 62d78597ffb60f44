"""What a benchmark ran on."""

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def machine() -> str:
    """Return the version of Python and the model of the processor."""
    return f"Python {platform.python_version()}, {processor()}"


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
