"""Probes of a statement among others: chains over one object, and removed containers."""

from typing import Any

import pytest

from keywright.engines.contract.plan import ObjectState, Statement, probe_among

Native = dict[str, Any]
A, P, D = ObjectState.ABSENT, ObjectState.PRESENT, ObjectState.PARTIAL


def a_statement(object: str, wants: Any, before: Any) -> Statement:
    path = tuple(object.split("/")) if object else ()
    return Statement("store", "shop", path, "", None, wants, (before,))


def states(statements: tuple[Statement, ...], native: Native | None) -> list[ObjectState]:
    description: Any = None if native is None else {"native": native}
    return [probe_among(statements, at, description) for at in range(len(statements))]


ALTERED = (a_statement("index", None, "old"), a_statement("index", "new", None))


@pytest.mark.parametrize(
    ("native", "expected"),
    [
        ({"index": "old"}, [A, ObjectState.CONFLICT]),
        ({}, [P, A]),
        ({"index": "new"}, [P, P]),
        ({"index": "another"}, [ObjectState.CONFLICT] * 2),
        ({"index": {"building": True}}, [D, D]),
        ({"index": "new", "building": True}, [D, D]),
    ],
    ids=str,
)
def test_a_step_is_done_if_its_object_is_as_a_later_one_wants_it(native: Native, expected: list[ObjectState]) -> None:
    assert states(ALTERED, native) == expected


BACK = (
    a_statement("v", None, "v"), a_statement("w", None, "w"), a_statement("column", None, "c"),
    a_statement("v", "v", None), a_statement("w", "w", None),
)  # fmt: skip


@pytest.mark.parametrize(
    ("native", "expected"),
    [
        ({"v": "v", "w": "w", "column": "c"}, [A, A, A, P, P]),
        ({"w": "w", "column": "c"}, [P, A, A, A, P]),
        ({"column": "c"}, [P, P, A, A, A]),
        ({}, [P, P, P, A, A]),
        ({"v": "v"}, [P, P, P, P, A]),
        ({"v": "v", "w": "w"}, [P, P, P, P, P]),
    ],
    ids=str,
)
def test_what_comes_back_as_it_was_is_told_by_the_steps_between(native: Native, expected: list[ObjectState]) -> None:
    assert states(BACK, native) == expected


GONE = (a_statement("settings/protected", False, True), a_statement("", None, {"keys": "k"}))


@pytest.mark.parametrize(
    ("native", "expected"),
    [
        ({"keys": "k", "settings": {"protected": True}}, [A, A]),
        ({"keys": "k", "settings": {"protected": False}}, [P, A]),
        (None, [P, P]),
        ({"keys": "other", "settings": {"protected": True}}, [A, ObjectState.CONFLICT]),
    ],
    ids=str,
)
def test_what_was_in_something_that_is_gone_is_done_with(native: Native | None, expected: list[ObjectState]) -> None:
    assert states(GONE, native) == expected


def test_steps_of_another_target_tell_nothing() -> None:
    other = Statement("store", "log", ("index",), "", None, "new", (None,))
    assert probe_among((ALTERED[0], other), 0, {"native": {"index": "new"}}) is ObjectState.CONFLICT
