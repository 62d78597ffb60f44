"""Checks of the prose between fences: these lists, and a module for each check."""

from weave.prose import code_names, glossary, links, markup, numbers

PAGE_CHECKS = (
    markup.check_markup,
    numbers.check_numbers,
    code_names.check_code_names,
    links.check_links_and_step_references,
)
GUIDE_CHECKS = (glossary.check_pages_use_terms_they_explain,)
