"""Cursors: what is sealed is read again, by its own pattern alone, and nothing that is broken is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.errors import NOWHERE, UsageError
from keywright.ir.pattern import Pattern
from keywright.record import replace
from keywright.runtime.cursor import OTHER_VALUES, bound, sealed, unbound, unsealed
from keywright.runtime.errors import InvalidCursor, Unstorable

MINE = Pattern("mine", "read", "models.case", "Case", NOWHERE)


@given(st.binary())
def test_what_is_sealed_is_read_again(state: bytes) -> None:
    cursor = sealed(MINE, state)
    assert unsealed(MINE, cursor) == state
    assert cursor.isascii()
    assert not set(cursor) & set("+/=?&#")


@pytest.mark.parametrize("cursor", ["", "x", "e30", "bnVsbA", "eyJwYXR0ZXJuIjoxfQ", "\x00", "é"])
def test_what_is_no_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(UsageError, match=r'"mine" does not accept .* invalid, or belongs to another pattern'):
        unsealed(MINE, cursor)


@pytest.mark.parametrize("other", [replace(MINE, name="yours"), replace(MINE, context="models.other")])
def test_a_cursor_of_another_pattern_is_refused(other: Pattern) -> None:
    with pytest.raises(UsageError):
        unsealed(other, sealed(MINE, b"state"))


def test_a_cursor_of_other_values_is_called_invalid_and_not_unstorable() -> None:
    cursor = bound(MINE, {"city": "x"}, sealed(MINE, b"state"))
    with pytest.raises(InvalidCursor) as caught:
        unbound(MINE, {"city": "y"}, cursor)
    assert caught.value.problem == f'this str for "cursor" is invalid: {OTHER_VALUES}'


def test_a_value_of_a_condition_is_called_invalid_and_not_unstorable() -> None:
    error = Unstorable("it is not a finite number, which DynamoDB requires", "price", "float")
    assert error.problem == 'this float for "price" is invalid: it is not a finite number, which DynamoDB requires'


@given(st.binary(min_size=1), st.data())
def test_a_cursor_with_another_letter_is_refused(state: bytes, data: st.DataObject) -> None:
    cursor = sealed(MINE, state)
    place = data.draw(st.integers(0, len(cursor) - 2))  # the last letter may hold bits that mean nothing
    other = "A" if cursor[place] != "A" else "B"
    with pytest.raises(UsageError):
        unsealed(MINE, cursor[:place] + other + cursor[place + 1 :])
