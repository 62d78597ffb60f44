"""Renders, runs and checks the pages of the guide.

`page` parses a page strictly, once, for all others. `render` turns it into what readers
see, inside any builder that uses Python-Markdown; `check` runs it and reports whatever is
not true, which `update` corrects.
"""

from typing import Any

from markdown import Extension


def makeExtension(**options: Any) -> Extension:
    """Return the extension; Python-Markdown finds it by this name."""
    from weave.markdown_extension import WeaveExtension

    return WeaveExtension(**options)
