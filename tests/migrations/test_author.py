"""Versions written from two snapshots: which steps there are, in which order, and where people are asked."""

from collections.abc import Mapping
from typing import Any

from keywright.engines.registry import engine_named
from keywright.ir.json import Json
from keywright.migrations.author.draft import Draft
from keywright.migrations.author.planner import author
from keywright.migrations.migration import Migration, delta, document, read
from keywright.migrations.snapshot import EMPTY, Snapshot

KEYS = [["pk", "S", "HASH"], ["sk", "S", "RANGE"]]


def engines(store: str) -> Any:
    return engine_named(store.partition("/")[0])


def entity(fields: Mapping[str, str], version: int = 1, **key: str) -> dict[str, Any]:
    described = {name: {"required": True, "type": type} for name, type in fields.items()}
    return {"fields": described, "key": key, "schema_version": version}


def table(native: Mapping[str, Any] | None = None, **shape: Any) -> Snapshot:
    output = {"generation": 1, "native": {"keys": KEYS, **(native or {})}, "shape": shape}
    return Snapshot({"dynamodb": {"shop": output}})


def collection(validator: Any, indexes: Mapping[str, Any], **shape: Any) -> Snapshot:
    rules = {"validator": validator, "validationLevel": "strict", "validationAction": "error"}
    native = {"collections": {"people": rules}, "indexes": {"people": indexes}}
    return Snapshot({"mongodb/content": {"content": {"generation": 1, "native": native, "shape": shape}}})


def migration(before: Snapshot, after: Snapshot, **more: Any) -> Migration:
    created = author(Draft(before=before, after=after, **more), engines, number="0002", slug="it", parent="0001")
    assert created.snapshot.stores == after.stores
    assert read(document(created), "it", delta(created), before) == created
    return created


def told(made: Migration) -> list[tuple[str, str, str]]:
    """(op, object, ids of what lands) of each stage."""
    return [(step.op, step.object, " ".join(step.applies)) for step in made.steps]


def test_everything_is_made_by_the_first_version() -> None:
    created = author(Draft(before=EMPTY, after=table()), engines, number="0001", slug="it", parent=None)
    assert told(created) == [("alter", "shop", "c1"), ("assert_snapshot", "", "")]


def test_each_index_has_a_step_of_its_own_and_the_one_that_goes_is_gated() -> None:
    old = {"a": {"keys": KEYS, "projection": "ALL"}}
    new = {name: {"keys": KEYS, "projection": "ALL"} for name in ("b", "c")}
    created = migration(table({"indexes": old}), table({"indexes": new}))
    assert told(created) == [
        ("check_index_values", "shop/native/indexes/b", ""),
        ("alter", "shop/native/indexes/b", "c2"),
        ("check_index_values", "shop/native/indexes/c", ""),
        ("alter", "shop/native/indexes/c", "c3"),
        ("deploy_ack", "", ""),
        ("alter", "shop/native/indexes/a", "c1"),
        ("assert_snapshot", "", ""),
    ]
    assert 'drop index "a" of "shop"' in created.steps[4].text


def test_an_index_waits_for_the_backfill_of_its_table() -> None:
    index = {"indexes": {"by_day": {"keys": KEYS, "projection": "ALL"}}}
    transform: Json = {"set": {"day": "{at:date}"}}
    path = ("shop", "shape", "Order")
    before, after = table(Order=entity({"at": "S"})), table(index, Order=entity({"at": "S", "day": "S"}))
    created = migration(before, after, transforms={("dynamodb", path): [{"transform": transform}]})
    assert told(created) == [
        ("deploy_ack", "", ""),
        ("backfill", "shop/shape/Order", "c2"),
        ("check_index_values", "shop/native/indexes/by_day", ""),
        ("alter", "shop/native/indexes/by_day", "c1"),
        ("assert_snapshot", "", ""),
    ]
    assert created.steps[1].more == {"transform": transform}
    assert (
        "no older code is running, because nothing would find its updates after the backfill" in created.steps[0].text
    )
    both = [{"transform": {}, "version": 2}, {"transform": transform}]
    assert "older code" not in migration(before, after, transforms={("dynamodb", path): both}).steps[0].text


def test_values_are_not_looked_at_for_a_new_table_nor_where_the_server_looks_itself() -> None:
    shop, cart = (
        snapshot.stores["dynamodb"]["shop"] for snapshot in (table(), table({"indexes": {"a": {"keys": KEYS}}}))
    )
    assert told(migration(table(), Snapshot({"dynamodb": {"shop": shop, "cart": cart}})))[0] == ("alter", "cart", "c1")
    created = migration(collection({}, {}), collection({}, {"mail_1": {"key": [["mail", 1]]}}))
    assert [step.op for step in created.steps] == ["alter", "assert_snapshot"]


def test_a_validator_admits_both_forms_before_it_admits_the_new_one_alone() -> None:
    old, new = {"$jsonSchema": {"required": ["a"]}}, {"$jsonSchema": {"required": ["b"]}}
    created = migration(collection(old, {}), collection(new, {}))
    first, second = created.changes
    assert (first.change.before, first.change.after) == (old, {"$or": [old, new]})
    assert (second.change.before, second.change.after) == ({"$or": [old, new]}, new)
    assert [step.phase for step in created.steps if step.op == "alter"] == ["expand", "contract"]


def test_a_unique_index_is_looked_at_first_and_goes_before_a_transform_that_would_break_it() -> None:
    before = collection({}, {"mail_1": {"key": [["mail", 1]], "unique": True}}, Person=entity({"mail": "string"}))
    after = collection({}, {"email_1": {"key": [["email", 1]], "unique": True}}, Person=entity({"email": "string"}))
    passes = {("mongodb/content", ("content", "shape", "Person")): [{"transform": {"rename": {"email": "mail"}}}]}
    hints = {("mongodb/content", ("content", "shape", "Person", "fields", "email")): "mail"}
    created = migration(before, after, transforms=passes, hints=hints)
    objects = [step.object.rpartition("/")[2] or step.op for step in created.steps]
    assert objects == ["deploy_ack", "mail_1", "deploy_ack", "Person", "email_1", "email_1", "assert_snapshot"]
    assert [step.by for step in created.steps[4:6]] == ["human", "runner"]


def test_a_new_generation_has_gates_for_its_writers_the_copy_and_its_readers() -> None:
    before = table()
    after = Snapshot(
        {"dynamodb": {**before.stores["dynamodb"], "shop-k2": {**table().stores["dynamodb"]["shop"], "generation": 2}}}
    )
    created = migration(before, after)
    assert [(step.phase, step.op, step.by) for step in created.steps] == [
        ("expand", "alter", "runner"),
        ("sync", "deploy_ack", "human"),
        ("backfill", "copy", "human"),
        ("cutover", "deploy_ack", "human"),
        ("contract", "assert_snapshot", "runner"),
    ]


def test_what_a_new_generation_takes_over_lands_with_its_readers_and_not_by_a_backfill() -> None:
    shape = {"Person": entity({"name": "string"}, 1, id="{name}"), "Pet": entity({"kind": "string"}, id="{kind}")}
    moved = {"Person": entity({"name": "string", "first": "string"}, 2, id="{first}"), "Pet": shape["Pet"]}
    rules = {"validator": {}, "validationLevel": "strict", "validationAction": "error"}

    def database(collections: tuple[str, ...], shape: Mapping[str, Any]) -> Snapshot:
        native = {"collections": dict.fromkeys(collections, rules), "indexes": {}}
        return Snapshot({"mongodb/content": {"content": {"generation": 1, "native": native, "shape": shape}}})

    path = ("content", "shape", "Person")
    created = migration(
        database(("people",), shape), database(("people", "people_k2"), moved),
        transforms={("mongodb/content", path): [{"transform": {"copy": {"first": "name"}}, "version": 2}]},
    )  # fmt: skip
    assert [(step.phase, step.op) for step in created.steps] == [
        ("expand", "alter"),
        ("sync", "deploy_ack"),
        ("backfill", "copy"),
        ("cutover", "deploy_ack"),
        ("contract", "assert_snapshot"),
    ]
    assert len(created.steps[3].applies) == len(created.changes) - 1


def test_an_index_that_cannot_stand_beside_the_former_one_comes_in_its_place() -> None:
    text, other = ({"key": [[path, "text"]], "weights": {path: 1}} for path in ("name", "mail"))
    created = migration(collection({}, {"a_text": text}), collection({}, {"b_text": other}))
    assert told(created) == [
        ("deploy_ack", "", ""),
        ("alter", "content/native/indexes/people/a_text", "c1 c2"),
        ("assert_snapshot", "", ""),
    ]
    later, sooner = ({"key": [["seen", 1]], "expireAfterSeconds": seconds} for seconds in (60, 30))
    created = migration(collection({}, {"b": later}), collection({}, {"a": sooner}))
    assert told(created)[1] == ("alter", "content/native/indexes/people/b", "c2 c1")


def test_what_only_declarations_know_lands_at_the_end_or_at_a_gate() -> None:
    before = table(Order=entity({"a": "S", "b": "S"}), Cart=entity({"a": "S"}))
    after = table(Order=entity({"a": "S"}), User=entity({"c": "S"}))
    created = migration(before, after)
    assert told(created) == [("deploy_ack", "", "c1 c2"), ("assert_snapshot", "", "c3")]


def test_a_view_lets_go_of_a_column_before_the_column_goes() -> None:
    def keyspace(*columns: str) -> Snapshot:
        held = {"partition": [["id", "text"]], "columns": dict.fromkeys(columns, "text"), "options": {}}
        view = {"table": "t", "partition": ["x"], "clustering": [["id", "ASC"]], "columns": sorted(["id", *columns]),
                "options": {}}  # fmt: skip
        native = {"tables": {"t": held}, "views": {"by_x": view}}
        return Snapshot({"cassandra/k": {"k": {"generation": 1, "native": native, "shape": {}}}})

    created = migration(keyspace("x", "y"), keyspace("x"))
    objects = [step.object for step in created.steps if step.op == "alter"]
    assert objects == ["k/native/views/by_x", "k/native/tables/t/columns/y"]
