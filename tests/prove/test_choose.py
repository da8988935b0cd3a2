"""Calls that are chosen for a proof: with values that items have, and one that none has."""

from random import Random
from typing import Any

from tests.access.asking import asking
from tests.prove.things import READ, START, THINGS

from keywright.prove.answer import matching
from keywright.prove.choose import CallValues, choose


def chosen(**asked: Any) -> list[CallValues]:
    return list(choose(asking(**asked), THINGS, READ, Random(0)))


def test_the_busiest_value_comes_first_and_one_that_nothing_has_last() -> None:
    calls = chosen(eq=("owner",))
    assert calls[0].values == {"owner": "ann"}
    assert calls[-1].is_missing
    assert matching(THINGS, asking(eq=("owner",)), calls[-1].given, READ) == []


def test_a_range_is_no_longer_than_the_pattern_usually_asks() -> None:
    for call in chosen(range="at", span_seconds=86_400):
        first, last = call.values["at"]
        assert START <= first <= last
        assert (last - first).total_seconds() <= 86_400


def test_every_chosen_call_but_the_last_finds_something() -> None:
    requests = {"eq": ("owner",), "range": "size"}
    for call in chosen(**requests)[:-1]:
        assert matching(THINGS, asking(**requests), call.given, READ)


def test_a_pattern_without_values_is_called_once() -> None:
    assert chosen() == [CallValues({})]
