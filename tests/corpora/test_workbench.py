"""Models of `dynamodb/workbench` with documented patterns: what the planner says of each of them."""

from pathlib import Path

import pytest
from tests.corpora.modelfile import NEEDED, Expected, table, unexplained, verdicts
from tests.corpora.workbench import design, is_of, model, samples
from tests.corpora.workbench_keys import ENTITIES
from tests.projects import errors_of

TABLE = table("workbench")

pytestmark = NEEDED


@pytest.mark.parametrize(("name", "expected"), TABLE.items(), ids=TABLE)
def test_every_pattern_has_its_verdict(tmp_path: Path, name: str, expected: dict[str, Expected]) -> None:
    assert verdicts(tmp_path, design(name)) == {pattern: line.verdict for pattern, line in expected.items()}


@pytest.mark.parametrize(("name", "expected"), TABLE.items(), ids=TABLE)
def test_a_verdict_that_differs_from_the_authors_has_a_reason(name: str, expected: dict[str, Expected]) -> None:
    assert unexplained(expected, design(name)) == []


@pytest.mark.parametrize("name", ENTITIES)
def test_every_sample_item_is_of_one_entity(name: str) -> None:
    kept = ENTITIES[name]
    of = [[entity for entity, keys in kept.items() if is_of(keys, item)] for item in samples(model(name))]
    assert [len(entities) for entities in of] == [1] * len(of)


@pytest.mark.parametrize("name", ENTITIES)
def test_a_design_as_it_is_written_is_refused_for_its_flaws(tmp_path: Path, name: str) -> None:
    errors = errors_of(tmp_path, str(design(name, repaired=False)))
    # All comments of a user are read by nothing but the user, and memberships of rooms stand among them.
    assert [error.code for error in errors] == (["GEN104"] if name == "ChatSystem" else [])
