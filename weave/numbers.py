"""Numbers in prose: writing a value as the author wrote it, and finding bare ones."""

from __future__ import annotations

import ast
import builtins
import html
import math
import re
import unicodedata
from collections.abc import Iterator

from num2words import num2words

from weave.page import CODE_SPAN, DATA, WAIVER, Page

# What a code span may begin with that is no Python
COMMANDS = {"git", "mkdocs", "mypy", "npm", "pip", "pytest", "python", "ruff", "uv"}
ROUGH = 0.1  # a number is not further from its value, as a share of that
SHARES = {
    "a thousandth": 1 / 1000,
    "a hundredth": 1 / 100,
    "a tenth": 1 / 10,
    "an eighth": 1 / 8,
    "a sixth": 1 / 6,
    "a fifth": 1 / 5,
    "a quarter": 1 / 4,
    "a third": 1 / 3,
    "half": 1 / 2,
    "two thirds": 2 / 3,
    "three quarters": 3 / 4,
}
PLAIN = re.compile(r"([-−]?)(\d[\d,]*)(?:\.(\d+))?")
SCIENTIFIC = re.compile(r"[-−]?\d(?:\.(\d+))?e[-+]?\d+")
WORDS = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
]
WORDS += [
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
]
WORDS += [
    "hundred",
    "hundreds",
    "thousand",
    "thousands",
    "million",
    "millions",
    "billion",
    "billions",
    "trillion",
    "trillions",
    "dozen",
    "dozens",
    "tens",
    "thrice",
    "triple",
    "threefold",
    "fourfold",
    "tenfold",
    "hundredfold",
]
BARE = re.compile(
    rf"(?<![^\W_])(?<!#)(?:\d[\d,.]*\d|\d[\d.]*e[-+]?\d+)"
    rf"|\b(?:{'|'.join(WORDS)})\b",
    re.IGNORECASE,
)
COUNTS = {
    word: count
    for count, word in enumerate(
        ["three", "four", "five", "six", "seven", "eight", "nine"], 3
    )
}
MEANT = {**COUNTS, "ten": 10, "twenty": 20, "million": 1e6, **SHARES}
COUNT = re.compile(rf"\b(?<!with )({'|'.join(COUNTS)})\b", re.IGNORECASE)
ITEM = re.compile(r"(?:[-*]|\d+\.) ")
# One digit, from 2 on, whatever stands beside it: 9x, 3k, x3; not that of a note
SMALL = re.compile(
    rf"(?:(?<![^\W_])|(?<=\bx))(?<!\d\.)(?<!\de[-+])(?<!\[\^)[2-9](?![.,]?\d)"
    rf"|(?<![^\W_])(?:{'|'.join(COUNTS)})(?![^\W_])",
    re.IGNORECASE,
)
# A share or a multiple in words; a third thing is none, and a first half neither
_PART = "quarter|fifth|sixth|seventh|eighth|ninth|tenth|twentieth|hundredth|thousandth"
SHARE = re.compile(
    rf"\b(?:(?:an?|one|two|{'|'.join(COUNTS)})[ -](?:(?:{_PART})s?|thirds)"
    r"|(?:a|one)[ -](?:half|third)\b(?!-| (?!of\b|less\b|more\b|[a-z]+er\b)[a-z])"
    r"|(?<!first )(?<!second )(?<!other )half(?= (?:of|the|as|an?|its|their)\b)"
    r"|(?:about|almost|by|nearly|over|than|under) half"
    r"|tripl(?:ed|es|ing)|(?:quadrupl|quintupl)\w+|(?:five|six|seven|eight|nine|twenty)fold)\b",
    re.IGNORECASE,
)
# What the reason of a waiver says of code, which an expression could ask
OF_CODE = re.compile(r"\.py\b|\w\(|\b(?:code|block)\b")
NAMED = re.compile(r"\b[A-Z]{2,}-\d+\b")  # GPT-2 and UTF-8 are names
# A step is called by its number, which `weave.links` looks up.
STEPS = re.compile(r"\bSteps?\s\d+(?:(?:,\s|,?\s(?:and|or|to)\s|–)\d+)*\b")
NUMERAL = re.compile(
    r"[-−]?(?:\d[\d,]*\d(?:\.\d+)?|\d\.\d+|\d+(?:\.\d+)?e[-+]?\d+|[2-9])"
)
COUNTED = re.compile(rf"\(?[+]?(?:{NUMERAL.pattern})\)?(?:\s*%|(?:\s+[a-z]+)+)?")
STATES = re.compile(
    rf"(?:^|=|<|>|\\(?:approx|sim|leq?|geq?))(?:{NUMERAL.pattern})"
    r"(?:\\?%|\\times|\\text.*)?$"
)
SAID = re.compile(r"\\(?:text|mathrm|textrm|mbox)\{([^}]*)\}")
MATH = re.compile(r"(?<![\\$])\$(?![\s$])[^$\n]*?(?<!\s)\$(?![\d$])")


def write_like(text: str, value: object) -> str:
    """Write a value in the form of `text`: its digits, separators or words.

    A number keeps as many decimals as the text shows; strings are written as they are.
    Raise ValueError for a value that is neither, and where so few digits mislead.
    """
    if text.startswith("`") and text.endswith("`"):
        return f"`{write_like(text.strip('`'), value)}`"
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        what = f"gives {value!r}, which is neither a number nor a string"
        raise ValueError(what)  # noqa: TRY004  (callers catch what a page got wrong)
    if not math.isfinite(value):
        raise ValueError(f"gives {value}, which no text can show")
    if match := PLAIN.fullmatch(text):
        comma = "," if "," in text or abs(value) >= 1000 else ""
        written = f"{value:{comma}.{len(match[3] or '')}f}"
        off = abs(float(written.replace(",", "")) - value)
        if isinstance(value, float) and off > ROUGH * abs(value):
            raise ValueError(f"is {value:.3g}: {written} says too little")
    elif match := SCIENTIFIC.fullmatch(text):
        mantissa, _, exponent = f"{value:.{len(match[1] or '')}e}".partition("e")
        written = f"{mantissa}e{int(exponent)}"
    elif isinstance(value, int):
        written = num2words(value).replace(" and ", " ").replace(",", "")
        written = written.capitalize() if text[:1].isupper() else written
    else:
        written = f"{value:.4g}"
    return written.replace("-", "−") if "−" in text else written


def share(value: float) -> str:
    """Write a share in words, such as "a third"; raise ValueError if none is near."""
    words = min(SHARES, key=lambda words: abs(SHARES[words] - value))
    if abs(SHARES[words] - value) > ROUGH * value:
        raise ValueError(f"{value:.3g} is no simple share")
    return words


def is_hard_coded(expression: str) -> bool:
    """Tell whether an expression, or a choice in it, names nothing: it cannot be wrong.

    What Python itself has, such as `len`, and what the expression binds say nothing.
    What is no expression is not: evaluating it has failed already.
    """
    try:
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError):
        return False
    named = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.id for node in named if not isinstance(node.ctx, ast.Load)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    python = set(dir(builtins))
    chosen = any(not (_names_in(part) - python) for part in _choices(tree))
    return chosen or not (_names_in(tree) - bound - python)


def _names_in(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _choices(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield what an expression chooses from: with `and` and `or`, with `if`, by place."""
    for node in ast.walk(tree):
        match node:
            case ast.BoolOp(values=values):
                yield from values
            case ast.IfExp(body=body, orelse=other):
                yield from (body, other)
            case ast.Subscript(
                value=ast.List(elts=elements) | ast.Tuple(elts=elements)
            ):
                yield from elements


def bare_numbers(page: Page) -> Iterator[tuple[int, str]]:
    """Yield line and text of each number in prose that nothing computes.

    A number is a numeral from 2 on, a word from "three" on, or a share in words; of 0
    and 1, one and two, prose is too full. The number of a step, mathematics, addresses,
    numbers waived with a reason, and code do not count; a formula or a code span that
    is nothing but a number does, and so do the words in a formula. The count of what
    stands below, where `miscounted` compares it, needs nothing else.
    """
    in_math = False
    compared = {
        line: word
        for line, said, there in _counted(page)
        for word in said
        if COUNTS[word.lower()] == there
    }
    for line, text in page.prose():
        if text.strip() == "$$":
            in_math = not in_math
        for formula in [text] if in_math else MATH.findall(text):
            yield from ((line, number) for number in _numbers_of(formula))
        if in_math:
            continue
        for match in WAIVER.finditer(text):
            if not match[1].strip():
                yield line, f"{match[0]} (a waiver needs a reason)"
            elif OF_CODE.search(match[1]):
                yield line, f"{match[0]} (what code has can be computed)"
        numbers = [*claims(re.sub(r"^\s*\d+\. ", "", prose_of(text)))]
        if (count := compared.get(line)) in numbers:
            numbers.reverse()  # it stands at the end
            numbers.remove(count)
            numbers.reverse()
        yield from ((line, number) for number in numbers)
        for match in CODE_SPAN.finditer(DATA.sub(" ", WAIVER.sub(" ", text))):
            code = match[0].strip("` ")
            if COUNTED.fullmatch(code) or (_is_prose(code) and any(claims(code))):
                yield line, match[0]


def _is_prose(code: str) -> bool:
    """Tell whether a code span is neither Python, nor an option, nor a command."""
    if code.startswith(("-", "$")) or code.partition(" ")[0] in COMMANDS:
        return False
    if not re.search(r"[a-z]{2}\s|\s[a-z]{2}", code):
        return False
    try:
        ast.parse(code)
    except (SyntaxError, ValueError):
        return True
    return False


def claims(prose: str) -> Iterator[str]:
    """Yield each number that words state, but for those of steps and in names."""
    prose = NAMED.sub(" ", STEPS.sub(" ", prose))
    for pattern in (SHARE, BARE, SMALL):  # "three quarters" is one number
        yield from (match[0] for match in pattern.finditer(prose))
        prose = pattern.sub(" ", prose)


def meant_by(text: str) -> Iterator[float]:
    """Yield the numbers that a program may have where its words have this one."""
    try:
        yield float(text.replace(",", ""))
        return
    except ValueError:
        word = text.lower().replace("-", " ")
    word = re.sub(
        r"^(?:a|one|about|almost|by|nearly|over|than|under) (?=half)", "", word
    )
    word = re.sub(r"^one ", "an " if word.endswith("eighth") else "a ", word)
    if word in MEANT:
        yield MEANT[word]
    if SHARES.get(word, 1) <= 1 / 2:
        yield round(1 / SHARES[word])  # it may divide instead


def miscounted(page: Page) -> Iterator[tuple[int, str]]:
    """Yield line and message where a sentence counts what stands below it, wrongly.

    Such a sentence has a number in words and a colon, and a list or a table follows.
    """
    for line, said, there in _counted(page):
        if there not in [COUNTS[word.lower()] for word in said]:
            yield line, f"{' or '.join(said)} stands above {there}"


def _counted(page: Page) -> Iterator[tuple[int, list[str], int]]:
    """Yield the last line of such sentences, their numbers, what stands below."""
    paragraphs = list(_paragraphs(page))
    for place, paragraph in enumerate(paragraphs[:-1]):
        text = " ".join(line for _, line in paragraph)
        text = prose_of(DATA.sub(r"\2", text)).rstrip()
        said = COUNT.findall(re.split(r"(?<=[.?!]) ", text)[-1])
        there = _items(paragraphs[place + 1 :])
        if text.endswith(":") and said and there:
            yield paragraph[-1][0], said, there


def _paragraphs(page: Page) -> Iterator[list[tuple[int, str]]]:
    """Yield lines that stand together, each with its number; fences part them."""
    block: list[tuple[int, str]] = []
    for number, line in page.prose():
        if block and (not line.strip() or number != block[-1][0] + 1):
            yield block
            block = []
        if line.strip():
            block.append((number, line))
    if block:
        yield block


def _items(paragraphs: list[list[tuple[int, str]]]) -> int:
    """Return how many items a list has, or rows a table, if one comes first."""
    if paragraphs[0][0][1].startswith("|"):
        return len(paragraphs[0]) - 2
    items = 0
    for paragraph in paragraphs:
        lines = [line for _, line in paragraph]
        if not ITEM.match(lines[0]) and not (items and lines[0].startswith("  ")):
            break
        items += sum(bool(ITEM.match(line)) for line in lines)
    return items


def _numbers_of(formula: str) -> Iterator[str]:
    """Yield a formula that states a number, and the numbers among its words."""
    if STATES.search(re.sub(r"[${}\s]|\\[,;!]", "", formula)):
        yield formula
    for words in SAID.findall(formula):
        yield from claims(words)


def prose_of(text: str) -> str:
    """Return a line of Markdown without what is not prose."""
    text = CODE_SPAN.sub(" ", text)
    text = WAIVER.sub(" ", DATA.sub(" ", text))
    text = MATH.sub(" ", re.sub(r"\$\$.+?\$\$", " ", text))
    text = re.sub(r"\]\([^)]*\)|<https?:[^>]*>", " ", text)
    text = html.unescape(re.sub(r"<!--.*?-->|<[a-zA-Z/!?][^>]*>", " ", text))
    text = unicodedata.normalize("NFKC", text)  # a digit may look otherwise
    # What a browser does not show between two digits joins them.
    return re.sub(
        r"\\(?=\W)|\*\*|(?<=\d)[*_\u00ad\u200b-\u200d\u2060]+(?=\d)", "", text
    )
