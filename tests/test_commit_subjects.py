"""A commit's subject has at most 72 characters: in git's hook, and in `uv run poe lint`."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.processes import ROOT, run_python

LONG_SUBJECT = "x" * 73


def check_subjects(folder: Path, *files: str) -> str:
    """Run the check in a folder; return what it prints: nothing if all is well."""
    run = run_python(ROOT / ".ci/commit_subjects.py", *files, cwd=folder)
    assert run.returncode == bool(run.stdout) and not run.stderr
    return run.stdout


@pytest.mark.parametrize(
    ("message", "refused"),
    [
        ("x" * 72, False),
        (LONG_SUBJECT, True),
        (f"\n# {LONG_SUBJECT}\nShort\n\n{LONG_SUBJECT}\n", False),
        (f"fixup! {LONG_SUBJECT}", False),
        ("é" * 72, False),
    ],
)
def test_message_is_refused_if_its_subject_is_too_long(
    tmp_path: Path, message: str, refused: bool
) -> None:
    (tmp_path / "message").write_text(message, "utf-8")
    assert bool(check_subjects(tmp_path, "message")) == refused


def create_commit(folder: Path, subject: str, day: str) -> None:
    options = ["-q", "--allow-empty", "--no-verify", "-m", subject, "--date", day]
    names = ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL")
    environment = os.environ | {f"GIT_{name}": "a@example.org" for name in names}
    subprocess.run(["git", "commit", *options], cwd=folder, env=environment, check=True)


def test_history_is_checked_from_the_day_of_the_rule(tmp_path: Path) -> None:
    assert check_subjects(tmp_path) == ""  # without a repository
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    assert check_subjects(tmp_path) == ""  # without a commit
    create_commit(tmp_path, LONG_SUBJECT, "2026-11-27T21:00Z")
    create_commit(tmp_path, "Short", "2026-11-28T21:00Z")
    create_commit(tmp_path, f"Merge {LONG_SUBJECT}", "2026-11-28T21:00Z")
    assert check_subjects(tmp_path) == ""
    create_commit(tmp_path, LONG_SUBJECT, "2026-11-28T21:00Z")
    assert check_subjects(tmp_path).endswith(f"{LONG_SUBJECT}\n")
