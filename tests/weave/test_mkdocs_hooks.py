"""Error messages of builds and previews."""

from pathlib import Path

import pytest

from weave.errors import WeaveError
from weave.mkdocs_hooks import on_build_error


def test_build_error_is_shown_in_one_sentence_without_traceback() -> None:
    mistake = WeaveError("'lag' is missing", Path("docs/a.md"), 5)
    # MkDocs prints what ends it, and the traceback of all else.
    with pytest.raises(SystemExit, match=r"^docs/a.md:5: 'lag' is missing$"):
        on_build_error(mistake)
    with pytest.raises(SystemExit, match="No such file"):
        on_build_error(FileNotFoundError(2, "No such file or directory", "4913"))
    on_build_error(KeyError("a fault of the program's"))
