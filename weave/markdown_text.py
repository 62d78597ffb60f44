"""Patterns of inline Markdown, and functions that strip or replace parts of a line."""

import html
import re
from collections.abc import Callable

CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
INLINE_FORMULA = re.compile(r"(?<![\\$])\$(?![\s$])[^$\n]*?(?<!\s)\$(?![\d$])")
# A number that an expression computes: the expression, then the text that readers see
COMPUTED_NUMBER = re.compile(r'<data value="([^"]+)">([^<]+)</data>')
# A number whose source is not the code: the reason, then the text that readers see
WAIVED_NUMBER = re.compile(r'<span data-waive="([^"]*)">([^<]*)</span>')
COMMENT = re.compile(r"<!--(?:(?!-->).)*-->")
MARKUP = re.compile(r"`(?P<code>[^`]+)`|<[^>]+>|\[(?P<text>[^\]]*)\]\([^)]*\)|[*$]")
EMPHASIS = re.compile(r"(?<!\\)(\*{1,3})(?=[^\s*])([^*]++)(?<=\S)\1")


def extract_prose(line: str) -> str:
    """Return the words of a line, without code, formulas, HTML and checked numbers."""
    text = CODE_SPAN.sub(" ", line)
    text = WAIVED_NUMBER.sub(" ", COMPUTED_NUMBER.sub(" ", text))
    text = INLINE_FORMULA.sub(" ", re.sub(r"\$\$.+?\$\$", " ", text))
    text = re.sub(r"\]\([^)]*\)|<https?:[^>]*>", " ", text)
    text = html.unescape(re.sub(r"<!--.*?-->|<[a-zA-Z/!?][^>]*>", " ", text))
    # Without stars, `**1**,234` is one number.
    return EMPHASIS.sub(lambda m: m[2] if re.search(r"[\d.,]", m[2]) else m[0], text)


def replace_outside_code(
    pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str], line: str
) -> str:
    """Replace the matches of a pattern in a line of Markdown, except in code spans."""
    text = CODE_SPAN.sub(lambda span: " " * len(span[0]), line)
    return pattern.sub(
        lambda m: m[0] if text[m.start()] == " " else replacement(m), line
    )


def strip_markup(markdown: str) -> str:
    """Return the plain text of a heading or a paragraph: `code`, *stress*, [a](link)."""
    return MARKUP.sub(lambda m: m["code"] or strip_markup(m["text"] or ""), markdown)
