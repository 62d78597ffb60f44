"""Refuse commits whose subject is longer than 72 characters.

Given files, check the message in each, as git's hook commit-msg needs it. Without
files, check the commits of this repository, if it has a git history.
"""

import re
import subprocess
import sys
from pathlib import Path

MAX_LENGTH = 72
# Older commits stay as they are. A rebase keeps the author date, which is compared.
CHECKED_SINCE = 1795816800  # 27 November 2026, 22:00 UTC, in seconds since 1970
LOG_COMMAND = ["git", "log", "--no-merges", "--format=%at %h %s"]
# Git generates these subjects, or will replace them.
GENERATED_SUBJECT = re.compile(r"Merge |Revert |(?:fixup|squash|amend)! ")


def subject_of(message: str) -> str:
    """Return the first line of a message that is neither empty nor a comment."""
    lines = (line.strip() for line in message.splitlines())
    return next((line for line in lines if line and line[0] != "#"), "")


def is_too_long(subject: str) -> bool:
    """Return whether a subject is too long and git has not generated it."""
    return len(subject) > MAX_LENGTH and not GENERATED_SUBJECT.match(subject)


def long_subjects(folder: str = ".") -> list[str]:
    """Return the hash and subject of each commit whose subject is too long."""
    try:
        log = subprocess.run(LOG_COMMAND, cwd=folder, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    commits = (line.split(" ", 2) for line in log.stdout.decode().splitlines())
    return [
        f"{name} {subject}"
        for written, name, subject in commits
        if int(written) >= CHECKED_SINCE and is_too_long(subject)
    ]


def main(files: list[str]) -> int:
    """Print each subject that is too long; return the exit status."""
    subjects = [subject_of(Path(file).read_text("utf-8")) for file in files]
    too_long = [*filter(is_too_long, subjects)] if files else long_subjects()
    for subject in too_long:
        print(f"expected a subject of at most {MAX_LENGTH} characters: {subject}")
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
