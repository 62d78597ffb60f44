"""What stands within a line of Markdown: code spans, numbers, formulas and plain prose."""

import html
import re
from collections.abc import Callable

CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
INLINE_FORMULA = re.compile(r"(?<![\\$])\$(?![\s$])[^$\n]*?(?<!\s)\$(?![\d$])")
# A number that is computed, and one that is given by a source other than the code
COMPUTED_NUMBER = re.compile(r'<data value="([^"]+)">([^<]+)</data>')
WAIVED_NUMBER = re.compile(r'<span data-waive="([^"]*)">([^<]*)</span>')
COMMENT = re.compile(r"<!--(?:(?!-->).)*-->")
MARKUP = re.compile(r"`(?P<code>[^`]+)`|<[^>]+>|\[(?P<text>[^\]]*)\]\([^)]*\)|[*$]")
EMPHASIS = re.compile(r"(?<!\\)(\*{1,3})(?=[^\s*])([^*]++)(?<=\S)\1")


def remove_non_prose(text: str) -> str:
    """Return a line of Markdown without what is not prose."""
    text = CODE_SPAN.sub(" ", text)
    text = WAIVED_NUMBER.sub(" ", COMPUTED_NUMBER.sub(" ", text))
    text = INLINE_FORMULA.sub(" ", re.sub(r"\$\$.+?\$\$", " ", text))
    text = re.sub(r"\]\([^)]*\)|<https?:[^>]*>", " ", text)
    text = html.unescape(re.sub(r"<!--.*?-->|<[a-zA-Z/!?][^>]*>", " ", text))
    return EMPHASIS.sub(lambda m: m[2] if re.search(r"[\d.,]", m[2]) else m[0], text)


def replace_outside_code(
    pattern: re.Pattern[str], new: Callable[[re.Match[str]], str], line: str
) -> str:
    """Replace what a pattern finds in a line of Markdown, except in code spans."""
    bare = CODE_SPAN.sub(lambda span: " " * len(span[0]), line)
    return pattern.sub(lambda m: new(m) if bare[m.start()] != " " else m[0], line)


def strip_markup(markdown: str) -> str:
    """Return a heading or a paragraph without its markup."""
    return MARKUP.sub(
        lambda mark: mark["code"] or strip_markup(mark["text"] or ""), markdown
    )
