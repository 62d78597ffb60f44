"""What ties the chapters to the code: one Python-Markdown extension, and the checks.

A page is read once, strictly, by `page`. `render` turns what it says into what readers
see; `check` and `update` run it and compare, or rewrite, what it claims.
"""

from typing import Any

from markdown import Extension


def makeExtension(**options: Any) -> Extension:
    """Return the extension; Python-Markdown finds it by this name."""
    from weave.markdown_extension import WeaveExtension

    return WeaveExtension(**options)
