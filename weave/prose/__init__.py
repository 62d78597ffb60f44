"""The checks of what stands between the fences: this register, and a file for each."""

from weave.prose.glossary import Terms
from weave.prose.links import Links
from weave.prose.markup import Markup
from weave.prose.names import Names
from weave.prose.numbers import Numbers
from weave.prose.prose import Prose

PROSE: tuple[Prose, ...] = (
    Markup(),
    Numbers(),
    Names(),
    Terms(),
    Links(),
)
