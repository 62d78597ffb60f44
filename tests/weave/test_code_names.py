"""Names in code spans must exist in the code."""

import pytest

from tests.weave.conftest import Project
from weave.errors import WeaveError
from weave.prose import code_names


@pytest.mark.parametrize("content", [b"# \xff\n", b"def f(:\n", b"x = 1\0\n"])
def test_unreadable_source_is_reported_by_name(
    project: Project, content: bytes
) -> None:
    (project.root / "microgpt/new.py").write_bytes(content)
    page = project.page("# A\n\nSee `Value.data`.\n")
    message = r"^microgpt/new.py:.*(is not valid Python|cannot be read)"
    with pytest.raises(WeaveError, match=message):
        list(code_names.check_code_names(project.guide, page))


def test_unknown_names_in_code_spans_are_reported(project: Project) -> None:
    text = (
        "# A\n\nSee `Value.data`, `Value.the()`, `GPT.zero_grad()`, `Other.name`, "
        "`microgpt.nn`, `microgpt.nn.linear`, `microgpt.gone`, `microgpt/gone.py`, "
        "`from microgpt import GPT, lag`, `microgpt/nn.py`, `x.data`.\n"
    )
    errors = code_names.check_code_names(project.guide, project.page(text))
    unknown = {str(error).split("`")[1] for error in errors}
    modules = {"microgpt.gone", "microgpt.lag", "microgpt/gone.py"}
    assert unknown == {"Value.the", "GPT.zero_grad", *modules}
