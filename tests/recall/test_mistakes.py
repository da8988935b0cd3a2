"""The committed list of mistakes, and the draws from it."""

from collections import Counter

import pytest
from tests.recall.draw import draw, mistakes

FAMILIES = {
    "settings",
    "money-and-counting",
    "hot",
    "unbounded",
    "costly-reads",
    "copies-and-streams",
    "personal-data",
    "keys",
    "indexes",
    "consistency",
}
ENGINES = {"dynamodb", "mongodb", "cassandra", "redis"}


def test_every_mistake_has_one_id_and_a_source() -> None:
    result = mistakes()
    assert len({entry.id for entry in result}) == len(result) >= 160
    assert [entry.id for entry in result if not entry.source.startswith("https://")] == []
    assert {entry.family for entry in result} == FAMILIES
    assert all(entry.mistake.endswith(".") and entry.harm.endswith(".") for entry in result)


def test_every_engine_has_at_least_thirty() -> None:
    counted = Counter(mistake.engine for mistake in mistakes())
    assert set(counted) == ENGINES | {"any"}
    assert min(counted[engine] for engine in ENGINES) >= 30


def test_exclusions_name_mistakes() -> None:
    known = {mistake.id for mistake in mistakes()}
    assert {other for mistake in mistakes() for other in mistake.excludes} <= known


def test_a_draw_is_stable_and_free_of_conflicts() -> None:
    engines = frozenset({"dynamodb", "redis"})
    first = draw("airline booking", engines)
    assert first == draw("airline booking", engines)
    assert first == draw("airline booking", engines, 40)[:30]
    assert first != draw("iot fleet", engines)
    assert len(set(first)) == 30
    by_id = {mistake.id: mistake for mistake in mistakes()}
    assert {by_id[entry].engine for entry in first} <= {"dynamodb", "redis", "any"}
    assert not any(other in by_id[entry].excludes for entry in first for other in first)


def test_a_draw_of_too_many_says_how_many_fit() -> None:
    with pytest.raises(ValueError, match="fit together, not 500"):
        draw("airline booking", frozenset({"redis"}), 500)
