"""Train the finished model with each switch of What if?: `python -m bench.what_if`.

Node runs the engine of the page What if. With the same seed, the changed and the
unchanged model learn the same names in the same order. Run `uv run poe web` first; this
takes ten minutes on one core.
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
    """Train with a change, once per seed; return the held-out losses."""
    request = json.dumps({"change": change, "seeds": [*seeds]})
    script = ROOT / "web/widgets/what_if/measure_losses.mjs"
    command = [find_node() or "node", str(script)]
    result = subprocess.run(command, input=request, stdout=-1, text=True, check=True)
    losses: Losses = json.loads(result.stdout)
    return losses


def compare_with_baseline(losses: Losses, baseline: Losses) -> dict[str, Any]:
    """Return a switch's record: losses, mean difference `more`, and its `error`.

    `more` and `error` are None if a loss is None.
    """
    difference = margin = None
    if None not in losses:
        difference, margin = paired_difference(losses, baseline).round(5)
    return {"losses": losses, "more": difference, "error": margin}


def main() -> None:
    """Train with each switch that is not recorded; write the record after each."""
    record = load_record(RECORDED_LOSSES_FILE)
    baseline: Losses = record.get("plain") or measure_losses({})
    recorded, new = record.get("switches", {}), {}
    for switch in switches():
        key, change = switch["id"], switch["change"]
        losses = recorded[key]["losses"] if key in recorded else measure_losses(change)
        new[key] = compare_with_baseline(losses, baseline)
        print(key, new[key], file=sys.stderr)
        write_record(
            RECORDED_LOSSES_FILE, {"plain": baseline, "switches": recorded | new}
        )
    write_record(RECORDED_LOSSES_FILE, {"plain": baseline, "switches": new})


if __name__ == "__main__":
    main()
