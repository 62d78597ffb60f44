"""The command line: `python -m weave check`, `update` and `publish`."""

import argparse
import sys
from collections import Counter
from difflib import get_close_matches
from pathlib import Path

from weave.check import check_pages, check_project
from weave.corrections import Correction, Report, corrected_texts
from weave.errors import WeaveError, WeaveErrors
from weave.fences.python_block import OPTIONAL_LIBRARIES
from weave.files import write_if_changed
from weave.guide import Guide, read_project_file
from weave.publish.before_build import write_build_inputs
from weave.publish.generated_files import write_generated_files

DESCRIPTION = """\
Run the code blocks of pages, and compare everything that the pages state with the results.

commands:
  check      report every statement that is not true; change nothing
  update     write the outputs, numbers and graphs that the code gives today into the
             pages, and report what only an author can fix; given a lab, run it again
  publish    write the files that a build without MkDocs' hooks needs, for Zensical
"""
EXAMPLES = """\
examples:
  python -m weave check                               all pages, then the project: minutes
  python -m weave check docs/autograd/backward.md     one page: seconds
  python -m weave update docs/autograd/backward.md

The exit status is 0 if everything is true, 1 if anything is not, and 2 for wrong arguments.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: The words after `python -m weave`; by default those of `sys.argv`.

    Returns:
        The exit status: 0 for success, 1 if anything is wrong, 130 after Ctrl-C. Wrong
        arguments exit with 2.
    """
    options = _parse_arguments(arguments)
    root = options.root.resolve()
    try:
        if options.command == "publish":
            write_build_inputs(root, previewing=False)
        else:
            _check_or_update(root, options)
    except WeaveErrors as error:
        count, s = len(error.errors), "s" * (len(error.errors) > 1)
        corrections = sum(isinstance(each, Correction) for each in error.errors)
        hint = f"; update corrects {corrections}" if corrections else ""
        print(f"{error}\nFound {count} error{s}{hint}.", file=sys.stderr)
        return 1
    except WeaveError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(
            f"{error.filename or 'weave'}: {error.strerror or error}", file=sys.stderr
        )
        return 1
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return 130
    return 0


def _parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m weave",
        usage="%(prog)s [-h] [--project] COMMAND [PAGE ...]",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = ("check", "update", "publish")
    parser.add_argument(
        "command", choices=commands, metavar="COMMAND", help="see above"
    )
    parser.add_argument(
        "pages",
        nargs="*",
        type=Path,
        default=[],
        metavar="PAGE",
        help="a page or a lab of docs/ (default: all of them, then the project)",
    )
    parser.add_argument(
        "--project",
        action="store_true",
        help="run no page: compare only what concerns the project as a whole, such as "
        "whether every line of the package is explained",
    )
    parser.add_argument("--root", type=Path, default=Path(), help=argparse.SUPPRESS)
    options = parser.parse_intermixed_args(arguments)
    if options.project and options.pages:
        page = options.pages[0]
        parser.error(f"--project runs no page: leave out --project or {page}")
    if options.command == "publish" and (options.project or options.pages):
        parser.error(
            "publish writes the files of all pages: run it without PAGE or --project"
        )
    return options


def _check_or_update(root: Path, options: argparse.Namespace) -> None:
    """Check the chosen pages, or update them.

    Raises:
        WeaveErrors: Something is not true and was not corrected.
    """
    updating = options.command == "update"
    write_generated_files(root)
    guide = Guide(root)
    paths = (_resolve_page(guide, path) for path in options.pages)
    chosen_pages = [*dict.fromkeys(paths)]  # a page named twice is corrected once
    pages = chosen_pages or [*guide.page_paths, *guide.lab_paths]
    if options.project:
        pages = []
    run_labs = updating and bool(chosen_pages)
    try:
        report = check_pages(guide, pages, _show_progress, run_labs=run_labs)
        if not chosen_pages and not report.errors:
            _show_progress("the project as a whole")
            report.add(check_project(guide))
    finally:
        _show_progress("")
    if updating:
        _write_corrections(guide, report)
    report.raise_if_any_findings()
    for library, count in Counter(report.missing_libraries).items():
        name = OPTIONAL_LIBRARIES[library]
        print(f"skipped {count} blocks and numbers that need {name}: install {library}")
    checked = "1 page" if len(pages) == 1 else f"{len(pages)} pages"
    print(f"{'The project' if options.project else checked} checked: no errors.")


def _show_progress(name: str) -> None:
    """Show on the last line of a terminal what is being checked; "" clears the line."""
    if sys.stderr.isatty():
        line = f"\r\033[K{'checking ' if name else ''}{name}"
        print(line, end="", file=sys.stderr, flush=True)


def _write_corrections(guide: Guide, report: Report) -> None:
    """Write the corrections of a report into their files, and clear them.

    A file that was saved after it was checked is left alone: the report gets an error.
    """
    texts = corrected_texts(report.corrections, guide.read_text)
    report.corrections.clear()
    for path, text in texts.items():
        if read_project_file(guide.root, path) != guide.read_text(path):
            report.errors += [
                WeaveError(
                    "was saved during the check, so it is not updated: update it again",
                    path,
                )
            ]
        else:
            write_if_changed(guide.root / path, text.encode())
            print(f"updated {path}")


def _resolve_page(guide: Guide, path: Path) -> Path:
    """Return the path of a page relative to the project.

    Raises:
        WeaveError: The path is not a page or a lab of docs/.
    """
    page = path.parent.resolve() / path.name  # the page itself may be a symbolic link
    docs = guide.root / "docs"
    if not page.is_relative_to(docs) or page.suffix not in (".md", ".ipynb"):
        raise WeaveError(f"expected a page (.md) or a lab (.ipynb) of {docs}", path)
    page = page.relative_to(guide.root)
    if not (guide.root / page).is_file():
        pages = map(str, [*guide.page_paths, *guide.lab_paths])
        matches = get_close_matches(str(page), pages, n=1)
        hint = f"; did you mean {matches[0]}?" if matches else ""
        raise WeaveError(f"there is no such page{hint}", page)
    return page


if __name__ == "__main__":
    sys.exit(main())
