"""Text that nothing can check, such as a command to type, with the reason above it."""

from weave.fences.base import TypedFence
from weave.fences.python_block import PythonBlock


class UncheckedText(TypedFence):
    """Text below `<!--weave:unchecked the reason-->`, which readers see as it is."""

    language, required_directive = "text", "unchecked"
    anchor_prefix = "shown"  # kept for addresses that readers may have saved

    def validate(self) -> None:
        """Refuse a text that readers would take for the output of the block above."""
        previous = self.previous_fence
        if previous and PythonBlock.matches(previous):
            between = self.page.lines[previous.end : self.line - 1]
            if not any(line and not line.startswith("<!--") for line in between):
                raise self.error(
                    "a text right below a block looks like its output: put "
                    "<!--pytest-codeblocks:expected-output--> above it if it is, or a "
                    "sentence between them"
                )


class UncheckedCommands(TypedFence):
    """Commands to type, below `<!--weave:unchecked the reason-->`."""

    language, required_directive = "console", "unchecked"
