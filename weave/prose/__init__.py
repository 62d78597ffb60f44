"""The checks of what stands between the fences: this register, and a file for each."""

from weave.prose import glossary, links, markup, names, numbers

CHECKS = (markup.check, numbers.check, names.check, links.check)
OF_THE_PROJECT = (glossary.examine,)
