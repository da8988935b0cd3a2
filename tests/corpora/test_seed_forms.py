"""Designs of the seed guides as the guides write them: what the planner says of their patterns."""

from pathlib import Path

import pytest
from tests.corpora.modelfile import Expected, table, verdicts
from tests.corpora.seed_forms import FORMS

TABLE = table("seeds")


@pytest.mark.parametrize(("name", "expected"), TABLE.items(), ids=TABLE)
def test_every_pattern_has_its_verdict(tmp_path: Path, name: str, expected: dict[str, Expected]) -> None:
    assert verdicts(tmp_path, FORMS[name]) == {pattern: line.verdict for pattern, line in expected.items()}


@pytest.mark.parametrize(("name", "expected"), TABLE.items(), ids=TABLE)
def test_what_is_not_served_has_a_reason(name: str, expected: dict[str, Expected]) -> None:
    assert [name for name, line in expected.items() if line.verdict == "not served" and not line.because] == []


def test_every_design_has_its_table() -> None:
    assert TABLE.keys() == FORMS.keys()
