"""Slots for the fields of keys."""

from hypothesis import given, settings
from hypothesis import strategies as st

from keywright.sample.slots import FieldChoice, FieldSlot, assign

paths = st.sampled_from("abcd")
choices = st.builds(FieldChoice, st.integers(1, 40), st.booleans(), st.booleans(), st.none())


@given(
    keys=st.lists(st.frozensets(paths), min_size=1, max_size=4).map(lambda keys: sorted(keys, key=len)),
    choices_by_path=st.fixed_dictionaries(dict.fromkeys("abcd", choices)),
    requested=st.integers(0, 200),
)
@settings(max_examples=300, deadline=None)
def test_no_two_instances_share_a_key(
    keys: list[frozenset[str]], choices_by_path: dict[str, FieldChoice], requested: int
) -> None:
    count, slots = assign(keys, choices_by_path, requested)
    assert 0 <= count <= requested
    for key in keys:
        fixed = sorted(path for path in key if path in slots)
        ordinals = {tuple(slots[path].ordinal(index) for path in fixed) for index in range(count)}
        assert len(ordinals) == count
    assert all(slot.size <= choices_by_path[path].size for path, slot in slots.items())


def test_an_identifier_alone_distinguishes_instances_and_leaves_the_other_fields_free() -> None:
    choices_by_path = {
        "user": FieldChoice(50, False, False, None),
        "at": FieldChoice(10**9, True, True, None),
        "id": FieldChoice(10**9, True, False, None),
    }
    assert assign([frozenset(choices_by_path)], choices_by_path, 100) == (100, {"id": FieldSlot(1, 100, None)})


def test_fields_of_few_values_distinguish_instances_together() -> None:
    choices_by_path = {"player": FieldChoice(10**6, False, False, None), "tag": FieldChoice(4, False, False, None)}
    assert assign([frozenset(choices_by_path)], choices_by_path, 100) == (
        100,
        {"tag": FieldSlot(1, 4, None), "player": FieldSlot(4, 25, None)},
    )


def test_there_are_no_more_instances_than_keys() -> None:
    assert assign([frozenset("a")], {"a": FieldChoice(7, False, False, None)}, 100) == (7, {"a": FieldSlot(1, 7, None)})


def test_a_key_without_fields_has_room_for_one() -> None:
    assert assign([frozenset()], {}, 100) == (1, {})


def test_an_entity_without_keys_has_as_many_instances_as_requested() -> None:
    assert assign([], {}, 100) == (100, {})
