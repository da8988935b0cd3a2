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
    found = mistakes()
    assert len({one.id for one in found}) == len(found) >= 160
    assert [one.id for one in found if not one.source.startswith("https://")] == []
    assert {one.family for one in found} == FAMILIES
    assert all(one.mistake.endswith(".") and one.harm.endswith(".") for one in found)


def test_every_engine_has_at_least_thirty() -> None:
    counted = Counter(one.engine for one in mistakes())
    assert set(counted) == ENGINES | {"any"}
    assert min(counted[engine] for engine in ENGINES) >= 30


def test_exclusions_name_mistakes() -> None:
    known = {one.id for one in mistakes()}
    assert {other for one in mistakes() for other in one.excludes} <= known


def test_a_draw_is_stable_and_free_of_conflicts() -> None:
    engines = frozenset({"dynamodb", "redis"})
    first = draw("airline booking", engines)
    assert first == draw("airline booking", engines)
    assert first == draw("airline booking", engines, 40)[:30]
    assert first != draw("iot fleet", engines)
    assert len(set(first)) == 30
    by_id = {one.id: one for one in mistakes()}
    assert {by_id[one].engine for one in first} <= {"dynamodb", "redis", "any"}
    assert not any(other in by_id[one].excludes for one in first for other in first)


def test_a_draw_of_too_many_says_how_many_fit() -> None:
    with pytest.raises(ValueError, match="fit together, not 500"):
        draw("airline booking", frozenset({"redis"}), 500)
