"""What a probe says of a step among others: of chains over one object, and of what is taken away."""

from typing import Any

import pytest

from keywright.engines.plan import State, Step, probe_among

Native = dict[str, Any]
A, P, D = State.ABSENT, State.PRESENT, State.PARTIAL


def a_step(object: str, wants: Any, before: Any) -> Step:
    path = tuple(object.split("/")) if object else ()
    return Step("store", "shop", path, "", None, wants, (before,))


def states(steps: tuple[Step, ...], native: Native | None) -> list[State]:
    description: Any = None if native is None else {"native": native}
    return [probe_among(steps, at, description) for at in range(len(steps))]


ALTERED = (a_step("index", None, "old"), a_step("index", "new", None))


@pytest.mark.parametrize(
    ("native", "expected"),
    [
        ({"index": "old"}, [A, State.CONFLICT]),
        ({}, [P, A]),
        ({"index": "new"}, [P, P]),
        ({"index": "another"}, [State.CONFLICT] * 2),
        ({"index": {"building": True}}, [D, D]),
        ({"index": "new", "building": True}, [D, D]),
    ],
    ids=str,
)
def test_a_step_is_done_if_its_object_is_as_a_later_one_wants_it(native: Native, expected: list[State]) -> None:
    assert states(ALTERED, native) == expected


BACK = (
    a_step("v", None, "v"), a_step("w", None, "w"), a_step("column", None, "c"), a_step("v", "v", None),
    a_step("w", "w", None),
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
def test_what_comes_back_as_it_was_is_told_by_the_steps_between(native: Native, expected: list[State]) -> None:
    assert states(BACK, native) == expected


GONE = (a_step("settings/protected", False, True), a_step("", None, {"keys": "k"}))


@pytest.mark.parametrize(
    ("native", "expected"),
    [
        ({"keys": "k", "settings": {"protected": True}}, [A, A]),
        ({"keys": "k", "settings": {"protected": False}}, [P, A]),
        (None, [P, P]),
        ({"keys": "other", "settings": {"protected": True}}, [A, State.CONFLICT]),
    ],
    ids=str,
)
def test_what_was_in_something_that_is_gone_is_done_with(native: Native | None, expected: list[State]) -> None:
    assert states(GONE, native) == expected


def test_steps_of_another_target_tell_nothing() -> None:
    other = Step("store", "log", ("index",), "", None, "new", (None,))
    assert probe_among((ALTERED[0], other), 0, {"native": {"index": "new"}}) is State.CONFLICT
