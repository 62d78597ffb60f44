"""What a benchmark ran on."""

from __future__ import annotations

import platform
from pathlib import Path


def machine() -> str:
    """Return the version of Python and the model of the processor."""
    cpu = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                cpu = line.split(":", 1)[1].strip()
                break
    return f"Python {platform.python_version()}, {cpu}"
