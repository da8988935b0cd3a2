"""The wrong-value matrix: every type, every wrong kind, every kind of call, on a real server of each engine.

Each cell must raise InvalidValue, and after all of them the store must hold exactly what it held before.
"""

import re
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from importlib import import_module
from types import ModuleType
from typing import Any
from uuid import UUID

import pytest
from pydantic import BaseModel
from tests.live.conftest import Start
from tests.live.values_models import FIELDS, STORES, project_files
from tests.projects import a_project, imported_alone

from keywright import api, runtime
from keywright.access.path import NotServed
from keywright.compiler import localised
from keywright.migrations.run.runner import run
from keywright.record import Record

pytestmark = pytest.mark.live

NOW = datetime(2026, 3, 1, tzinfo=UTC)


class Text(str):
    """A text of a class of its own."""


class Opened(Record):
    """A store with one item in it."""

    engine: str
    models: ModuleType
    db: runtime.Database
    dump: Callable[[], Any]

    def serves(self, name: str) -> bool:
        """Whether the engine serves a pattern."""
        row = self.db._rows[id(getattr(self.models, name))]
        return not isinstance(row.planned.path, NotServed)


@pytest.fixture(scope="module", params=STORES)
def opened(request: pytest.FixtureRequest, start: Start, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    engine = request.param
    running = start(engine, "open" if engine == "redis" else "")
    url = running.url.replace("http://", "http://values@")
    folder = tmp_path_factory.mktemp(engine)
    with imported_alone(folder):
        a_project(folder, project_files(engine))
        driver_module: Any = import_module(f"keywright.drivers.{engine}.driver")
        project = api.load(str(folder))
        environment = localised(api.compile(project, "dev").environment, {engine: running.version})
        driver = driver_module.connect(url)
        for target in api.compile(project, environment).targets:
            run(
                [
                    statement
                    for statement in target.engine.create(target.placed)
                    if statement.object[:1] != ("settings",)
                ],
                driver,
            )
        sys.path.insert(0, str(folder))
        models = import_module(f"models.values_{engine}")
        client = driver_module.client(url, **({"decode_responses": False} if engine == "redis" else {}))
        db = runtime.open(models, environment="dev", **{engine: client})
        models.put(db, models.Thing(k="there"))
        yield Opened(engine, models, db, lambda: DUMPS[engine](client))
        driver.close()
        (client.cluster.shutdown if engine == "cassandra" else client.close)()


def _dynamodb(client: Any) -> Any:
    pages = client.get_paginator("scan").paginate(TableName="values_things")
    return sorted(str(item) for page in pages for item in page["Items"])


DUMPS: dict[str, Callable[[Any], Any]] = {
    "dynamodb": _dynamodb,
    "mongodb": lambda client: sorted(str(item) for item in client["values_base"]["things"].find()),
    "cassandra": lambda client: sorted(str(row) for row in client.execute("SELECT * FROM values_space.things")),
    "redis": lambda client: sorted((key, client.dump(key)) for key in client.keys("*")),
}
"""By engine: all that its store holds."""


def pool(models: Any) -> dict[str, Any]:
    """Values of every kind, by a word."""
    return {
        "operator": {"$gt": ""},
        "pattern": re.compile("."),
        "none": None,
        "text": "x",
        "own text": Text("x"),
        "long text": "x" * 500_000,
        "surrogate": "\ud800",
        "bytes": b"x",
        "many bytes": b"x" * 50,
        "bytearray": bytearray(b"x"),
        "true": True,
        "one": 1,
        "seven": 7,
        "negative": -1,
        "above": 101,
        "beyond 64 bits": 2**64,
        "half": 0.5,
        "nan": float("nan"),
        "infinite": float("inf"),
        "decimal": Decimal("0.5"),
        "decimal nan": Decimal("NaN"),
        "many digits": Decimal("0." + "1" * 50),
        "huge decimal": Decimal("1E+200"),
        "naive": NOW.replace(tzinfo=None),
        "moment": NOW,
        "date": date(2026, 3, 1),
        "time": time(3),
        "gap": timedelta(1),
        "uuid": UUID(int=3),
        "integers": [1],
        "texts": ["a"],
        "too many": ["a"] * 9,
        "set": {2},
        "tuple": (1, 2),
        "counts": {"b": 2},
        "words": {"b": "c"},
        "object": object(),
        "class": str,
        "member": models.Status.PAID,
        "other member": models.Other.PAID,
        "level": models.Level.HIGH,
        "home": models.Home(city="d"),
        "broken home": models.Home.model_construct(city=5, rooms=0),
        "homes": [models.Home(city="d")],
        "broken homes": [models.Home.model_construct(city="x" * 50)],
        "url": models.HttpUrl("http://b/"),
        "web text": "http://b/",
        "mixed": {1: 2},
        "nested": {"a": [object()]},
    }


TEXTS = {"text", "own text", "long text", "member", "other member", "web text"}
JSON = {
    "operator",
    "none",
    "true",
    "one",
    "seven",
    "negative",
    "above",
    "half",
    "integers",
    "texts",
    "too many",
    "counts",
    "words",
    "level",
}
RIGHT: dict[str, set[str]] = {
    "k": {"text", "own text", "member", "other member"},
    "n": {"one", "seven", "level"},
    "f": {"one", "seven", "half", "level"},
    "d": {"one", "seven", "decimal", "above", "level"},
    "b": {"true"},
    "raw": {"bytes"},
    "at": {"moment"},
    "day": {"date"},
    "clock": {"time"},
    "gap": {"gap"},
    "u": {"uuid"},
    "status": {"member"},
    "level": {"level", "one"},
    "word": {"text", "own text"},
    "note": {"none", *TEXTS},
    "tags": {"texts"},
    "numbers": {"set"},
    "counts": {"counts"},
    "home": {"home"},
    "homes": {"homes"},
    "url": {"url", "web text"},
    "anything": {*JSON, *TEXTS, "beyond 64 bits", "infinite", "nan", "decimal", "bytes"},
}
"""By field: the kinds of value that its type takes; all others are wrong."""

ELEMENTS = {
    "tags": {"text", "own text", "member", "other member"},
    "numbers": {"one", "seven", "negative", "above", "level", "beyond 64 bits"},
    "homes": {"home"},
}
"""What conditions compare the elements of a list with."""


def wrong(field: str, models: Any, *, beside: set[str] | frozenset[str] = frozenset()) -> Iterator[tuple[str, Any]]:
    right = RIGHT[field] | beside
    return ((word, value) for word, value in pool(models).items() if word not in right)


def cells(opened: Opened) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Every call with one wrong value in it."""
    yield from own_cells(opened)
    models, db = opened.models, opened.db
    key = {"k": "there"} if opened.engine == "mongodb" else {"owner": "o", "k": "there"}
    thing = models.Thing(k="new")
    yield from _keys(opened, models, db, key)
    for field in FIELDS:
        element = ELEMENTS.get(field, frozenset())
        for word, value in wrong(field, models):
            broken = thing.model_copy(update={field: value})
            yield f"put {field} {word}", lambda broken=broken: models.put(db, broken)
            yield f"put_new {field} {word}", lambda broken=broken: models.put_new(db, broken)
            yield from _named(opened, f"set_{field}", word, key, {field: value})
            yield from _transact(opened, f"both_{field}", word, thing, {**key, field: value})
        for word, value in wrong(field, models, beside=element):
            owner = {"owner": "o"}
            for kind, values in (
                ("get", {**owner, "k": "there", field: value}), ("read", {**owner, field: value}),
                ("count", {**owner, field: value}), ("remove", {**owner, "k": "there", field: value}),
            ):  # fmt: skip
                yield from _named(opened, f"{kind}_{field}", word, {}, values)
            if word != "none":  # an end that is left open
                yield from _named(opened, f"range_{field}", word, owner, {field: (value, None)})
                yield from _named(opened, f"range_{field}", word, owner, {field: [None, value]})
            yield from _named(opened, f"some_{field}", word, owner, {field: [value]})


NAMES = {"text", "own text", "member", "other member"}
"""Kinds of value that a short text of small letters takes."""

OWN: dict[str, dict[str, tuple[dict[str, Any], dict[str, set[str]]]]] = {
    "redis": {
        "get_ranked": ({"board": "b", "player": "p"}, {"board": NAMES, "player": NAMES}),
        "remove_ranked": ({"board": "b", "player": "p"}, {"board": NAMES, "player": NAMES}),
        "ranked": ({"board": "b", "player": "p"}, {"board": NAMES, "player": NAMES}),
        "ranked_between": ({"board": "b", "points": (1, 2)}, {"board": NAMES, "points": {"tuple"}}),
        "add_ranked": (
            {"board": "b", "player": "p", "by": 1},
            {"board": NAMES, "player": NAMES, "by": {"one", "seven", "negative", "above", "level", "none"}},
        ),
        "take": ({"queue": "q"}, {"queue": NAMES, "limit": {"one", "none"}}),
        "jobs": ({"queue": "q"}, {"queue": NAMES, "limit": {"one", "seven", "none"}}),
        "near": ({"city": "c", "spot": (1.0, 2.0)}, {"city": NAMES, "spot": {"tuple"}}),
        "get_tally": ({"shop": "s"}, {"shop": NAMES}),
        "add_tally": (
            {"shop": "s", "by": 1},
            {"shop": NAMES, "by": {"one", "seven", "negative", "above", "level", "none"}},
        ),
    },
    "mongodb": {
        "near": ({"spot": (1.0, 2.0)}, {"spot": {"tuple"}}),
        "find": ({"search": "x"}, {"search": {*TEXTS, "texts", "too many"}}),
        "board_sums": ({"board": "b"}, {"board": NAMES}),
    },
}
"""By engine and pattern: values that it takes, and the kinds of value that each of them may be."""

PUTS: dict[str, dict[str, tuple[str, dict[str, Any], dict[str, set[str]]]]] = {
    "redis": {
        "put_ranked": (
            "Ranked",
            {"board": "b", "player": "p", "points": 1},
            {"board": NAMES, "player": NAMES, "points": {"one", "seven", "negative", "above", "level"}},
        ),
        "put_job": ("Job", {"queue": "q", "work": "w"}, {"queue": NAMES, "work": {*NAMES, "web text"}}),
        "put_stop": ("Stop", {"city": "c", "name": "n"}, {"city": NAMES, "name": NAMES, "spot": set()}),
        "put_tally": (
            "Tally",
            {"shop": "s", "visits": 1},
            {"shop": NAMES, "visits": {"one", "seven", "negative", "above", "level"}},
        ),
    },
    "mongodb": {
        "put_cafe": (
            "Cafe",
            {"name": "n", "menu": "m", "board": "b"},
            {"name": {*NAMES, "web text"}, "menu": {*NAMES, "web text"}, "board": NAMES, "spot": set()},
        ),
    },
}
"""By engine and pattern: the model, values of its fields, and the kinds of value that each field may be."""


def own_cells(opened: Opened) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Calls of structures and reads that one engine alone has, each with one wrong value in it."""
    models, db = opened.models, opened.db
    for name, (values, right) in OWN.get(opened.engine, {}).items():
        assert opened.serves(name), name
        for argument, kinds in right.items():
            for word, value in pool(models).items():
                if word not in kinds:
                    yield from _named(opened, name, f"{argument} {word}", values | {argument: value}, {})
    for name, (model, values, right) in PUTS.get(opened.engine, {}).items():
        for field, kinds in right.items():
            for word, value in pool(models).items():
                if word not in kinds:
                    broken = getattr(models, model).model_construct(**values | {field: value})
                    yield f"{name} {field} {word}", lambda name=name, broken=broken: getattr(models, name)(db, broken)
    yield from _increments(opened)


def _increments(opened: Opened) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Steps that leave no multiple, or that no whole number of the store holds."""
    key = {"k": "there"} if opened.engine == "mongodb" else {"owner": "o", "k": "there"}
    for by in (3, -1, 2**64 + 1, 2.5):
        yield from _named(opened, "fives", str(by), key, {"by": by})
    for by in (10**39, -(10**39), 1.5):
        yield from _named(opened, "wide", str(by), key, {"by": by})


def _keys(opened: Opened, models: Any, db: Any, key: dict[str, str]) -> Iterator[tuple[str, Callable[[], Any]]]:
    for word, value in wrong("k", models):
        for name, more in (
            ("get", {}),
            ("remove", {}),
            ("add", {"by": 1}),
            ("push", {"tags": "z"}),
            ("set_note", {"note": "z"}),
        ):
            yield from _named(opened, name, word, {**key, "k": value}, more)
        yield from _transact(opened, "both", word, models.Thing(k="new"), {**key, "k": value, "note": "z"})
        broken = models.Thing(k="new").model_copy(update={"k": value})
        yield f"put k {word}", lambda broken=broken: models.put(db, broken)
    for word, value in wrong("n", models, beside={"negative", "above", "none", "beyond 64 bits"}):
        yield from _named(opened, "add", word, key, {"by": value})
    for word, value in wrong("tags", models, beside=ELEMENTS["tags"]):
        yield from _named(opened, "push", word, key, {"tags": value})
    for word, value in wrong("note", models, beside={"none", "long text", "web text", *TEXTS}):
        yield from _named(opened, "of_owner", word, {"owner": value}, {})
        yield from _named(opened, "count", word, {"owner": value}, {})


def _named(
    opened: Opened, name: str, word: str, key: dict[str, Any], values: dict[str, Any]
) -> Iterator[tuple[str, Callable[[], Any]]]:
    if opened.serves(name):
        pattern = getattr(opened.models, name)
        yield f"{name} {word}", lambda: pattern(opened.db, **key, **values)


def _transact(
    opened: Opened, name: str, word: str, thing: BaseModel, values: dict[str, Any]
) -> Iterator[tuple[str, Callable[[], Any]]]:
    if opened.serves(name):
        pattern = getattr(opened.models, name)
        yield f"{name} {word}", lambda: pattern(opened.db, thing, values)


LEAST = {"dynamodb": 4000, "mongodb": 8000, "cassandra": 3000, "redis": 3000}
"""Cells that an engine has at the least: fewer mean that patterns are no longer served."""


def test_no_wrong_value_is_sent(opened: Opened) -> None:
    before, sent, count = opened.dump(), list[str](), 0
    for name, call in cells(opened):
        count += 1
        try:
            answer = call()
        except runtime.InvalidValue as error:
            if len(str(error)) < 600:  # a longer text would hold the value
                continue
            answer = error
        except Exception as error:  # noqa: BLE001  # all of them are shown at once
            answer = error
        sent.append(f"{name}: {type(answer).__name__} {str(answer)[:100]}")
    assert sent == [], "\n".join(sent)
    assert opened.dump() == before != []
    assert count > LEAST[opened.engine]


def test_every_right_value_is_written_and_read_back(opened: Opened) -> None:
    models, db = opened.models, opened.db
    values, key = pool(models), ({"k": "right"} if opened.engine == "mongodb" else {"owner": "o", "k": "right"})
    models.put(db, models.Thing(k="right"))
    for field in FIELDS:
        for word in RIGHT[field] - {"long text", "infinite", "nan", "decimal", "bytes", "beyond 64 bits"}:
            if not opened.serves(f"set_{field}") or (field, word) == ("anything", "none"):
                continue  # JSON's null is a value of an engine that has one
            getattr(models, f"set_{field}")(db, **key, **{field: values[word]})
            assert models.get(db, **key) is not None, (field, word)
    models.remove(db, **key)


MOST = {1: {"dynamodb": 10**38 - 1}, -1: {"dynamodb": 1 - 10**38, "mongodb": -(2**63), "redis": -(2**63)}}
"""The last whole number that a store counts to, by direction; 64 bits where nothing else is said."""


@pytest.mark.parametrize("sign", [1, -1])
def test_a_number_never_leaves_what_its_store_holds(opened: Opened, sign: int) -> None:
    if not opened.serves("wide"):
        assert opened.engine == "cassandra"  # which counts in counters alone
        return
    models, db = opened.models, opened.db
    most = MOST[sign].get(opened.engine, 2**63 - 1)
    key = {"k": "wide"} if opened.engine == "mongodb" else {"owner": "o", "k": "wide"}
    models.put(db, models.Thing(k="wide", wide=most - 2 * sign))
    assert models.wide(db, **key, by=2 * sign) == most
    for step in (1, 100, 2**62):
        with pytest.raises(runtime.ConditionFailed):
            models.wide(db, **key, by=sign * step)
    assert models.get(db, **key).wide == most
    assert models.fives(db, **key, by=-10) == -5
    models.remove(db, **key)


@pytest.mark.parametrize("size", [2_100, 70_000])
def test_keys_that_are_too_long_are_refused_by_name(opened: Opened, size: int) -> None:
    if not hasattr(opened.models, "Long") or (opened.engine == "cassandra" and size < 65_536):
        return
    models, db, before = opened.models, opened.db, opened.dump()
    for key, row in (("x" * size, "r"), ("k", "x" * size), ("ü" * (size // 2), "r")):
        side = {"side": "s"} if opened.engine == "cassandra" else {}
        calls = [
            lambda key=key, row=row: models.put_long(db, models.Long(key=key, row=row)),
            lambda key=key, row=row, side=side: models.get_long(db, key=key, row=row, **side),
            lambda key=key, row=row, side=side: models.remove_long(db, key=key, row=row, **side),
        ]
        if len(key) > 1:
            calls.append(lambda key=key, side=side: models.of_key(db, key=key, **side))
        for call in calls:
            with pytest.raises(runtime.InvalidValue, match="bytes"):
                call()
    if opened.engine == "cassandra":  # each part would do, both together are too long
        with pytest.raises(runtime.InvalidValue, match="bytes"):
            models.put_long(db, models.Long(key="x" * 40_000, side="y" * 40_000, row="r"))
    assert opened.dump() == before
