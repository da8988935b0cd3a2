"""Tables of `cassandra/killrvideo`: what the planner says of the queries that they were made for, and of others."""

from pathlib import Path

import pytest
from tests.corpora.killrvideo import design, read
from tests.corpora.modelfile import NEEDED, Expected, table, verdicts
from tests.projects import errors_of

TABLE = table("killrvideo")

pytestmark = NEEDED


@pytest.mark.parametrize(("version", "expected"), TABLE.items(), ids=TABLE)
def test_every_pattern_has_its_verdict(tmp_path: Path, version: str, expected: dict[str, Expected]) -> None:
    assert verdicts(tmp_path, design(version)) == {pattern: line.verdict for pattern, line in expected.items()}


@pytest.mark.parametrize(("version", "expected"), TABLE.items(), ids=TABLE)
def test_what_is_not_served_has_a_reason(version: str, expected: dict[str, Expected]) -> None:
    unsaid = [name for name, line in expected.items() if line.verdict == "not served" and not line.because]
    assert unsaid == []


@pytest.mark.parametrize(("version", "count"), [("v3", 14), ("v4", 16)])
def test_every_table_is_read(version: str, count: int) -> None:
    assert len(read(version)) == count


@pytest.mark.parametrize(("version", "refused"), [("v3", []), ("v4", ["CAS101"] * 3)])
def test_a_counter_beside_other_columns_is_refused(tmp_path: Path, version: str, refused: list[str]) -> None:
    errors = errors_of(tmp_path, str(design(version, repaired=False)))
    assert [error.code for error in errors] == refused
