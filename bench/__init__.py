"""Benchmarks. What they compare is measured side by side, in one run, on one core."""

import os

# Libraries read these when they are loaded, so set them first.
for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"
