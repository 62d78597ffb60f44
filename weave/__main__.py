"""The command line: `python -m weave check`, `update` and `publish`."""

import argparse
import sys
from collections import Counter
from pathlib import Path

from weave.check import check_pages, check_project
from weave.corrections import corrected_texts
from weave.errors import WeaveError, WeaveErrors
from weave.files import replace
from weave.guide import Guide, read_project_file
from weave.kinds.block import LIBRARIES
from weave.publish.before_build import write_build_inputs
from weave.publish.generated_files import write_generated_files


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m weave", description="Keep the guide true."
    )
    parser.add_argument(
        "command",
        choices=("check", "update", "publish"),
        help="report all that is not true; rewrite outputs, numbers and graphs in place; "
        "or write what a build without hooks, such as Zensical's, needs",
    )
    parser.add_argument("pages", nargs="*", type=Path, help="default: all")
    parser.add_argument("--root", type=Path, default=Path(), help=argparse.SUPPRESS)
    project = "only what no page states"
    parser.add_argument("--project", action="store_true", help=project)
    options = parser.parse_intermixed_args(arguments)
    if options.project and options.pages:
        parser.error("--project looks at no page: leave out one of the two")
    try:
        if options.command == "publish":
            write_build_inputs(options.root.resolve(), previewing=False)
        else:
            _check_or_update(options)
    except (WeaveError, WeaveErrors, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _check_or_update(options: argparse.Namespace) -> None:
    root, updating = options.root.resolve(), options.command == "update"
    write_generated_files(root)
    guide = Guide(root)
    chosen = [_resolve_page(root, path) for path in options.pages]
    pages = [] if options.project else chosen or [*guide.page_paths, *guide.lab_paths]
    report = check_pages(guide, pages, run_labs=updating and bool(chosen))
    if not chosen and not report.errors:
        report.add(check_project(guide))
    if updating:
        mended = corrected_texts(guide.read_text, report.corrections)
        report.corrections.clear()
        for path, text in mended.items():
            try:
                _write_update(guide, path, text)
            except WeaveError as error:
                report.errors.append(error)
    report.raise_if_any()
    for library, parts in Counter(report.missing_libraries).items():
        print(f"not compared without {LIBRARIES[library]}: {parts} blocks and numbers")
    checked = "1 page" if len(pages) == 1 else f"{len(pages)} pages"
    print(f"{'The project' if options.project else checked} checked: no errors.")


def _write_update(guide: Guide, path: Path, text: str) -> None:
    """Write a file anew; raise WeaveError if it's no longer as it was checked."""
    if read_project_file(guide.root, path) != guide.read_text(path):
        what = (
            "it was saved while it was checked, and is left as it is: update it again"
        )
        raise WeaveError(what, path)
    replace(guide.root / path, text.encode())
    print(f"updated {path}")


def _resolve_page(root: Path, path: Path) -> Path:
    """Return a page's path relative to the project; raise WeaveError for no page."""
    page = path.parent.resolve() / path.name  # which may be a link
    if page.is_relative_to(root / "docs") and page.suffix in (".md", ".ipynb"):
        return page.relative_to(root)
    raise WeaveError(f"is no page of {root / 'docs'}", path)


if __name__ == "__main__":
    sys.exit(main())
