"""Stories of `views/`: what readers do with a widget, and what is then read of it."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

STORIES = sorted(Path(__file__).with_name("views").glob("*.txt"))
# How often a pattern was found: the fixture `all_is_found` asks
FOUND: Counter[str] = Counter()


def lines_of(story: Path) -> list[str]:
    """What comes before the first line that does something, and these lines by turns."""
    return re.split(r"^> (.*)\n", story.read_text(encoding="utf-8"), flags=re.MULTILINE)


def told(name: str) -> list[tuple[str, str]]:
    """Each line that does something in a story, with what is then read otherwise."""
    _, *lines = lines_of(Path(__file__).with_name("views") / f"{name}.txt")
    return list(zip(lines[::2], lines[1::2], strict=True))


def find(pattern: str, text: str) -> list[Any]:
    """Find what a story tells, as `re.findall` does."""
    found = re.findall(pattern, text, re.MULTILINE)
    FOUND[pattern] += len(found)
    return found


def latest(pattern: str, text: str, before: str) -> str:
    """What was told last of something that changes: the group of a pattern, or as before."""
    found = find(pattern, text)
    return str(found[-1]) if found else before


def number(text: str) -> float:
    """Read a number as readers see it."""
    for value, digit in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹"):
        text = text.replace(digit, str(value))
    text = text.replace("−", "-").replace("⁻", "-").replace(" × 10", "e")
    return float(text.strip().replace(",", ""))
