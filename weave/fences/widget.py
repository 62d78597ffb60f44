"""Widgets: interactive pictures whose numbers a Python function computes."""

import ast
import json
import re
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import yaml

from weave.fences.base import Html, RenderContext, TypedFence
from weave.guide import Guide

WIDGETS_FOLDER = Path("web", "widgets")


class Widget(TypedFence):
    """A widget: its name, then parameters of its Python function, each on a line."""

    language = "widget"

    @property
    def name(self) -> str:
        """The name of the widget's folder in `web/widgets/`."""
        return self.fence.body[0] if self.fence.body else ""

    @property
    def folder(self) -> Path:
        """The widget's folder: a model, a view, and perhaps a style sheet."""
        return WIDGETS_FOLDER / self.name

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """The arguments for the widget's Python function, by name.

        Raises:
            WeaveError: The lines below the name aren't `key: value`.
        """
        try:
            parameters = yaml.safe_load("\n".join(self.fence.body[1:])) or {}
        except yaml.YAMLError:
            parameters = None
        if not isinstance(parameters, dict):
            raise self.error(
                "expected 'key: value' on each line below the name of the widget, got "
                f"{self.fence.body[1]!r}"
            )
        return parameters

    def validate(self) -> None:
        """Refuse a fence without a name, or with parameters that can't be read."""
        if not re.fullmatch(r"[a-z_]+", self.name):
            raise self.error(
                f"expected the name of a folder of {WIDGETS_FOLDER.as_posix()} on the "
                f"first line, got {self.name!r}"
            )
        self.parameters  # noqa: B018  (raises)

    def resolve(self, guide: Guide) -> Any:
        """Return what the widget's Python function returns for the parameters."""
        for path in (self.folder / "model.py", self.folder / "view.tsx"):
            if not (guide.root / path).is_file():
                raise self.error(
                    f"there is no widget {self.name!r}: {path.as_posix()} is missing"
                )
        request = {"widget": self.name, "parameters": self.parameters}
        return self.query_python(guide, request)

    def render(self, context: RenderContext) -> Html:
        """Return the widget's first picture, and the data with which it starts."""
        result = self.resolve(context.guide)
        props = {"parameters": self.parameters, "result": result}
        picture = context.draw(self.line, "widget", name=self.name, props=props)
        if picture is None:
            return "<p>Here stands a picture that needs the built web assets.</p>"
        data = json.dumps(props, separators=(",", ":")).replace("<", "\\u003c")
        model = (context.guide.root / self.folder / "model.py").read_text("utf-8")
        first_line = (ast.get_docstring(ast.parse(model)) or "").partition("\n")[0]
        label = escape(first_line.rstrip(".").replace("`", ""), quote=True)
        has_style = (context.guide.root / self.folder / "style.css").is_file()
        style = context.url_to(Path("docs", "assets", "widgets", f"{self.name}.css"))
        style_link = f'<link rel="stylesheet" href="{style}">' if has_style else ""
        return (
            f'{style_link}<figure class="widget {self.name}" data-widget="{self.name}" '
            f'data-python-hash="{context.guide.python_archive_hash}" data-search-exclude '
            f'aria-label="{label}"><div class="widget-view" translate="no">{picture}</div>'
            '<p class="status" role="status"></p>'
            f'<script type="application/json">{data}</script></figure>'
        )
