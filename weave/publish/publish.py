"""Writing all that a build copies or includes, once, before the builder begins."""

from pathlib import Path

from weave.bundle import write_bundle
from weave.guide import Guide
from weave.publish.generated import write_generated
from weave.publish.policy import write_policy


def publish(root: Path, *, previewing: bool) -> Guide:
    """Write what belongs to the pages; return the guide that they make.

    An author who is `previewing` gets no policy, because a preview reloads its pages by
    a script inside them.
    """
    write_generated(root)
    guide = Guide(root)
    write_bundle(root)
    write_policy(root, previewing=previewing)
    return guide
