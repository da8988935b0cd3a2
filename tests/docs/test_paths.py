"""Files that the map and the glossary name exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src/keywright"
TOY = ROOT / "tests/engines/toy/keywright_toy"
"""The example of an engine, whose files CONTRIBUTING names by themselves."""

_PATH = re.compile(r"`([\w*<>-]+(?:/[\w*<>-]+)*(?:/|\.py))`")
"""A folder or module in backticks, such as `engines/*/engine.py`."""


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "docs/glossary.md", "CONTRIBUTING.md"])
def test_a_named_file_exists(page: str) -> None:
    missing = []
    for path in _PATH.findall((ROOT / page).read_text(encoding="utf-8")):
        pattern = re.sub(r"<\w+>", "*", path).rstrip("/")
        paths = (*ROOT.glob(pattern), *SOURCES.glob(pattern), *SOURCES.glob(f"**/{pattern}"), *TOY.glob(pattern))
        if not any(paths):
            missing.append(path)
    assert missing == []
