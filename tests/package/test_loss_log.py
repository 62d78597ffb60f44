"""The file of losses."""

import json
from pathlib import Path
from typing import Any

from microgpt.cli.loss_log import LossLog


def test_a_loss_that_is_no_number_is_null_because_json_has_no_nan(
    tmp_path: Path,
) -> None:
    log = LossLog(tmp_path / "losses.jsonl")
    for step, loss in enumerate([3.25, float("inf"), float("nan")], 1):
        log.write(step, loss)
    log.close()
    lines = (tmp_path / "losses.jsonl").read_text().splitlines()
    refuse: dict[str, Any] = {
        "parse_constant": lambda name: 1 / 0
    }  # what is in Python's JSON alone
    assert [json.loads(line, **refuse)["loss"] for line in lines] == [3.25, None, None]
