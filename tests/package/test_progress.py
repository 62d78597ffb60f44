"""Progress on a terminal: one line that is rewritten, and lines that stay."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from microgpt.cli import progress
from microgpt.cli.progress import Progress, format_rate, format_seconds

from .helpers import SAMPLE_LABELS, subprocess_environment, train_argv

if sys.platform == "win32":
    pytest.skip("Windows has no pty", allow_module_level=True)

import fcntl
import pty
import struct
import termios

MakeProgress = Callable[..., Progress]
Capture = pytest.CaptureFixture[str]


def make_stdin_controlling_terminal() -> None:
    """Make the standard input the terminal of a new session, so that Ctrl-C works."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def run_on_terminal(
    folder: Path, *args: object, columns: int = 80, ctrl_c_after: str = "", **env: str
) -> tuple[int, str]:
    """Train on a terminal of that width; press Ctrl-C once it shows a text.

    Returns:
        The exit status, and all that was written to the terminal.
    """
    controller, terminal = pty.openpty()
    size = struct.pack("HHHH", 24, columns, 0, 0)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, size)
    environment = subprocess_environment(**{"TERM": "xterm"} | env)
    environment.pop("COLUMNS", None)
    process = subprocess.Popen(
        train_argv(*args),
        cwd=folder,
        env=environment,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        preexec_fn=make_stdin_controlling_terminal,  # noqa: PLW1509
    )
    os.close(terminal)
    written = ""
    with open(controller, "rb", buffering=0) as screen:
        while True:
            try:
                data = screen.read(4096)
            except OSError:  # Linux's way to report that the other side is closed
                break
            if not data:
                break
            written += data.decode()
            if ctrl_c_after and ctrl_c_after in written:
                os.write(controller, b"\x03")
                ctrl_c_after = ""
    return process.wait(timeout=60), written


def get_visible_lines(written: str, columns: int) -> list[str]:
    """Return the lines that a terminal shows in the end; fail if one is too wide."""
    screen = [""]
    for part in re.findall(r"\r|\n|[^\r\n]+", written):
        if part == "\n":
            screen.append("")
            column = 0
        elif part == "\r":
            column = 0
        else:
            end = column + len(part) if screen[-1] else len(part)
            start = column if screen[-1] else 0
            assert end < columns, part
            screen[-1] = f"{screen[-1][:start]:{start}}{part}{screen[-1][end:]}"
            column = end
    return [line.rstrip() for line in screen]


KEPT_LINE_PATTERN = re.compile(
    r"step +(\d+) / +\d+ \| loss [\d.]+( \| mean of \d+ steps [\d.]+)?"
)


def test_terminal_shows_rate_and_time_left_in_a_rewritten_line(
    dataset_folder: Path,
) -> None:
    status, written = run_on_terminal(dataset_folder, "--steps", 200, "--losses", "log")
    assert status == 0
    live = re.findall(r"\rstep +\d+ /  200 \| loss [\d.]+ \| [^\r\n]* left", written)
    assert live and all(" steps/s | 0:" in line for line in live)
    first, *lines = get_visible_lines(written, 80)
    assert first.startswith("26 documents")
    kept = [KEPT_LINE_PATTERN.fullmatch(line) for line in lines[:20]]
    assert [int(m[1]) for m in kept if m] == [*range(10, 201, 10)]
    assert [line[:11] for line in lines[20:40]] == SAMPLE_LABELS
    assert lines[40:] == [""]
    assert len((dataset_folder / "log").read_text().splitlines()) == 200


@pytest.mark.parametrize("columns", [80, 30, 12])
def test_ctrl_c_leaves_a_clean_terminal_of_any_width(
    dataset_folder: Path, columns: int
) -> None:
    status, written = run_on_terminal(
        *(dataset_folder, "--steps", 5000, "--save", "run"),
        columns=columns,
        ctrl_c_after="\rstep",
    )
    assert status == 130
    # Lasting lines may be wider than the terminal, rewritten ones may not.
    rewritten = re.findall(r"\r(step[^\r\n]*)(?=\r(?!\n))", written)
    assert rewritten and max(map(len, rewritten)) < columns
    *_, step, stopped, end = get_visible_lines(written, 200)
    assert KEPT_LINE_PATTERN.fullmatch(step)
    number = int(step.split()[1])
    advice = f"microgpt: stopped after step {number}; go on with --resume run"
    assert (stopped, end) == (advice, "")


def test_error_leaves_a_clean_terminal(dataset_folder: Path) -> None:
    diverging = ("--learning-rate", 1, "--steps", 400)
    status, written = run_on_terminal(dataset_folder, *diverging)
    *_, step, error, end = get_visible_lines(written, 200)
    assert (status, end) == (1, "")
    assert KEPT_LINE_PATTERN.fullmatch(step)
    assert error.startswith("microgpt: error: the loss is not finite at step ")


def test_dumb_terminal_gets_a_line_per_step(dataset_folder: Path) -> None:
    status, written = run_on_terminal(dataset_folder, "--steps", 3, TERM="dumb")
    assert (status, "\r" in written.replace("\r\n", "")) == (0, False)
    lines = written.splitlines()
    assert [line[:9] for line in lines[1:4]] == [f"step    {i}" for i in (1, 2, 3)]


@pytest.fixture
def make_live_progress(monkeypatch: pytest.MonkeyPatch) -> MakeProgress:
    """A function that makes a `Progress` for a terminal, whose clock gives set times."""
    monkeypatch.setattr(progress, "can_rewrite_stdout_line", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")

    def make(times: list[float], step: int, num_steps: int) -> Progress:
        return Progress(step, num_steps, num_steps, iter(times).__next__)

    return make


@pytest.mark.parametrize(
    ("step_s", "expected"),
    [
        (0.5, "step    3 / 1000 | loss 2.5000 | 2.0 steps/s | 8:18 left"),
        (4.0, "step    3 / 1000 | loss 2.5000 | 4.0 s/step | 1:06:28 left"),
    ],
)
def test_time_left_is_estimated_from_the_remaining_steps(
    make_live_progress: MakeProgress, capsys: Capture, step_s: float, expected: str
) -> None:
    display = make_live_progress([0, step_s], 2, 1000)
    display.report_step(3, 2.5)
    assert capsys.readouterr().out == f"\r{expected}"


def test_progress_line_is_rewritten_at_most_ten_times_a_second(
    make_live_progress: MakeProgress, capsys: Capture
) -> None:
    display = make_live_progress([i / 100 for i in range(101)], 0, 10_000)
    for step in range(1, 101):
        display.report_step(step, 1.0)
    assert capsys.readouterr().out.count("\r") <= 10


def test_kept_progress_line_shows_the_mean_loss_since_the_line_before(
    make_live_progress: MakeProgress, capsys: Capture
) -> None:
    with make_live_progress([0.0] * 50, 0, 40) as display:
        for step in range(1, 6):
            display.report_step(step, float(step))
    written = capsys.readouterr().out.removesuffix("\n")
    assert [line.split("\r")[-1] for line in written.split("\n")] == [
        "step    2 /   40 | loss 2.0000 | mean of 2 steps 1.5000",
        "step    4 /   40 | loss 4.0000 | mean of 2 steps 3.5000",
        "step    5 /   40 | loss 5.0000",
    ]


def test_rewritten_progress_line_leaves_no_characters_behind(
    make_live_progress: MakeProgress, capsys: Capture
) -> None:
    with make_live_progress([0.0, 1.0], 0, 20) as display:
        display.report_step(1, 1.0)  # stays, and the line for the next step is below
    *_, above, below = capsys.readouterr().out.split("\n")
    assert above.endswith("step    1 /   20 | loss 1.0000")
    assert below.endswith(" " * 40 + "\r")


def test_format_rate_gives_steps_per_second_or_seconds_per_step() -> None:
    rates = {0.0001: "10,000 steps/s", 0.04: "25 steps/s", 0.5: "2.0 steps/s"}
    rates |= {1.0: "1.0 steps/s", 90.0: "90.0 s/step"}
    assert {x: format_rate(x) for x in rates} == rates


def test_format_seconds_gives_hours_minutes_and_seconds() -> None:
    durations = {0.4: "0:00", 59.6: "1:00", 754: "12:34", 3723: "1:02:03"}
    assert {x: format_seconds(x) for x in durations} == durations
