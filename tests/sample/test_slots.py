"""Numbers for the fields of keys."""

from hypothesis import given, settings
from hypothesis import strategies as st

from keywright.sample.slots import Choice, Slot, assign

paths = st.sampled_from("abcd")
choices = st.builds(Choice, st.integers(1, 40), st.booleans(), st.booleans(), st.none())


@given(
    keys=st.lists(st.frozensets(paths), min_size=1, max_size=4).map(lambda keys: sorted(keys, key=len)),
    found=st.fixed_dictionaries(dict.fromkeys("abcd", choices)),
    wanted=st.integers(0, 200),
)
@settings(max_examples=300, deadline=None)
def test_no_two_instances_share_a_key(keys: list[frozenset[str]], found: dict[str, Choice], wanted: int) -> None:
    count, slots = assign(keys, found, wanted)
    assert 0 <= count <= wanted
    for key in keys:
        fixed = sorted(path for path in key if path in slots)
        seen = {tuple(slots[path].ordinal(index) for path in fixed) for index in range(count)}
        assert len(seen) == count
    assert all(slot.size <= found[path].size for path, slot in slots.items())


def test_an_identifier_alone_tells_apart_and_leaves_the_other_fields_free() -> None:
    found = {
        "user": Choice(50, False, False, None),
        "at": Choice(10**9, True, True, None),
        "id": Choice(10**9, True, False, None),
    }
    assert assign([frozenset(found)], found, 100) == (100, {"id": Slot(1, 100, None)})


def test_fields_of_few_values_tell_apart_together() -> None:
    found = {"player": Choice(10**6, False, False, None), "tag": Choice(4, False, False, None)}
    assert assign([frozenset(found)], found, 100) == (100, {"tag": Slot(1, 4, None), "player": Slot(4, 25, None)})


def test_there_are_no_more_instances_than_keys() -> None:
    assert assign([frozenset("a")], {"a": Choice(7, False, False, None)}, 100) == (7, {"a": Slot(1, 7, None)})


def test_a_key_without_fields_has_room_for_one() -> None:
    assert assign([frozenset()], {}, 100) == (1, {})


def test_an_entity_without_keys_has_as_many_as_wanted() -> None:
    assert assign([], {}, 100) == (100, {})
