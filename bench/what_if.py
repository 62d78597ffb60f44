"""Train the finished model with one thing changed, for each switch: `python -m bench.what_if`.

Node runs the engine of the page What if. With a seed, the unchanged and the changed model
learn from the same names in the same order. It takes ten minutes on one core, after
`uv run poe web`.
"""

import json
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

from bench.machine import ROOT, load_record, write_record
from bench.results import paired_difference
from weave.node import find_node

sys.path.append(str(ROOT / "web"))
from widgets.what_if.model import RECORDED_LOSSES_FILE, switches

Losses = list[float | None]
SEEDS = range(1, 11)
PROGRAM = ROOT / "web/widgets/what_if/measure_losses.mjs"


def measure_losses(change: dict[str, Any], seeds: Iterable[int] = SEEDS) -> Losses:
    """Train with a change; return the held-out loss of each seed.

    A loss that is not finite is None.
    """
    request = json.dumps({"change": change, "seeds": [*seeds]})
    command = [find_node() or "node", str(PROGRAM)]
    result = subprocess.run(command, input=request, stdout=-1, text=True, check=True)
    losses: Losses = json.loads(result.stdout)
    return losses


def compare_with_baseline(losses: Losses, baseline: Losses) -> dict[str, Any]:
    """Return the losses, and by how much they exceed those of the unchanged model.

    `more` is the mean difference, ± `error`; both are None if a loss is None.
    """
    finite = [loss for loss in losses if loss is not None]
    more: float | None = None
    error: float | None = None
    if len(finite) == len(losses):
        expected = [loss for loss in baseline if loss is not None]
        difference = paired_difference(finite, expected)
        more, error = (round(number, 5) for number in difference)
    return {"losses": losses, "more": more, "error": error}


def main() -> None:
    """Train with each switch that is not recorded, and record its losses at once."""
    record = load_record(RECORDED_LOSSES_FILE)
    baseline: Losses = record.get("plain") or measure_losses({})
    old, new = record.get("switches", {}), {}
    for switch in switches():
        key = switch["id"]
        is_recorded = key in old
        losses = old[key]["losses"] if is_recorded else measure_losses(switch["change"])
        new[key] = compare_with_baseline(losses, baseline)
        print(key, new[key], file=sys.stderr)
        write_record(RECORDED_LOSSES_FILE, {"plain": baseline, "switches": old | new})
    write_record(RECORDED_LOSSES_FILE, {"plain": baseline, "switches": new})


if __name__ == "__main__":
    main()
