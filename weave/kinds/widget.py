"""Widgets: pictures to play with, whose numbers a Python function computes."""

import ast
import json
import re
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import yaml

from weave.guide import Guide
from weave.kinds.kind import Kind, View

WIDGETS = Path("web", "widgets")


class Widget(Kind):
    """A widget: its name, then parameters of its Python function, each on a line."""

    language = "widget"

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.fence.body[0] if self.fence.body else ""

    @property
    def folder(self) -> Path:
        """Its folder: a model, a view, and a style if it has one of its own."""
        return WIDGETS / self.name

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """What it begins with."""
        try:
            said = yaml.safe_load("\n".join(self.fence.body[1:])) or {}
        except yaml.YAMLError:
            said = None
        if not re.fullmatch(r"[a-z_]+", self.name) or not isinstance(said, dict):
            what = "a widget has a name on its first line, and below it 'key: value'"
            raise self.error(what)
        return said

    def read(self) -> None:
        """Refuse what names no widget."""
        self.parameters  # noqa: B018  (raises)

    def content(self, guide: Guide) -> Any:
        """Call the widget's Python function as a reader's browser does."""
        for part in (self.folder / "model.py", self.folder / "view.tsx"):
            if not (guide.root / part).is_file():
                raise self.error(f"there is no widget {self.name!r}: {part} is missing")
        question = {"widget": self.name, "parameters": self.parameters}
        return self.answer(guide, question)

    def html(self, view: View) -> str:
        """Draw its first picture, with all that it needs to come alive."""
        result = self.content(view.guide)
        given = {"parameters": self.parameters, "result": result}
        picture = view.draw(self.line, "widget", name=self.name, given=given)
        if picture is None:
            return "<p>Here stands a picture that needs the built web assets.</p>"
        data = json.dumps(given, separators=(",", ":")).replace("<", "\\u003c")
        model = (view.guide.root / self.folder / "model.py").read_text("utf-8")
        label = escape(about(model), quote=True)
        dressed = (view.guide.root / self.folder / "style.css").is_file()
        style = view.to(Path("docs", "assets", "widgets", f"{self.name}.css"))
        sheet = f'<link rel="stylesheet" href="{style}">' if dressed else ""
        return (
            f'{sheet}<figure class="widget {self.name}" data-widget="{self.name}" '
            f'data-edition="{view.guide.python_archive_hash}" data-search-exclude aria-label="{label}">'
            f'<div class="stage" translate="no">{picture}</div><p class="state" role="status"></p>'
            f'<script type="application/json">{data}</script></figure>'
        )


def about(model: str) -> str:
    """Return what a widget shows: the first sentence of its Python, without marks."""
    said = ast.get_docstring(ast.parse(model)) or ""
    return said.partition("\n")[0].rstrip(".").replace("`", "")
