"""Partial writes and schema versions, on real servers: values of two versions never mix in one item."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.live.conftest import Start
from tests.live.versioned import SPREAD, STORES, Versioned, versioned

from keywright import runtime

pytestmark = pytest.mark.live

CALLS: dict[str, dict[str, Any]] = {
    "set_state": {"state": "x"}, "set_label": {"label": "x"}, "set_judged": {"label": "x"}, "add": {"by": 2},
    "push": {"tags": "x"},
}  # fmt: skip
"""Partial writes, and what they change."""

LEAST = {"set_state": {2: 2, 3: 2}, "set_label": {2: 1, 3: 3}, "set_judged": {2: 2, 3: 3}}
"""The first version that a write of newer code admits; 1 where it touches nothing that is converted."""


@pytest.fixture(scope="module", params=STORES)
def store(
    request: pytest.FixtureRequest, start: Start, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Versioned]:
    engine = request.param
    server = start(engine, "versions" if engine == "redis" else "")
    with versioned(engine, server, tmp_path_factory.mktemp(engine)) as created:
        yield created


def admits(store: Versioned, call: str, code: int, stored: int) -> bool:
    """Whether code of one version may change an item of another by a call."""
    least = LEAST.get(call, {}).get(code, 1)
    if store.engine == "cassandra":
        return code == 1 or max(2, least) <= stored <= code
    return least <= stored <= code


@pytest.mark.parametrize(("code", "stored"), [*itertools.product((1, 2, 3), (1, 2, 3))])
def test_a_partial_write_meets_an_item_of_any_version(store: Versioned, code: int, stored: int) -> None:
    app, key = store.apps[code], f"k{code}{stored}"
    for call, values in CALLS.items():
        if not app.serves(call):
            continue
        store.apps[stored].put(key)
        before = store.stored(key)
        if admits(store, call, code, stored):
            app(call, k=key, **values)
            after = store.stored(key)
            assert after != before
            assert version_of(after) == version_of(before)
            continue
        with pytest.raises(runtime.WrongVersion) as caught:
            app(call, k=key, **values)
        assert (caught.value.entity, caught.value.stored, caught.value.code) == ("Thing", stored, code)
        assert not isinstance(caught.value, runtime.ConditionFailed)
        assert key not in str(caught.value)
        assert store.stored(key) == before


def version_of(item: dict[str, object]) -> object:
    return next((value for name, value in item.items() if str(name).strip("b'").endswith("kw_v")), None)


@pytest.mark.parametrize("code", [1, 2, 3])
def test_an_item_that_is_not_there_is_not_made(store: Versioned, code: int) -> None:
    app = store.apps[code]
    for call, values in CALLS.items():
        if app.serves(call):
            with pytest.raises(runtime.ConditionFailed):
                app(call, k="gone", **values)
            assert store.stored("gone") == {}


def test_a_condition_that_does_not_hold_is_told_from_a_version(store: Versioned) -> None:
    store.apps[2].put("judged", state="sold")
    with pytest.raises(runtime.ConditionFailed):
        store.apps[2]("set_judged", k="judged", label="x")
    if store.engine != "cassandra":
        with pytest.raises(runtime.WrongVersion):
            store.apps[1]("set_judged", k="judged", label="x")


def test_of_writes_that_belong_together_none_is_done(store: Versioned) -> None:
    """One of them meets an item of a newer version."""
    app = store.apps[2]
    if not app.serves("both"):
        pytest.skip(f"{store.engine} has no such transaction")
    store.apps[3].put("newer")
    before = store.stored("newer")
    with pytest.raises(runtime.WrongVersion if store.engine != "cassandra" else Exception):
        app.models.both(app.db, {"k": "newer", "label": "x"}, app.models.Thing(k="beside"))
    assert store.stored("newer") == before
    assert store.stored("beside") == {}
    store.apps[2].put("same")
    if store.engine != "cassandra":
        app.models.both(app.db, {"k": "same", "label": "x"}, app.models.Thing(k="beside"))
        assert app("get", k="same").label == "x"
        assert app("get", k="beside") is not None


@pytest.mark.parametrize("kind", SPREAD)
def test_copies_and_shards_are_refused_too(start: Start, tmp_path: Path, kind: str) -> None:
    with versioned(kind, start("dynamodb"), tmp_path) as store:
        store.apps[2].put("one")
        before = store.client.scan(TableName=store.name, ConsistentRead=True)["Items"]
        for code, call in ((1, "set_label"), (1, "add"), (1, "push"), (3, "set_label")):
            with pytest.raises(runtime.WrongVersion) as caught:
                store.apps[code](call, k="one", **CALLS[call])
            assert (caught.value.stored, caught.value.code) == (2, code)
        assert store.client.scan(TableName=store.name, ConsistentRead=True)["Items"] == before
        store.apps[3]("add", k="one", by=2)
        after = store.client.scan(TableName=store.name, ConsistentRead=True)["Items"]
        assert [(item["count"], item["_kw_v"]) for item in after] == [({"N": "2"}, {"N": "2"})] * len(before)
        with pytest.raises(runtime.ConditionFailed):
            store.apps[3]("add", k="gone", by=2)


def test_whole_items_of_any_version_replace_each_other(store: Versioned) -> None:
    for first, second in itertools.permutations((1, 2, 3), 2):
        store.apps[first].put("whole", state="before")
        store.apps[second].put("whole", state="after")
        assert store.apps[second]("get", k="whole").state == "after"


@pytest.mark.parametrize("stored", [1, 2, 3])
def test_new_code_that_puts_an_old_item_back_whole_loses_nothing(store: Versioned, stored: int) -> None:
    key = f"whole{stored}"
    store.apps[stored].put(key, state="new", label="a", count=7)
    app = store.apps[3]
    result = app("get", k=key)
    expected = {1: ("open", "b"), 2: ("new", "b"), 3: ("new", "a")}[stored]
    assert (result.state, result.label, result.count) == (*expected, 7)
    app.models.put(app.db, result)
    assert "3" in str(version_of(store.stored(key)))
    again = app("get", k=key)
    assert again == result, "it is upgraded once"
