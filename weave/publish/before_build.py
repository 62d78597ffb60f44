"""Writing all that a build copies or includes, once, before the builder begins."""

from pathlib import Path

from weave.guide import Guide
from weave.publish.content_security_policy import write_policy
from weave.publish.generated_files import write_generated_files
from weave.python_archive import write_python_archive


def write_build_inputs(root: Path, *, previewing: bool) -> Guide:
    """Write what belongs to the pages; return the guide that they make.

    An author who is `previewing` gets no policy, because a preview reloads its pages by
    a script inside them.
    """
    write_generated_files(root)
    guide = Guide(root)
    write_python_archive(root)
    write_policy(root, previewing=previewing)
    return guide
