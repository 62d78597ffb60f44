"""Diffs of two programs, and a check that pages show every changed line."""

import difflib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from weave.errors import WeaveError
from weave.fences.base import RenderContext, TypedFence, permalink_html
from weave.guide import Guide
from weave.source_symbols import SourceSpan, dedent_by_first_line


class Diff(TypedFence):
    """The difference between two parts of the source: `module:name -> module:name`.

    A side is empty if its part does not exist in that program.
    """

    language = "changes"

    def resolve(self, guide: Guide) -> list[SourceSpan | None]:
        """Return the lines before and after: None for a side that is empty."""
        before, arrow, after = " ".join(self.fence.body).partition("->")
        sides = [side.strip() for side in (before, after)]
        if not arrow or not any(sides):
            raise self.error(
                "expected 'module:name -> module:name', got "
                f"{' '.join(self.fence.body)!r}"
            )
        return [self.find_source(guide, side) if side else None for side in sides]

    def diff_lines(self, guide: Guide) -> list[str]:
        """Return the difference, each line with `+`, `-` or a space before it."""
        old, new = (
            dedent_by_first_line(side.lines) if side else []
            for side in self.resolve(guide)
        )
        # Skip the names of the files, and the one header of a hunk of only new or only
        # removed lines.
        header_lines = 2 if old and new else 3
        return list(difflib.unified_diff(old, new, lineterm=""))[header_lines:]

    def render(self, context: RenderContext) -> list[str]:
        """Return the difference with a caption that counts added and removed lines."""
        before, after = spans = self.resolve(context.guide)
        diff = self.diff_lines(context.guide)
        removed, added = (sum(line.startswith(sign) for line in diff) for sign in "-+")
        sources = [context.link_to_source(span) for span in spans if span]
        if before is None:
            caption = f"New in {sources[0]}: {_format_lines(added)} added"
        elif after is None:
            caption = f"Gone from {sources[0]}: {_format_lines(removed)} removed"
        else:
            caption = f"From {', to '.join(sources)}: {_format_lines(removed)} removed"
            caption += f", {added} added"
        opening = (
            f'<figure class="changes" id="{self.anchor}" data-search-exclude>'
            f"<figcaption>{caption}</figcaption>{permalink_html(self.anchor)}"
        )
        return context.wrap_code(opening, "diff", diff, "</figure>")

    @classmethod
    def check_completeness(cls, guide: Guide) -> Iterator[WeaveError]:
        """Yield errors for differences of consecutive programs that no page shows.

        For each pair of programs, one page must show all such lines.
        """
        lines_by_page = []
        for page in guide.pages.values():
            diffs = cls.find_on_page(page)
            spans = [span for diff in diffs for span in diff.resolve(guide) if span]
            lines_by_page.append({(s.path, n) for s in spans for n in s.line_numbers})
        for before, after in pairwise(guide.step_program_paths):
            differing = _changed_lines(guide, before, after)
            if missing := min((differing - lines for lines in lines_by_page), key=len):
                yield WeaveError(
                    f"expected a page that shows all changes from {before.name} to "
                    f"{after.name}: the nearest misses {_format_lines(len(missing))}, "
                    "this first; add a 'changes' fence",
                    *min(missing),
                )


def _format_lines(count: int) -> str:
    return f"{count} line{'s' * (count != 1)}"


def _changed_lines(guide: Guide, before: Path, after: Path) -> set[tuple[Path, int]]:
    """Return path and number of each line, not blank, that only one program has."""
    old, new = guide.read_lines(before), guide.read_lines(after)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    changed = set()
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag != "equal":
            changed |= {(before, n + 1) for n in range(old_start, old_end) if old[n]}
            changed |= {(after, n + 1) for n in range(new_start, new_end) if new[n]}
    return changed
