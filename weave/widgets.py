"""Widgets: what a fence says, and what the widget's Python function makes of it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from weave.bundle import edition
from weave.page import Fence, Page

TIME_LIMIT = 120  # seconds
CALL = (
    "import json, sys; from live.runner import call; name, given = json.load(sys.stdin)\n"
    "answers, sys.stdout = sys.stdout, sys.stderr\n"  # a function may print
    "print(json.dumps(call(name, given), allow_nan=False), file=answers)"
)


@dataclass(frozen=True)
class Widget:
    """The name of a widget and the parameters of its Python function."""

    name: str
    parameters: dict[str, Any]


def read_widget(page: Page, fence: Fence) -> Widget:
    """Read a `widget` fence: a name, then parameters, each on a line."""
    name, *rest = fence.body or [""]
    try:
        parameters = yaml.safe_load("\n".join(rest)) or {}
    except yaml.YAMLError:
        parameters = None
    if not re.fullmatch(r"[a-z_]+", name) or not isinstance(parameters, dict):
        message = "a widget has a name on its first line, and below it 'key: value'"
        raise page.error(message, fence.line)
    return Widget(name, parameters)


def result_of(root: Path, page: Page, fence: Fence) -> Any:
    """Call the widget's Python function as a reader's browser does."""
    widget = read_widget(page, fence)
    if not (root / "web" / "widgets" / f"{widget.name}.py").is_file():
        raise page.error(f"there is no widget {widget.name!r}", fence.line)
    given = json.dumps([widget.name, widget.parameters])
    answer, complaint = _call(root, given, edition(root))
    if answer is None:
        raise page.error(f"the widget {widget.name!r}: {complaint}", fence.line)
    if "refused" in answer:
        reason = answer["refused"]["reason"]
        raise page.error(f"the widget {widget.name!r}: {reason}", fence.line)
    return answer["result"]


@lru_cache(maxsize=256)
def _call(root: Path, given: str, edition: str) -> tuple[dict[str, Any] | None, str]:
    path = os.pathsep.join([str(root), str(root / "web")])
    try:
        done = subprocess.run(
            [sys.executable, "-c", CALL],
            input=given,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=TIME_LIMIT,
            check=False,
            env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        )
    except subprocess.TimeoutExpired:
        return None, f"its function ran for more than {TIME_LIMIT} s"
    if done.returncode != 0:
        return None, (done.stderr.strip().splitlines() or ["no message"])[-1]
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer, ""
