"""Private words of the code and the documentation, by docs/glossary.md, become fewer and never more."""

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CEILINGS = Path(__file__).with_name("private_words.json")

IDENTIFIERS = ("one", "two", "found", "given", "told", "asked", "made", "wanted", "whole", "known")
"""Names that say nothing of the thing; `found` and the like are public where a library has the word."""

PROSE = (
    "flaw", "flaws", "hazard", "hazards", "waiver", "waivers", "landed", "landing", "handover", "illegal", "stray",
    "strays", "is told", "are told", "is asked", "are asked", "set aside", "carried out", "what is there", "whoever",
    "somebody",
)  # fmt: skip
"""Words of nobody else, for which the glossary has the term of the field."""


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.Attribute(attr=name):
                yield name
            case ast.keyword(arg=str(name)):
                yield name
            case _:
                pass


def _identifiers() -> dict[str, int]:
    names: Counter[str] = Counter()
    for file in sorted((ROOT / "src").rglob("*.py")):
        names.update(_names(ast.parse(file.read_text(encoding="utf-8"))))
    return {word: names[word] for word in IDENTIFIERS}


def _prose() -> dict[str, int]:
    words: Counter[str] = Counter()
    pages = (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src/keywright/pages").glob("*.md"))
    for page in sorted(set(pages) - {ROOT / "CHANGELOG.md"}):
        text = re.sub(r"```.*?```|`[^`\n]*`", " ", page.read_text(encoding="utf-8"), flags=re.DOTALL).lower()
        words.update({word: len(re.findall(rf"\b{re.escape(word)}\b", text)) for word in PROSE})
    return {word: words[word] for word in PROSE}


Counts = dict[str, dict[str, int]]
"""The number of occurrences by kind and word."""


def lowered(ceilings: Counts, counts: Counts) -> Counts:
    """Ceilings that are at most the counts; a word without a ceiling gets its count."""
    return {
        kind: {word: min(count, ceilings.get(kind, {}).get(word, count)) for word, count in words.items()}
        for kind, words in counts.items()
    }


def test_a_ceiling_is_lowered_and_never_raised() -> None:
    ceilings = {"prose": {"flaw": 3, "waiver": 1}}
    assert lowered(ceilings, {"prose": {"flaw": 2, "waiver": 4, "stray": 5}}) == {
        "prose": {"flaw": 2, "waiver": 1, "stray": 5}
    }


def test_private_words_become_fewer(request: pytest.FixtureRequest) -> None:
    counts: Counts = {"identifiers": _identifiers(), "prose": _prose()}
    ceilings: Counts = json.loads(CEILINGS.read_text(encoding="utf-8"))
    if request.config.getoption("--update-goldens"):
        ceilings = lowered(ceilings, counts)
        CEILINGS.write_text(json.dumps(ceilings, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    more = {
        word: f"{count}, at most {ceilings[kind].get(word, 0)} allowed"
        for kind, words in counts.items()
        for word, count in words.items()
        if count > ceilings[kind].get(word, 0)
    }
    assert more == {}, "use another name, or the term of docs/glossary.md; --update-goldens only lowers the ceilings"
