"""Where PyTorch computes, and with which numbers."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

# Of the weights: bfloat16 is for what is computed from them
TYPES = {
    "float64": torch.float64,
    "float32": torch.float32,
    "bfloat16": torch.float32,
}
# What PyTorch's allocators say: of cards, and of the processor
OUT_OF_MEMORY = ("out of memory", "DefaultCPUAllocator: ")


def find_device(
    name: str, dtype: torch.dtype = torch.float32
) -> torch.device:
    """Return a device by name, such as `cpu`, `cuda`, `cuda:1`, `mps`.

    `auto` is the accelerator of this machine, or `cpu` if it has none.
    Raise ValueError for a device that is not there.
    """
    device: torch.device | str | None = name
    if name == "auto":
        device = torch.accelerator.current_accelerator(True) or "cpu"
    try:
        torch.zeros(1, dtype=dtype, device=device).item()
    except (RuntimeError, AssertionError):
        raise ValueError(
            f"PyTorch finds no device {name!r} on this machine"
        ) from None
    except TypeError:
        raise ValueError(
            f"{device} has no float64: add --precision float32"
        ) from None
    return torch.device(device)


@contextmanager
def failures_explained() -> Iterator[None]:
    """Report what PyTorch lacks in this package's own words."""
    try:
        yield
    except RuntimeError as error:
        if any(text in str(error) for text in OUT_OF_MEMORY):
            raise MemoryError from error
        if "InvalidCxxCompiler" in str(error):
            raise ValueError(
                "PyTorch finds no C++ compiler to compile with"
            ) from None
        raise
