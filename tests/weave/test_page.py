"""Pages are parsed strictly: syntax that other tools would skip silently is refused."""

import pytest

from tests.weave.page_errors import PAGE_PATH, first_error, iterate_errors
from weave.fences.python_block import EXPECTED_OUTPUT_COMMENT, PythonBlock
from weave.page import Page, parse_page
from weave.prose.numbers import find_computed_numbers

PYTHON_BLOCK = "```python\nx = 1\n```\n"


def parse_text(text: str) -> Page:
    return parse_page(PAGE_PATH, text)


MALFORMED_FENCES = [
    *('```python title="x"', "``` python", "```{.python}", "```py", "```Python", "```"),
    *("```python ", "~~~python", "> ```python", "- ```python", "1. ```python"),
    *("    ```python", "	```python"),
]


@pytest.mark.parametrize("fence", MALFORMED_FENCES)
def test_malformed_python_fence_is_refused_with_its_line(fence: str) -> None:
    assert first_error(f"text\n\n{fence}\nx = 1\n```\n")[0] == 3


def test_fence_inside_a_longer_fence_is_plain_text() -> None:
    comment = "<!--weave:unchecked an example of a fence-->\n"
    page = parse_text(f"{comment}````text\n```python\n```\n````\n")
    assert not PythonBlock.find_on_page(page)
    assert page.fences[0].body == ["```python", "```"]


def test_continued_block_continues_the_nearest_python_block() -> None:
    """A continued block has its own output, and needs the library of the first."""
    comment = "<!--pytest-codeblocks:importorskip(torch)-->\n"
    needs = f"{comment}```python\nimport torch\n```\n"
    other = "<!--weave:drawn by hand for this test-->\n```mermaid\na\n```\n"
    output = f"{EXPECTED_OUTPUT_COMMENT}\n```text\n1\n```\n"
    continued = f"<!--pytest-codeblocks:cont-->\n{PYTHON_BLOCK}{output}"
    page = parse_text(f"{needs}{output}\n{other}\n{continued}\n{PYTHON_BLOCK}")
    first, second, third = PythonBlock.find_on_page(page)
    assert second.continued_block is first and not third.continued_block
    assert second.full_code() == "import torch\n\nx = 1\n"
    blocks = (first, second, third)
    assert [x.required_library for x in blocks] == ["torch", "torch", ""]
    assert [bool(x.expected_output) for x in blocks] == [True, True, False]


def test_vertical_bar_in_code_or_prose_does_not_split_a_table_cell() -> None:
    row = "| `a|b` | $p(y \\mid x)$ |\n\na | b | c\n"
    errors = iterate_errors(f"# Title\n\n| A | B |\n| --- | --- |\n{row}")
    assert not [error for error in errors if "cells" in str(error)]


def test_data_element_in_code_is_not_a_computed_number() -> None:
    text = '`<data value="x">11</data>`\n\n```python\n"<data>"\n```\n'
    assert not find_computed_numbers(parse_text(text))
