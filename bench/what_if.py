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

Losses = list[Any]  # numbers, or None where a loss is not finite
SEEDS = range(1, 11)


def measure_losses(change: dict[str, Any], seeds: Iterable[int] = SEEDS) -> Losses:
    """Train with a change; return the held-out loss of each seed."""
    request = json.dumps({"change": change, "seeds": [*seeds]})
    script = ROOT / "web/widgets/what_if/measure_losses.mjs"
    command = [find_node() or "node", str(script)]
    result = subprocess.run(command, input=request, stdout=-1, text=True, check=True)
    losses: Losses = json.loads(result.stdout)
    return losses


def compare_with_baseline(losses: Losses, baseline: Losses) -> dict[str, Any]:
    """Return the losses, and by how much they exceed those of the unchanged model.

    `more` is the mean difference, ± `error`; both are None if a loss is None.
    """
    is_finite = None not in losses
    difference = paired_difference(losses, baseline).round(5) if is_finite else None
    more, error = difference or (None, None)
    return {"losses": losses, "more": more, "error": error}


def main() -> None:
    """Train with each switch that is not recorded, and record its losses at once."""
    record = load_record(RECORDED_LOSSES_FILE)
    baseline: Losses = record.get("plain") or measure_losses({})
    old, new = record.get("switches", {}), {}
    for switch in switches():
        key, recorded = switch["id"], old.get(switch["id"])
        losses = recorded["losses"] if recorded else measure_losses(switch["change"])
        new[key] = compare_with_baseline(losses, baseline)
        print(key, new[key], file=sys.stderr)
        write_record(RECORDED_LOSSES_FILE, {"plain": baseline, "switches": old | new})
    write_record(RECORDED_LOSSES_FILE, {"plain": baseline, "switches": new})


if __name__ == "__main__":
    main()
