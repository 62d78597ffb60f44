"""What `mkdocs serve` shows after a save is what a build of the same files makes."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import pytest

from tests.thorough import thorough
from tests.weave.conftest import ROOT, RecordingDrawer
from weave.guide import Guide
from weave.kinds.kind import View
from weave.kinds.widget import Widget
from weave.page import Page
from weave.preview import SHOWN_ELSEWHERE
from weave.render import Renderer

PAGES = {
    "index.md": "# Home\n\n```minimap\n```\n",
    "two/first.md": """\
# The first page

A number that remembers.

## A part

```source
microgpt.autograd:Value.log
```

What it says of a gradient.

```python
print(2)
```

<!--pytest-codeblocks:expected-output-->
```text
2
```
""",
    "two/second.md": """\
# The second page

[A part](first.md#a-part) of the first.

```source
microgpt.autograd:Value.log
```
""",
    "reference/glossary.md": """\
# Terms

gradient
:   How fast one thing changes with another. [First](../two/first.md)

number
:   What can be counted with. [Second](../two/second.md)
""",
    "reference/api.md": "# Names\n\n```api\nmicrogpt.autograd:Value\n```\n",
    "reference/source.md": "# A file\n\n```source-page\nmicrogpt/autograd.py\n```\n",
    "labs/lab.ipynb": json.dumps(
        {
            "cells": [
                {"cell_type": "markdown", "source": ["# A lab\n", "\n", "It asks."]}
            ],
            "metadata": {},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
    ),
}
NAV = """\
nav:
  - Home: index.md
  - Step 2 · Two:
      - First: two/first.md
      - Second: two/second.md
  - Labs:
      - Lab: labs/lab.ipynb
  - Reference:
      - Terms: reference/glossary.md
      - Names: reference/api.md
      - A file: reference/source.md
"""
# Builds, each in a process that knows nothing of the one before, but need not start.
COLD = """
import os, sys
import mkdocs_jupyter.plugin, material.plugins.search.plugin, pymdownx.superfences
import weave.preview
from mkdocs.commands.build import build
from mkdocs.config import load_config

sys.argv = ["mkdocs", "serve"]  # which has no policy and no edition
for line in sys.stdin:
    site, address = line.split()
    if os.fork() == 0:
        config = load_config(site_dir=site)
        config.site_url = address
        build(config, serve_url=address)
        os._exit(0)
    os.wait()
    print(flush=True)
"""
MARK = "---\nstatus: new\n---\n\n"  # which the menu of every page shows
SCRIPT = re.compile(rb"<script>\nvar livereload.*?</script>", re.DOTALL)
TIME_LIMIT = 120  # seconds


class Author:
    """Who saves files of a small guide, and looks at it in a preview."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for folder in ("microgpt", "snippets", "weave", "docs/styles"):
            shutil.copytree(ROOT / folder, root / folder)
        for file in (ROOT / "web" / "theme").rglob("*.html"):
            copy = root / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
        shutil.copy(ROOT / "pyproject.toml", root)
        settings = (ROOT / "mkdocs.yml").read_text("utf-8")
        settings = re.sub(r"(?m)^nav:\n(?:  .*\n|\n)+", f"{NAV}\n", settings)
        (root / "mkdocs.yml").write_text(settings, "utf-8")
        for name, text in PAGES.items():
            page = root / "docs" / name
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(text, "utf-8")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}/"
        self.heard = root / "heard.log"
        environment = {
            **os.environ,
            "PYTHONPATH": str(root),
            "NO_MKDOCS_2_WARNING": "1",
            "SOURCE_DATE_EPOCH": "1800000000",
        }
        with self.heard.open("w") as heard:
            self.server = subprocess.Popen(
                [*(sys.executable, "-m", "mkdocs", "serve"), "-a", f"127.0.0.1:{port}"],
                cwd=root,
                env=environment,
                stdout=heard,
                stderr=heard,
            )
        self.builder = subprocess.Popen(
            [sys.executable, "-c", COLD],
            cwd=root,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.wait_for("Serving on")

    def close(self) -> None:
        for process in (self.server, self.builder):
            process.kill()
            process.communicate()

    def wait_for(self, words: str, after: int = 0) -> str:
        """Return what the server has said once it has said these words."""
        end = time.monotonic() + TIME_LIMIT
        while words not in (said := self.heard.read_text("utf-8")[after:]):
            assert self.server.poll() is None and time.monotonic() < end, said
            time.sleep(0.05)
        return said

    def save(self, path: str, old: str, new: str, until: str = "Reloading") -> str:
        """Replace words of a file; return what the server says of it."""
        said = len(self.heard.read_text("utf-8"))
        text = (self.root / path).read_text("utf-8")
        assert text.count(old) == 1
        (self.root / path).write_text(text.replace(old, new), "utf-8")
        return self.wait_for(until, said)

    @cached_property
    def pages(self) -> int:
        """How many pages the project has."""
        guide = Guide(self.root)
        return len(guide.paths) + len(guide.labs)

    def shown(self, path: str) -> bytes:
        with urllib.request.urlopen(f"{self.address}{path}") as answer:
            content: bytes = answer.read()
        return SCRIPT.sub(b"", content)

    def stale(self) -> list[str]:
        """Return the files that a build of what is saved would make otherwise."""
        site = self.root / "cold"
        assert self.builder.stdin and self.builder.stdout
        self.builder.stdin.write(f"{site} {self.address}\n")
        self.builder.stdin.flush()
        self.builder.stdout.readline()
        files = {f.relative_to(site).as_posix(): f for f in site.rglob("*.*")}
        assert {"index.html", "labs/lab/index.html"} < files.keys()
        assert "search/search_index.json" in files
        return [
            name
            for name, file in files.items()
            if not name.startswith("assets/") or name.endswith((".ipynb", ".zip"))
            if self.shown(name) != file.read_bytes()
        ]


@pytest.fixture(scope="module")
def author(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Author]:
    author = Author(tmp_path_factory.mktemp("preview") / "project")
    yield author
    author.close()


@thorough
def test_a_save_shows_what_a_build_makes(author: Author) -> None:
    first, module = "docs/two/first.md", "microgpt/autograd.py"
    saves = {
        "a lab": ("1", "docs/labs/lab.ipynb", "It asks", "It answers"),
        "prose": ("1", first, "A number", "One number"),
        "a mark": ("1", first, "# The first", f"{MARK}# The first"),
        "a title": ("all", first, "# The first", "# The very first"),
        "a term": ("all", "docs/reference/glossary.md", "How fast", "How much"),
        "the package": ("all", module, "def log", "# Natural\n    def log"),
        "a home": ("all", first, ":Value.log", ":Value.exp"),
    }
    for what, (made, *save) in saves.items():
        count = author.pages if made == "all" else made
        anew = f"{count} of {author.pages} pages made anew"
        assert anew in author.save(*save), what
        # What the lab left as it was, the page after it does not mend.
        assert what == "a lab" or author.stale() == [], what


@thorough
def test_a_mistake_is_told_in_a_sentence_and_mended_by_the_next_save(
    author: Author,
) -> None:
    page = "docs/two/second.md"
    told = author.save(page, "Value.log", "Value.lag", "An error happened")
    assert "docs/two/second.md:5: 'microgpt.autograd:Value.lag': no 'lag' among" in told
    assert "Traceback" not in told and 'File "' not in told
    assert f"0 of {author.pages} pages" in author.save(page, "Value.lag", "Value.log")
    assert author.stale() == []


@thorough
def test_a_warning_is_told_again_until_it_is_mended(author: Author) -> None:
    page = "docs/two/second.md"
    assert "no-page.md" in author.save(page, "of the first", "of [it](no-page.md)")
    told = author.save("docs/two/first.md", "What it", "What it also")
    assert "no-page.md" in told and f"2 of {author.pages} pages" in told


class Outlines(Guide):
    """A guide that knows of its pages only what a preview compares."""

    def read(self, path: Path) -> Page:
        if path in self._read:
            return self._read[path]
        page = super().read(path)
        if path.name == "recap.md":  # whose tables stand on a sheet as well
            return page
        title = next(i for i, line in enumerate(page.lines) if line.startswith("# "))
        lines = [""] * title + [page.lines[title]]
        fences = [f for f in page.fences if f.language in SHOWN_ELSEWHERE]
        self._read[path] = Page(page.path, lines, fences)
        return self._read[path]


def test_pages_show_of_one_another_only_what_a_preview_compares(
    guide: Guide, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = {"path": "microgpt/autograd.py", "number": 20}
    monkeypatch.setattr(Widget, "result", lambda *_: {"source_line": line})
    outlines = Outlines(ROOT)
    for path in [*guide.paths, *guide.labs]:
        page = guide.read(path)
        shown, same = (
            [  # without counts of the guide, which a preview compares by themselves
                line
                for line in Renderer(
                    View(each, page, RecordingDrawer(ROOT), str, "")
                ).render()
                if "count(" not in line
            ]
            for each in (guide, outlines)
        )
        assert shown == same, path
