"""The difference between a golden file and the text that a test expects in it."""

from difflib import unified_diff
from pathlib import Path

LONGEST = 40
"""Most lines of a difference."""


def difference(golden: Path, text: str) -> str:
    """A unified diff from the golden file to the text; empty if they are equal."""
    if not golden.is_file():
        return f"{golden} does not exist\n"
    lines = [
        line if line.endswith("\n") else f"{line}\n"
        for line in unified_diff(
            golden.read_text(encoding="utf-8").splitlines(keepends=True),
            text.splitlines(keepends=True),
            str(golden),
            "now",
            n=1,
        )
    ]
    more = f"… and {len(lines) - LONGEST} more lines\n" if len(lines) > LONGEST else ""
    return "".join(lines[:LONGEST]) + more
