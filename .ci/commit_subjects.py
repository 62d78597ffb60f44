"""Refuse commits whose subject is longer than 72 characters.

With a file, check the message in it, as git's hook commit-msg asks. Without, check the
commits of this repository, if it has a git history.
"""

import re
import subprocess
import sys
from pathlib import Path

MAX_LENGTH = 72
# Older commits stay as they are. A rebase keeps the day on which one was written.
FIRST_MOMENT = 1795816800  # 27 November 2026, 22:00 UTC, in seconds since 1970
LOG = ["git", "log", "--no-merges", "--format=%at %h %s"]
# What git itself writes, or will replace
GENERATED = re.compile(r"Merge |Revert |(?:fixup|squash|amend)! ")


def subject_of(message: str) -> str:
    """Return the first line that is neither empty nor a comment of git's."""
    lines = (line.strip() for line in message.splitlines())
    return next((line for line in lines if line and line[0] != "#"), "")


def is_too_long(subject: str) -> bool:
    """Say whether a person should have written this subject shorter."""
    return len(subject) > MAX_LENGTH and not GENERATED.match(subject)


def long_subjects(folder: str = ".") -> list[str]:
    """Return the hash and subject of each commit that breaks the rule."""
    try:
        log = subprocess.run(LOG, cwd=folder, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    commits = (line.split(" ", 2) for line in log.stdout.decode().splitlines())
    return [
        f"{name} {subject}"
        for written, name, subject in commits
        if int(written) >= FIRST_MOMENT and is_too_long(subject)
    ]


def main(files: list[str]) -> int:
    """Print each subject that is too long; return the exit status."""
    subjects = [subject_of(Path(file).read_text("utf-8")) for file in files]
    found = [*filter(is_too_long, subjects)] if files else long_subjects()
    for subject in found:
        print(f"expected a subject of at most {MAX_LENGTH} characters: {subject}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
