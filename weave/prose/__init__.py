"""Checks of the prose between fences, which `weave.check` calls: a module for each."""

from weave.prose import code_names, links, markup

PAGE_CHECKS = (markup.check_markup, code_names.check_code_names, links.check_links)
