"""Labs: notebooks that are pages of the guide, with what their cells gave.

A notebook is read as the Markdown of a page, so that a lab is rendered and checked like
any other. Executing it anew gives the notebook that it should be.
"""

import json
import os
import re
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from weave.corrections import Correction, Finding
from weave.errors import WeaveError
from weave.matplotlib_svg import MATPLOTLIBRC, simplify_svg

CELL_TIMEOUT_S = 120  # seconds for a cell
FIGURE_COMMENT = re.compile(r"\A# Figure: (.+(?:\n# .+)*)\n")
# Newer processors add in another order, and a long training run shows the difference.
SAME_RESULTS_EVERYWHERE = {
    "OPENBLAS_CORETYPE": "Haswell",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
}
KERNEL_SPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}
METADATA = {"kernelspec": KERNEL_SPEC, "language_info": {"name": "python"}}

Notebook = dict[str, Any]


def notebook_to_markdown(notebook: Notebook, path: Path) -> str:
    """Return a notebook as the Markdown of a page.

    Each cell continues those above it. A cell that draws says in a comment, first of
    all, what is to be seen: `# Figure: …`; its drawing stands above it.
    """
    parts: list[str] = []
    mark = ""
    for number, cell in enumerate(notebook["cells"], 1):
        source, place = "".join(cell["source"]), len(parts)
        if cell["cell_type"] != "code":
            parts.append(source)
            continue
        caption = FIGURE_COMMENT.match(source)
        parts.append(f"{mark}```python\n{FIGURE_COMMENT.sub('', source)}\n```")
        mark = "<!--pytest-codeblocks:cont-->\n"
        for output in cell["outputs"]:
            if output.get("name") == "stdout":
                text = "".join(output["text"]).removesuffix("\n")
                expected = "<!--pytest-codeblocks:expected-output-->"
                parts.append(f"{expected}\n```text\n{text}\n```")
                continue
            drawing = "".join(output.get("data", {}).get("image/svg+xml", "")).strip()
            if not drawing or caption is None:
                what = output.get("name") or output["output_type"]
                how = "print text, or draw what its first line says, '# Figure: …'"
                raise WeaveError(f"cell {number} gives {what}: {how}", path)
            said = caption[1].replace("\n# ", " ")
            parts.insert(place, f"```figure\n{said}\n{drawing}\n```")
    return "\n\n".join(parts) + "\n"


def parse_notebook(text: str, path: Path) -> Notebook:
    """Return the notebook in a file; raise WeaveError for what is none."""
    import nbformat  # takes a moment, and most commands read no lab

    try:
        notebook: Notebook = json.loads(text)
        nbformat.validate(notebook, version=4)
    except (AttributeError, ValueError, nbformat.ValidationError) as error:
        what = str(error).partition("\n")[0]
        raise WeaveError(f"is not a notebook of format 4: {what}", path) from None
    return notebook


def check_lab(root: Path, path: Path, text: str, run: bool) -> Iterator[Finding]:
    """Run a lab and compare it with what its cells give, or see that it has been run."""
    notebook = parse_notebook(text, path)
    if run and (ran := run_notebook(root, text, path)) != text:
        yield Correction(path, (1, 0), None, ran, "its cells give something else")
    elif not run and notebook["metadata"].get("ran") != hash_code_and_outputs(notebook):
        what = f"was changed since its cells ran: run 'uv run poe update {path}'"
        yield WeaveError(what, path)


def run_notebook(root: Path, text: str, path: Path) -> str:
    """Run a notebook in an empty folder; return it with what its cells give."""
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
        **SAME_RESULTS_EVERYWHERE,
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
                # Not that nothing is encrypted: it all stays on this machine
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
    """Return a notebook without what changes from run to run."""
    import nbformat

    for number, cell in enumerate(notebook.cells, 1):
        cell.id, cell.metadata = f"cell-{number}", {}
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                if "data" in output:
                    output.metadata = {}
                    svg = output.data.get("image/svg+xml")
                    output.data = (
                        {"image/svg+xml": simplify_svg(svg)} if svg else output.data
                    )
    notebook.nbformat_minor = 5
    ran = hash_code_and_outputs(json.loads(nbformat.writes(notebook)))
    notebook.metadata = {**METADATA, "ran": ran}
    return f"{nbformat.writes(notebook)}\n"


def hash_code_and_outputs(notebook: Notebook) -> str:
    """Return what tells a notebook that has run from one with other code or outputs."""
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    ran = [[cell["source"], cell["outputs"]] for cell in code]
    return sha256(json.dumps(ran).encode()).hexdigest()[:16]
