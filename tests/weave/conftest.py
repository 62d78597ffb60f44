"""A small project for each test of weave."""

import shutil
from pathlib import Path

import pytest

from tests.processes import ROOT
from tests.writing import write_with_new_mtime
from weave.fences.base import RenderContext
from weave.guide import Guide
from weave.page import Page
from weave.python_archive import write_python_archive
from weave.render import render_to_markdown_lines

PYPROJECT_TOML = """\
[tool.weave]
namespace = "snippets.records.on_pages"

[tool.weave.waived]
"""
MKDOCS_YML = """\
site_name: Test
nav:
  - Home: index.md
  - Step 2 · Two:
      - two/first.md
      - two/second.md
"""


class Project:
    """A copy of the package with pages that a test writes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for folder in ("microgpt", "snippets"):
            shutil.copytree(ROOT / folder, root / folder)
        self.write("mkdocs.yml", MKDOCS_YML)
        self.write("pyproject.toml", PYPROJECT_TOML)
        self.write("docs/index.md", "# Home\n")

    def write(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        write_with_new_mtime(file, text)
        return Path(path)

    @property
    def guide(self) -> Guide:
        return Guide(self.root)

    def page(self, text: str, path: str = "docs/two/first.md") -> Page:
        return self.guide.read_page(self.write(path, text))


def render_markdown_and_html(guide: Guide, path: Path) -> tuple[str, str]:
    """Return the Markdown that a builder gets for a page, and the HTML stashed for it."""
    stashed: list[str] = []

    def stash(html: str) -> str:
        stashed.append(html)
        return ""

    write_python_archive(guide.root)
    context = RenderContext(guide, guide.read_page(path), stash)
    return "\n".join(render_to_markdown_lines(context)), "\n".join(stashed)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "project")
