"""Labs: notebooks that are pages of the guide, stored with the outputs of their cells.

A notebook is converted to the Markdown of a page, so that a lab is rendered and checked
like any other page. Labs take minutes to run, so a hash of code and outputs is stored in
the notebook: while the two agree, `weave check` does not run the cells again.
"""

import json
import os
import re
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from weave.corrections import Correction
from weave.errors import WeaveError
from weave.matplotlib_svg import MATPLOTLIBRC, simplify_svg

CELL_TIMEOUT_S = 120
FIGURE_COMMENT = re.compile(r"\A# Figure: (.+(?:\n# .+)*)\n")
# Newer processors add in another order, which changes the result of a long training.
OLDER_CPU_ENVIRONMENT = {
    "OPENBLAS_CORETYPE": "Haswell",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
}
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}

Notebook = dict[str, Any]


def notebook_to_markdown(notebook: Notebook, path: Path) -> str:
    """Return a notebook as the Markdown of a page; name its path in errors.

    Each cell continues the cells above it. A cell that draws begins with a comment,
    `# Figure: …`, which says what it shows; the page has the drawing above the code.

    Raises:
        WeaveError: A cell gives something that no page can show.
    """
    parts: list[str] = []
    continues = ""
    for number, cell in enumerate(notebook["cells"], 1):
        source, index = "".join(cell["source"]), len(parts)
        if cell["cell_type"] != "code":
            parts.append(source)
            continue
        comment = FIGURE_COMMENT.match(source)
        parts.append(f"{continues}```python\n{FIGURE_COMMENT.sub('', source)}\n```")
        continues = "<!--pytest-codeblocks:cont-->\n"
        for output in cell["outputs"]:
            if output.get("name") == "stdout":
                text = "".join(output["text"]).removesuffix("\n")
                directive = "<!--pytest-codeblocks:expected-output-->"
                parts.append(f"{directive}\n```text\n{text}\n```")
                continue
            drawing = "".join(output.get("data", {}).get("image/svg+xml", "")).strip()
            if not drawing or comment is None:
                raise WeaveError(
                    f"cell {number} gives {output.get('name') or output['output_type']}, "
                    "which no page shows: print text, or draw, and begin the cell with "
                    "'# Figure: …'",
                    path,
                )
            caption = comment[1].replace("\n# ", " ")
            parts.insert(index, f"```figure\n{caption}\n{drawing}\n```")
    return "\n\n".join(parts) + "\n"


def parse_notebook(text: str, path: Path) -> Notebook:
    """Parse the JSON of a notebook; name its path in errors.

    Raises:
        WeaveError: The text is not a notebook of format 4.
    """
    import nbformat  # slow to import, and most commands read no lab

    try:
        notebook: Notebook = json.loads(text)
        nbformat.validate(notebook, version=4)
    except (AttributeError, ValueError, nbformat.ValidationError) as error:
        reason = str(error).partition("\n")[0]
        raise WeaveError(f"expected a notebook of format 4: {reason}", path) from None
    return notebook


def check_lab(root: Path, path: Path, text: str, rerun: bool) -> Iterator[WeaveError]:
    """Compare a lab's stored outputs with a new run, or else only with their hash."""
    notebook = parse_notebook(text, path)
    if rerun:
        new_text = run_notebook(root, text, path)
        if new_text != text:
            yield Correction(
                path,
                (1, 0),
                None,
                new_text,
                "the cells give other outputs than the notebook stores",
            )
    elif notebook["metadata"].get("ran") != hash_code_and_outputs(notebook):
        yield WeaveError(
            f"was changed since its cells ran: run 'uv run poe update {path}'", path
        )


def run_notebook(root: Path, text: str, path: Path) -> str:
    """Run the cells of a notebook in an empty folder; return it with its new outputs.

    Cells import from the project, whose folder is `root`; errors name the path.

    Raises:
        WeaveError: The text is not a notebook, or a cell fails or takes longer than
            `CELL_TIMEOUT_S`.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError

    notebook: Any = nbformat.reads(json.dumps(parse_notebook(text, path)), 4)
    environment = {
        **os.environ,
        "PYTHONPATH": str(root),
        "MATPLOTLIBRC": str(MATPLOTLIBRC),
        "PYTHONHASHSEED": "0",
        "OPENBLAS_NUM_THREADS": "1",  # threads cost small matrices more than they save
        **OLDER_CPU_ENVIRONMENT,
    }
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=CELL_TIMEOUT_S,
            kernel_name="python3",
            record_timing=False,
            coalesce_streams=True,
            resources={"metadata": {"path": folder}},
            extra_arguments=[
                # No warning that nothing is encrypted: it all stays on this machine.
                "--log-level=ERROR",
                "--InlineBackend.figure_formats=svg",
                "--InlineBackend.print_figure_kwargs={}",
            ],
        )
        try:
            client.execute(env=environment)
        except (CellExecutionError, CellTimeoutError, RuntimeError) as error:
            raise WeaveError(f"a cell fails: {error}", path) from None
    return normalize_notebook(notebook)


def normalize_notebook(notebook: Any) -> str:
    """Return the text of a notebook without what differs from run to run."""
    import nbformat

    for number, cell in enumerate(notebook.cells, 1):
        cell.id, cell.metadata = f"cell-{number}", {}
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                if "data" in output:
                    output.metadata = {}
                    if svg := output.data.get("image/svg+xml"):
                        output.data = {"image/svg+xml": simplify_svg(svg)}
    notebook.nbformat_minor = 5
    digest = hash_code_and_outputs(json.loads(nbformat.writes(notebook)))
    notebook.metadata = {**NOTEBOOK_METADATA, "ran": digest}
    return f"{nbformat.writes(notebook)}\n"


def hash_code_and_outputs(notebook: Notebook) -> str:
    """Return 16 hexadecimal digits that depend on the code cells and their outputs."""
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    content = [[cell["source"], cell["outputs"]] for cell in code]
    return sha256(json.dumps(content).encode()).hexdigest()[:16]
