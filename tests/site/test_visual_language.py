"""One colour for one thing: styles and widgets name tokens, and a page says what each is."""

import re

from tests.promises.site import ROOT

TOKENS = ROOT / "docs" / "styles" / "tokens.css"
STYLES = [
    path
    for pattern in ("docs/styles/*.css", "web/widgets/*/style.css")
    for path in sorted(ROOT.glob(pattern))
    if path != TOKENS
]
SCRIPTS = sorted([*ROOT.glob("web/parts/*.tsx"), *ROOT.glob("web/widgets/*/*.tsx")])
# What gives a colour its name, and what is no style
NAMING = re.compile(r"/\*.*?\*/|--[\w-]+:[^;]*;", re.DOTALL)
DEFINED = re.compile(r"(--[\w-]+)\s*:")
# A shadow is no colour: black, and nearly transparent.
RAW = re.compile(
    r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(?:hsla?|oklch|lab)\("
    r"|\brgba?\((?!0 0 0 /)"
    r"|:\s*(?:red|green|blue|black|white|gr[ae]y|orange|purple|yellow|pink|teal)\b",
    re.IGNORECASE,
)


def kinds() -> set[str]:
    text = (ROOT / "web" / "parts" / "kinds.ts").read_text("utf-8")
    (union,) = re.findall(r"type Kind = (.*);", text)
    return set(re.findall(r'"(\w+)"', union))


def test_each_colour_has_a_name() -> None:
    named = {
        str(path.relative_to(ROOT)): RAW.findall(
            NAMING.sub("", path.read_text("utf-8"))
        )
        for path in [*STYLES, *SCRIPTS]
    }
    assert {path: found for path, found in named.items() if found} == {}
    assert RAW.search("color: #b3261e") and RAW.search("fill: red")


def test_each_token_that_is_used_exists() -> None:
    texts = {path: path.read_text("utf-8") for path in [TOKENS, *STYLES, *SCRIPTS]}
    defined = {name for text in texts.values() for name in DEFINED.findall(text)}
    defined |= set(re.findall(r'"(--[\w-]+)"', "".join(texts.values())))
    missing = {
        (path.name, name)
        for path, text in texts.items()
        for name in re.findall(r"var\((--[\w-]+)\)", text)
        if name not in defined and not name.startswith("--md-")
    }
    assert missing == set()


def test_a_page_tells_what_each_colour_is() -> None:
    page = (ROOT / "docs" / "reference" / "visual-language.md").read_text("utf-8")
    boxes = re.findall(r'\["(.+)"\]:::(\w+)', page)
    assert [name for name, _ in boxes] == [kind for _, kind in boxes]
    assert {kind for _, kind in boxes} == kinds()
    assert set(re.findall(r"^\| \*\*(\w+)\*\* \|", page, re.MULTILINE)) == kinds()
    diagrams = (ROOT / "docs" / "styles" / "figures.css").read_text("utf-8")
    roles = re.findall(
        r"^  \.(\w+) \{\s*--role: var\(--(\w+)\)", diagrams, re.MULTILINE
    )
    assert {(kind, kind) for kind in kinds()} == set(roles)
    tokens = TOKENS.read_text("utf-8")
    assert all(f"  --{kind}: light-dark(" in tokens for kind in kinds())
