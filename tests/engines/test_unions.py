"""Laws of fields with one of several models: values return as they were, and a member changes alone."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.engines.mongodb.designs import design_of
from tests.properties.unions import NAMES, STORES, TAGS, TYPES, Members, members, model_of, values

from keywright.engines.contract.change import Change
from keywright.engines.contract.classes import row_of
from keywright.engines.contract.diff import diff
from keywright.engines.registry import engine_named
from keywright.runtime import codec_of

every_engine = pytest.mark.parametrize("engine", STORES)
some = settings(max_examples=25, deadline=None)


@every_engine
@some
@given(data=st.data())
def test_a_value_of_each_member_returns_as_it_was(engine: str, data: st.DataObject) -> None:
    kinds = data.draw(members())
    model = model_of(engine, kinds)
    instance = model.model_validate(data.draw(values(kinds)))
    codec = codec_of(model)
    (item,) = codec.to_items(instance)
    assert codec.from_item(item) == instance


def changes_between(engine: str, before: Members, after: Members) -> list[Change]:
    """The changes from one entity to another one with the same name."""
    own = engine_named(engine)
    sides = [own.describe(own.lower(design_of(model_of(engine, kinds)))[0]) for kinds in (before, after)]
    return list(diff("store", own.parts, *sides, ("zoo",)))


def classes_of(engine: str, changes: list[Change]) -> set[tuple[str, str]]:
    return {(change.kind, row_of(engine_named(engine).classes, change).classes) for change in changes}


def fields_of(changes: list[Change]) -> set[str]:
    return {change.path[-1] for change in changes if not change.is_native}


@every_engine
@some
@given(data=st.data())
def test_a_new_member_only_adds_and_a_removed_one_only_drops(engine: str, data: st.DataObject) -> None:
    kinds = data.draw(members())
    tag = data.draw(st.sampled_from(TAGS))
    assume(tag not in kinds)
    more = {**kinds, tag: data.draw(st.dictionaries(st.sampled_from(NAMES), st.sampled_from(list(TYPES)), max_size=2))}
    added, dropped = changes_between(engine, kinds, more), changes_between(engine, more, kinds)
    shape = {change.kind for change in added if not change.is_native}
    assert shape == {"AddField"}
    assert {change.kind for change in dropped if not change.is_native} == {"DropField"}
    assert all(f"[{tag}]" in path for path in fields_of(added) | fields_of(dropped))
    assert {f"pet[{tag}]", f"second[{tag}]", f"pets[{tag}]"} <= fields_of(added)


@every_engine
@some
@given(data=st.data())
def test_a_changed_field_of_a_member_concerns_that_member_only(engine: str, data: st.DataObject) -> None:
    kinds = data.draw(members())
    tag, name = data.draw(st.sampled_from(sorted(kinds))), data.draw(st.sampled_from(NAMES))
    before, after = data.draw(st.sampled_from(list(TYPES))), data.draw(st.sampled_from(list(TYPES)))
    assume(before != after)
    first, second = ({**kinds, tag: {**kinds[tag], name: kind}} for kind in (before, after))
    changes = changes_between(engine, first, second)
    own = {path for path in fields_of(changes) if "[" in path}
    assert own == {f"{field}[{tag}].{name}" for field in ("pet", "second", "pets")}
    assert {change.kind for change in changes if not change.is_native} == {"AlterField"}


@some
@given(data=st.data())
def test_a_new_member_loosens_the_validator(data: st.DataObject) -> None:
    kinds = data.draw(members())
    tag = next(tag for tag in TAGS if tag not in kinds)
    changes: Any = changes_between("mongodb", kinds, {**kinds, tag: {}})
    assert ("AlterValidator", "S") in classes_of("mongodb", changes)
    back: Any = changes_between("mongodb", {**kinds, tag: {}}, kinds)
    assert ("AlterValidator", "B") in classes_of("mongodb", back)
