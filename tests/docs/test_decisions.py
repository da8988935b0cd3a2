"""Decisions have one form, and their index lists all of them."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "decisions"
PAGES = sorted(page for page in FOLDER.glob("*.md") if page.name != "README.md")
FORM = re.compile(
    r"# (\d{4}): (?P<title>[^\n]+)\n\n\*\*Context\.\*\* .+?\n\n\*\*Decision\.\*\* .+?\n\n\*\*Consequence\.\*\* [^\n].*",
    re.DOTALL,
)


def title_of(page: Path) -> str:
    """The title of a decision; fails if the page does not have the form."""
    match = FORM.fullmatch(page.read_text(encoding="utf-8"))
    assert match, page.name
    assert page.name.startswith(f"{match[1]}-"), page.name
    return match["title"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_decision_has_its_three_parts_in_a_few_lines(page: Path) -> None:
    assert title_of(page)
    assert 5 <= len(page.read_text(encoding="utf-8").splitlines()) <= 18


def test_numbers_have_no_gap() -> None:
    assert [int(page.name[:4]) for page in PAGES] == [*range(1, len(PAGES) + 1)]


def test_the_index_lists_every_decision() -> None:
    rows = [f"| [{page.name[:4]}]({page.name}) | {title_of(page)} |" for page in PAGES]
    assert (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()[-len(rows) :] == rows
