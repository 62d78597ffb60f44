"""The command line: `python -m weave check`, `update` and `standalone`."""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path

from weave.check import Report, apply, examine, examine_project
from weave.errors import WeaveError, WeaveErrors
from weave.guide import Guide
from weave.page import LIBRARIES
from weave.source import UnknownSymbol
from weave.standalone import standalone


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m weave", description="Keep the guide true."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, help_text in (
        ("check", "report everything on the pages that is not true"),
        ("update", "rewrite outputs, numbers, graphs and data in place"),
    ):
        command = commands.add_parser(name, help=help_text)
        command.add_argument("pages", nargs="*", type=Path, help="default: all")
        command.add_argument(
            "--root", type=Path, default=Path(), help=argparse.SUPPRESS
        )
        command.add_argument(
            "--project", action="store_true", help="only what no page states"
        )
        if name == "update":
            command.add_argument(
                "--dry-run", action="store_true", help="show a diff only"
            )
    one = commands.add_parser("standalone", help="print a program as one file")
    one.add_argument("program", help="such as snippets.step2")
    one.add_argument("--root", type=Path, default=Path(), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    try:
        if options.command == "standalone":
            print(standalone(options.root, options.program), end="")
        else:
            _examine(options)
    except (WeaveError, WeaveErrors, UnknownSymbol) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _examine(options: argparse.Namespace) -> None:
    root = options.root.resolve()
    guide = Guide(root)
    pages = [_in_project(root, path) for path in options.pages]
    alone = options.project
    report = (
        Report([], [])
        if alone
        else examine(guide, pages or [*guide.paths, *guide.labs])
    )
    if not pages and not report.errors:
        project = examine_project(guide)
        report.corrections += project.corrections
        report.errors += project.errors
    if options.command == "update":
        for path, (before, after) in apply(root, report.corrections).items():
            if options.dry_run:
                old, new = before.splitlines(), after.splitlines()
                lines = difflib.unified_diff(
                    old, new, f"{path}", f"{path} (updated)", lineterm="", n=1
                )
                print("\n".join(lines))
            else:
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(after, encoding="utf-8", newline="\n")
                print(f"updated {path}")
        changes = bool(report.corrections)
        report.corrections.clear()
        report.raise_if_any()
        if options.dry_run and changes:
            return
    report.raise_if_any()
    count = len(pages or [*guide.paths, *guide.labs])
    for name in LIBRARIES:
        waiting = [
            block
            for path in pages or [*guide.paths, *guide.labs]
            for block in guide.read(path).blocks
            if block.library == name and not block.runs_here
        ]
        if waiting:
            print(
                f"not compared: {len(waiting)} blocks need {name}, not installed here"
            )
    print("the project holds" if alone else f"{count} pages hold")


def _in_project(root: Path, path: Path) -> Path:
    """Return a page's path relative to the project; raise WeaveError for no page."""
    page = path.resolve()
    if not page.is_relative_to(root / "docs") or page.suffix not in (
        ".md",
        ".ipynb",
    ):
        raise WeaveError(f"is no page of {root / 'docs'}", path)
    return page.relative_to(root)


if __name__ == "__main__":
    sys.exit(main())
