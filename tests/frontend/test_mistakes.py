"""Typical mistakes, each with its code and its message in a golden file."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.projects import errors_of, told, with_imports

from .mistake import SETTING, Mistake
from .mistakes_in_models import FACTS, PATTERNS, WAIVERS
from .mistakes_in_stores import KEYS, OPTIONS, TEMPLATES, VALUES

MISTAKES = (*OPTIONS, *VALUES, *TEMPLATES, *KEYS, *FACTS, *PATTERNS, *WAIVERS)

MESSAGES = Path(__file__).parent.parent / "golden" / "messages"
LINES_BEFORE = with_imports(SETTING).count("\n")
ILLEGAL = [mistake for mistake in MISTAKES if mistake.code]
LEGAL = [mistake for mistake in MISTAKES if not mistake.code]


def test_the_setting_of_the_mistakes_is_legal(tmp_path: Path) -> None:
    assert errors_of(tmp_path, with_imports(SETTING)) == []


def test_there_are_a_hundred_and_twelve_mistakes_of_different_titles() -> None:
    assert len({mistake.slug for mistake in MISTAKES}) == len(MISTAKES) == 112


@pytest.mark.parametrize("mistake", ILLEGAL, ids=lambda mistake: mistake.slug)
def test_a_mistake_raises_its_code_and_message(
    mistake: Mistake, tmp_path: Path, is_golden: Callable[[Path, str], bool]
) -> None:
    errors = errors_of(tmp_path, with_imports(SETTING, mistake.source))
    assert {error.code for error in errors} == {mistake.code}
    assert all(error.at.line > LINES_BEFORE for error in errors)
    assert is_golden(MESSAGES / f"{mistake.slug}.txt", told(errors, tmp_path))


@pytest.mark.parametrize("mistake", LEGAL, ids=lambda mistake: mistake.slug)
def test_a_risky_but_legal_declaration_is_left_to_the_rules(mistake: Mistake, tmp_path: Path) -> None:
    assert mistake.later
    assert told(errors_of(tmp_path, with_imports(SETTING, mistake.source)), tmp_path) == ""


def test_no_golden_message_is_left_over() -> None:
    assert {file.stem for file in MESSAGES.glob("*.txt")} == {mistake.slug for mistake in ILLEGAL}
