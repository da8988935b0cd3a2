"""Entries that wait, as members of a sorted set."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.engines.redis.schema.delayed_entry import entry, fields_of


@given(st.dictionaries(st.text(max_size=9), st.text(max_size=9) | st.binary(max_size=9), max_size=4))
def test_the_fields_of_an_entry_are_read_back(fields: dict[str, str | bytes]) -> None:
    as_bytes = {k.encode(): v.encode() if isinstance(v, str) else v for k, v in fields.items()}
    assert fields_of(entry("u", fields)) == as_bytes


@pytest.mark.parametrize("member", [b"", b"abc", b"3:abc1:x", b"x:abc", b"1:u1:a2:b"])
def test_other_members_are_no_entries(member: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # from int, zip or the unpacking
        fields_of(member)
