"""The README's commands work on a fresh clone.

They install into new environments, so they need a network and some minutes.
"""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.marks import nightly
from tests.processes import ROOT

UV = shutil.which("uv") or "uv"
VENV_BIN_FOLDER = "Scripts" if sys.platform == "win32" else "bin"


def clone_repository(folder: Path) -> Path:
    subprocess.run(["git", "clone", "-q", str(ROOT), str(folder)], check=True)
    return folder


def run_command(command: list[str], folder: Path, **extra: str) -> str:
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1", **extra}
    for name in ("VIRTUAL_ENV", "PYTHONPATH", "PYTEST_CURRENT_TEST"):
        env.pop(name, None)
    run = subprocess.run(
        command, cwd=folder, env=env, check=False, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@nightly
@pytest.mark.parametrize("installer", ["uv", "pip"])
def test_fresh_clone_installs_and_builds_guide(installer: str, tmp_path: Path) -> None:
    folder = clone_repository(tmp_path / "clone")

    def program(name: str) -> list[str]:
        path = str(folder / ".venv" / VENV_BIN_FOLDER / name)
        return [UV, "run", name] if installer == "uv" else [path]

    if installer == "pip":
        venv.create(folder / ".venv", with_pip=True, upgrade_deps=True)
        packages = ["--group", "pins", "--editable", ".[dev]"]
        run_command([*program("pip"), "install", "-q", *packages], folder)
    run_command([*program("mkdocs"), "build", "--strict"], folder)
    page = (folder / "site/autograd/backward/index.html").read_text(encoding="utf-8")
    for part in ("<svg", "<math", 'class="listing"', 'class="output"'):
        assert part in page, f"the page has no {part}"
    # Other tests check all pages; here, the command must run.
    check = [*program("python"), "-m", "weave", "check", "docs/autograd/backward.md"]
    assert run_command(check, folder).endswith("1 page checked: no errors.\n")


@nightly
def test_wheel_contains_only_the_package_and_works_offline(tmp_path: Path) -> None:
    built = tmp_path / "built"
    clone = clone_repository(tmp_path / "clone")
    run_command([UV, "build", "-q", "-o", str(built)], clone)
    twine = [UV, "tool", "run", "twine", "check", "--strict"]
    run_command([*twine, *map(str, built.glob("microgpt*"))], ROOT)
    (wheel,) = built.glob("*.whl")
    paths = zipfile.ZipFile(wheel).namelist()
    files = ("names.txt", "trained.json", "py.typed")
    assert {f"microgpt/{name}" for name in files} <= {*paths}
    folders = {path.split("/")[0].split("-")[0] for path in paths}
    assert folders == {"microgpt", "microgpt_guide"}
    venv.create(tmp_path / "empty", with_pip=False)
    programs = tmp_path / "empty" / VENV_BIN_FOLDER
    nowhere = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    alone = ["--no-index", "--no-deps", "--python", str(programs / "python")]
    run_command([UV, "pip", "install", "-q", *alone, str(wheel)], tmp_path, **nowhere)
    program, model = str(programs / "microgpt"), str(tmp_path / "model.json")
    train = [program, "train", "--steps", "3", "--save", model]
    run_command(train, tmp_path, **nowhere)
    run_command([program, "sample", "--model", model], tmp_path, **nowhere)
    assert run_command([program, "sample", "--prompt", "ma"], tmp_path, **nowhere)
