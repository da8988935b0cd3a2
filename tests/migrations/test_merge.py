"""Three-way merges of snapshots: both sides' changes, or a clash; never a change that is lost."""

import json
from importlib import import_module
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from keywright.engines.contract.change import Change
from keywright.engines.contract.diff import diff, patch
from keywright.engines.contract.parts import Part
from keywright.engines.registry import ENGINES, engine_of
from keywright.ir.json import canonical
from keywright.migrations.merge import merge
from keywright.migrations.snapshot import Stores, pruned

NAMES = [engine.name for engine in ENGINES]


def described(engine: Any, target: Any) -> dict[str, Any]:
    document = json.loads(canonical(engine.describe(target)))
    return {half: document[half] for half in ("generation", "native", "shape")}


def meet(change: Change, other: Change) -> bool:
    shorter = min(len(change.path), len(other.path))
    return change.path[:shorter] == other.path[:shorter]


def stored(engine: Any, description: Any) -> Stores:
    native = {key: full(engine.parts.at("native").at(key), entry) for key, entry in description["native"].items()}
    return {engine.name: pruned({"it": {**description, "native": native}})}


def full(tree: Part, described: Any) -> Any:
    """A description without the empty collections of parts that a patch leaves, as an engine writes it."""
    if not tree.parts:
        return described
    created = {key: full(tree.at(key), entry) for key, entry in described.items()}
    return {key: entry for key, entry in created.items() if entry != {} or tree.at(key).noun}


@st.composite
def drawn(draw: st.DrawFn, name: str) -> tuple[Any, Any, list[Change], list[Change]]:
    """An engine, a description, and two sets of changes of it."""
    engine = engine_of(name)
    targets = import_module(f"tests.properties.{name}").targets
    base, other = (described(engine, draw(targets())) for _ in range(2))
    tree = Part(parts={"*": engine.parts})
    changes = list(diff(name, tree, {"it": base}, {"it": other}, ()))
    sides = [draw(st.sampled_from(("theirs", "ours", "both", "neither"))) for _ in changes]
    theirs, ours = ([change for change, side in zip(changes, sides, strict=True) if side in (word, "both")]
                    for word in ("theirs", "ours"))  # fmt: skip
    return engine, base, theirs, ours


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_the_changes_of_both_branches_are_there_in_either_order(name: str, data: st.DataObject) -> None:
    engine, base, theirs, ours = data.draw(drawn(name))
    start = stored(engine, base)
    ends = [stored(engine, patch({"it": base}, changes)["it"]) for changes in (theirs, ours)]
    there, here = (merge(start, *sides, engine_of) for sides in (ends, ends[::-1]))
    assert len(there.clashes) == len(here.clashes)
    if not there.clashes:
        both = [*theirs, *(change for change in ours if change not in theirs)]
        assert there.stores == here.stores == stored(engine, patch({"it": base}, both)["it"])


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_what_both_branches_change_differently_is_a_clash(name: str, data: st.DataObject) -> None:
    engine = engine_of(name)
    targets = import_module(f"tests.properties.{name}").targets
    base, theirs, ours = (described(engine, data.draw(targets())) for _ in range(3))
    tree = Part(parts={"*": engine.parts})
    sides = [list(diff(name, tree, {"it": base}, {"it": side}, ())) for side in (theirs, ours)]
    against = [side for side in sides[0] for other in sides[1] if meet(side, other) and side != other]
    merged = merge(*(stored(engine, entry) for entry in (base, theirs, ours)), engine_of)
    places = [(clash.theirs, clash.ours) for clash in merged.clashes]
    for change in against:
        if change.kind not in ("AlterValidator", "AlterEntity"):  # merged part by part, as the examples below show
            assert any(change.path[: len(at)] == at or at[: len(change.path)] == change.path
                       for clash in places for at in clash), change  # fmt: skip


def validator(**properties: Any) -> Any:
    schema = {"bsonType": "object", "properties": properties, "required": sorted(properties)}
    rules = {"validator": {"$jsonSchema": schema}, "validationLevel": "strict"}
    fields = {name: {"type": entry["bsonType"], "required": True} for name, entry in properties.items()}
    shape = {"P": {"fields": fields, "key": {"collection": "p", "id": "{_id}"}, "schema_version": 1}}
    native = {"collections": {"p": rules}, "indexes": {}}
    return {"mongodb/d": {"d": {"generation": 1, "native": native, "shape": shape}}}


TEXT = {"bsonType": "string"}


def test_fields_of_both_branches_are_in_the_validator() -> None:
    base = validator(_id=TEXT)
    merged = merge(base, validator(_id=TEXT, phone=TEXT), validator(_id=TEXT, fax=TEXT), engine_of)
    assert merged.clashes == ()
    store: Any = merged.stores["mongodb/d"]["d"]["native"]["collections"]["p"]["validator"]["$jsonSchema"]
    assert sorted(store["properties"]) == ["_id", "fax", "phone"]
    assert sorted(store["required"]) == ["_id", "fax", "phone"]
    assert sorted(merged.stores["mongodb/d"]["d"]["shape"]["P"]["fields"]) == ["_id", "fax", "phone"]


def test_a_field_with_two_types_is_a_clash() -> None:
    base = validator(_id=TEXT)
    merged = merge(base, validator(_id=TEXT, fax=TEXT), validator(_id=TEXT, fax={"bsonType": "long"}), engine_of)
    assert [clash.ours for clash in merged.clashes] == [
        ("d", "native", "collections", "p", "validator"), ("d", "shape", "P", "fields", "fax"),
    ]  # fmt: skip


def test_an_index_on_a_field_that_the_other_branch_drops_is_a_clash() -> None:
    base, theirs, ours = validator(_id=TEXT, fax=TEXT), validator(_id=TEXT), validator(_id=TEXT, fax=TEXT)
    ours["mongodb/d"]["d"]["native"]["indexes"] = {"p": {"fax_1": {"key": [["fax", 1]]}}}
    for sides in ((theirs, ours), (ours, theirs)):
        (clash,) = merge(base, *sides, engine_of).clashes
        assert {clash.ours[-1], clash.theirs[-1]} == {"fax_1", "fax"}
