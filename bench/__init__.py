"""Benchmarks: they measure what they compare side by side, in one run, on one core."""

import os

# Libraries read these when they are loaded, so they are set before any of them is.
for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"
