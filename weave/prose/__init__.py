"""Checks of the prose between fences: this list, and a module for each check."""

from weave.prose import code_names, links, markup

PAGE_CHECKS = (markup.check_markup, code_names.check_code_names, links.check_links)
