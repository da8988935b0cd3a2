"""The designs of `dynamodb/mcp`: what the planner says of each of their patterns."""

from pathlib import Path

import pytest
from tests.corpora.mcp import design
from tests.corpora.modelfile import NEEDED, Expected, table, unexplained, verdicts
from tests.projects import errors_of

TABLE = table("mcp")

pytestmark = NEEDED


@pytest.mark.parametrize(("name", "expected"), TABLE.items(), ids=TABLE)
def test_every_pattern_has_its_verdict(tmp_path: Path, name: str, expected: dict[str, Expected]) -> None:
    assert verdicts(tmp_path, design(name)) == {pattern: line.verdict for pattern, line in expected.items()}


@pytest.mark.parametrize(("name", "expected"), TABLE.items(), ids=TABLE)
def test_moments_in_place_of_texts_keep_the_order(tmp_path: Path, name: str, expected: dict[str, Expected]) -> None:
    result = verdicts(tmp_path, design(name, dated=True))
    assert result == {pattern: line.dated or line.verdict for pattern, line in expected.items()}


@pytest.mark.parametrize(("name", "expected"), TABLE.items(), ids=TABLE)
def test_a_verdict_that_differs_from_the_authors_has_a_reason(name: str, expected: dict[str, Expected]) -> None:
    assert unexplained(expected, design(name)) == []


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("deals_app", []),
        ("elearning_platform", ["GEN102"] * 4),  # numbers in text keys
        ("gaming_leaderboard", []),
        ("saas_app", ["E0308"]),  # an optional field in a key
        ("user_analytics", []),
    ],
)
def test_a_design_as_it_is_written_is_refused_for_its_flaws(tmp_path: Path, name: str, refused: list[str]) -> None:
    errors = errors_of(tmp_path, str(design(name, repaired=False)))
    assert [error.code for error in errors] == refused
