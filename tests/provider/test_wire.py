"""What the engine sends and is sent, and differences as it shows them."""

from typing import Any

import pytest
from google.protobuf import struct_pb2
from hypothesis import given
from hypothesis import strategies as st

from keywright.provider.wire import changes, detailed, has_unknown, plain, struct

SECRET = {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270"}

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc$", min_size=1, max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["name", "indexes", "validator"]), VALUES))
def test_what_is_sent_is_received(values: dict[str, Any]) -> None:
    assert plain(struct(values)) == values


def test_secrets_are_opened_and_internal_keys_left_out() -> None:
    message = struct_pb2.Struct()
    message.update({"uri": {**SECRET, "value": "mongodb://a"}, "__internal": 1, "gone": None})
    assert plain(message) == {"uri": "mongodb://a"}


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ({"a": 1}, {"a": 1}, {}),
        ({"a": 1}, {"a": 2, "b": None}, {"a": "UPDATE", "b": "ADD"}),
        ({"settings": {"maxmemory-policy": "a"}}, {"settings": {}}, {'settings["maxmemory-policy"]': "DELETE"}),
        ({"keys": [["a", 1]]}, {"keys": [["a", -1]]}, {"keys[0][1]": "UPDATE"}),
        ({"i": [{"name": "a"}, {"name": "c"}]}, {"i": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}, {"i[1]": "ADD"}),
        ({"i": [{"name": "a"}, {"name": "b"}]}, {"i": [{"name": "b"}]}, {"i[0]": "DELETE"}),
        ({"i": [{"name": "a"}]}, {"i": [{"name": "b"}]}, {"i[0]": "UPDATE"}),
        ({"i": [{"name": "a", "ttl": 1}]}, {"i": [{"name": "a", "ttl": 2}]}, {"i[0].ttl": "UPDATE"}),
    ],
)
def test_differences_are_told_by_their_places(old: Any, new: Any, found: dict[str, str]) -> None:
    assert detailed(old, new) == found


@given(VALUES)
def test_nothing_differs_from_itself(value: Any) -> None:
    assert not list(changes({"a": value}, {"a": value}))


def test_what_is_not_known_yet_is_found_at_any_depth() -> None:
    unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
    assert has_unknown({"a": [{"b": unknown}]})
    assert not has_unknown({"a": [{"b": "known"}, 1]})
