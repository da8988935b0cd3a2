"""Generated patterns on tables with every kind of key and index: what is called served answers as Python would.

The tables have what generated models lack: static columns, collections, texts made by templates, several indexes.
"""

import itertools
import random
from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any

import pytest
from pydantic import BaseModel
from tests.engines.cassandra import library
from tests.engines.cassandra.library import NOW
from tests.engines.cassandra.planning import a_pattern

from keywright import runtime
from keywright.access.path import AccessPath
from keywright.access.search import Planned, plan
from keywright.drivers.cassandra import driver as cassandra
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.schema.target import KeyspaceTarget
from keywright.engines.interface import Driver
from keywright.errors import UsageError
from keywright.local import Running
from keywright.migrations.run.runner import run
from keywright.record import Record, replace
from keywright.runtime.cassandra.execute import prepare
from keywright.runtime.validate.arguments import Arguments

pytestmark = pytest.mark.live

PATTERNS = 400
"""Patterns that are generated; somewhat less than half of them are served."""

FAR = 40
"""Buckets that a walk over the newest ones asks: more than there are."""

Value = Any
Condition = tuple[str, str, tuple[Value, ...]]


class Case(Record):
    """A pattern with the values of one call."""

    model: str
    kind: Any
    options: dict[str, Any]
    values: dict[str, Value]
    conditions: tuple[Condition, ...]


class Generator:
    """Draws patterns on the rows that are there."""

    def __init__(self, draw: random.Random, rows: dict[str, list[BaseModel]]) -> None:
        self.draw, self.rows = draw, rows
        self.conditions: list[Condition] = []
        self.values: dict[str, Value] = {}

    def case(self, model: str, keys: tuple[str, ...]) -> Case:
        self.conditions, self.values = [], {}
        draw, fields = self.draw, list(type(self.rows[model][0]).model_fields)
        lists = [name for name in fields if isinstance(getattr(self.rows[model][0], name), (set, list))]
        plain = [name for name in fields if name not in lists]
        kind = draw.choice(["read", "read", "read", "read", "get", "count"])
        equal = [name for name in keys if draw.random() < 0.6] or [keys[0]]
        equal += [draw.choice(plain)] if draw.random() < 0.3 else []
        equal = list(dict.fromkeys(equal))
        several = [equal.pop(draw.randrange(len(equal)))] if kind != "get" and draw.random() < 0.3 else []
        for name in equal:
            self.ask(name, "equals", (self.one(model, name),))
        for name in several:
            self.ask(name, "one_of", tuple(self.one(model, name) for _ in range(draw.randrange(4))))
        options: dict[str, Any] = {"eq": " ".join(equal), "one_of": " ".join(several), "fan_out": draw.choice([1, FAR])}
        rest = [name for name in plain if name not in self.values]
        if kind != "get":
            options |= self.selecting(model, rest, lists)
        if kind == "read":
            options |= {"order": self.order(keys), "limit": draw.choice([None, 1, 2, 7, 50])}
        options["where"] = self.where(model, [name for name in rest if name not in self.values])
        options["fields"] = " ".join(draw.sample(fields, 2)) if draw.random() < 0.2 else ""
        options["consistency"] = draw.choice(["eventual", "session", "strong"])
        return Case(model, kind, options, self.values, tuple(self.conditions))

    def ask(self, name: str, how: str, wanted: tuple[Value, ...]) -> None:
        self.conditions.append((name, how, wanted))
        self.values[name] = wanted[0] if how in ("equals", "prefix", "contains") else wanted

    def one(self, model: str, name: str) -> Value:
        values = [getattr(row, name) for row in self.rows[model] if getattr(row, name) is not None]
        return self.draw.choice(values)

    def selecting(self, model: str, rest: list[str], lists: list[str]) -> dict[str, Any]:
        draw, result = self.draw, dict[str, Any]()
        ranged = [name for name in rest if not isinstance(self.one(model, name), bool)]
        if ranged and draw.random() < 0.5:
            name = draw.choice(ranged)
            ends: list[Value] = sorted(self.one(model, name) for _ in range(2))
            if not isinstance(ends[0], date) and draw.random() < 0.3:
                ends[draw.randrange(2)] = None
            self.ask(name, "between", tuple(ends))
            result |= {"range": name, "span_seconds": 345_600 if isinstance(ends[0], datetime) else None}
        texts = [name for name in rest if name not in self.values and isinstance(self.one(model, name), str)]
        if texts and draw.random() < 0.2:
            result["prefix"] = draw.choice(texts)
            self.ask(result["prefix"], "prefix", (draw.choice(["", "a", "ab", "é", "i"]),))
        if lists and draw.random() < 0.5:
            how, name = draw.choice(["contains", "all_of", "exactly"]), draw.choice(lists)
            self.ask(name, how, tuple(draw.sample("abcd", 1 if how == "contains" else draw.randrange(1, 3))))
            result[how] = name
        return result

    def order(self, keys: tuple[str, ...]) -> str:
        open_keys = [name for name in keys if name not in self.values] or list(keys)
        chosen = open_keys[: self.draw.randrange(len(open_keys) + 1)]
        down = self.draw.random() < 0.5
        return " ".join(("-" if down != (self.draw.random() < 0.2) else "") + name for name in chosen)

    def where(self, model: str, rest: list[str]) -> dict[str, Any]:
        if not rest or self.draw.random() < 0.7:
            return {}
        name = self.draw.choice(rest)
        value = self.one(model, name)
        if not isinstance(value, (str, int)):
            return {}
        how = self.draw.choice(
            ["equals", "not", "present", "one_of"] + ["at_least", "below"] * (type(value) is not bool)
        )
        self.conditions.append((name, how, (value,)))
        return {name: (how, *(() if how == "present" else (value,)))}


def holds(value: Value, how: str, wanted: tuple[Value, ...]) -> bool:
    match how:
        case "present":
            return value is not None
        case "not":
            return bool(value != wanted[0])
        case "equals" | "one_of":
            return value in wanted
    if value is None:
        return False
    tests: dict[str, Callable[[], bool]] = {
        "between": lambda: (
            all(end is None for end in wanted)
            or ((wanted[0] is None or wanted[0] <= value) and (wanted[1] is None or value <= wanted[1]))
        ),
        "at_least": lambda: value >= wanted[0],
        "below": lambda: value < wanted[0],
        "prefix": lambda: value.startswith(wanted[0]),
        "contains": lambda: wanted[0] in value,
        "all_of": lambda: set(wanted) <= set(value),
        "exactly": lambda: set(wanted) == set(value),
    }
    return bool(tests[how]())


@pytest.fixture(scope="module")
def driver(start: Callable[..., Running]) -> Iterator[Driver]:
    connected = cassandra.connect(start("cassandra").url)
    yield connected
    connected.close()


@pytest.mark.parametrize("seed", range(2))
def test_what_is_served_answers_as_python_would(driver: Driver, start: Callable[..., Running], seed: int) -> None:
    tables, rows = library.bindings(), library.rows(random.Random(seed))
    version = start("cassandra").version
    environment = replace(ENGINE.localise(None, version), keyspace_prefix=f"g{seed}_")
    target = ENGINE.place(ENGINE.lower(library.a_design(tables))[0], environment)
    run(ENGINE.create(target), driver)
    for name, several in rows.items():
        driver.load(ENGINE.object_of(target, tables[name]), [runtime.to_item(instance) for instance in several])
    observed = driver.observe()
    codecs = {model.__name__: runtime.codec_of(model) for model in library.READ}
    draw = random.Random(seed)
    generator = Generator(draw, rows)
    served = 0
    for _ in range(PATTERNS):
        model = draw.choice(list(rows))
        case = generator.case(model, ENGINE.key_fields(target, tables[model]))
        planned = plan(ENGINE, target, tables[model], a_pattern(case.kind, **case.options))
        if not planned.is_served:
            continue
        call = prepare(planned, codecs)

        def ask(
            cursor: str | None, found: Planned[KeyspaceTarget] = planned, case: Case = case, call: Any = call
        ) -> Any:
            arguments = Arguments(case.values, limit=found.pattern.limit, cursor=cursor, now=NOW)
            answer = call(observed.client, arguments)
            returned = len(answer.items) if case.kind == "read" else int(answer or 0) if case.kind == "count" else 0
            assert list(ENGINE.verify_evidence(found, observed.events(), returned)) == [], case
            return answer

        instances = [
            row
            for row in rows[model]
            if all(holds(getattr(row, condition[0]), *condition[1:]) for condition in case.conditions)
        ]
        observed.events()
        try:
            compared(case, planned, ask, instances)
        except UsageError:  # a list without an element, a range without an end
            continue
        served += 1
    assert served > PATTERNS // 5


def compared(case: Case, planned: Planned[KeyspaceTarget], ask: Callable[[str | None], Any], wanted: list[Any]) -> None:
    fields = planned.pattern.fields or tuple(type(wanted[0]).model_fields if wanted else ())
    assert isinstance(planned.path, AccessPath)
    if case.kind == "count":
        assert ask(None) == len(wanted), case
    elif case.kind == "get":
        answer = ask(None)
        assert (answer is not None) == bool(wanted), case
        assert answer is None or told(answer, fields) in [told(entry, fields) for entry in wanted], case
    else:
        items, cursor = list[Any](), None
        for page in itertools.count():
            answer = ask(cursor)
            items, cursor = items + list(answer.items), answer.cursor
            if cursor is None:
                break
            assert len(answer.items) == planned.pattern.limit
            assert page < 400
        assert sorted(told(item, fields) for item in items) == sorted(told(entry, fields) for entry in wanted), case
        for name in reversed([] if planned.pattern.fields else planned.pattern.order):
            wanted.sort(key=lambda entry, name=name: getattr(entry, name.lstrip("-")), reverse=name.startswith("-"))
        keys = [] if planned.pattern.fields else [name.lstrip("-") for name in planned.pattern.order]
        assert [told(item, keys) for item in items] == [told(entry, keys) for entry in wanted], case


def told(item: Any, fields: Any) -> str:
    values = (getattr(item, name) for name in fields)
    return str([sorted(value) if isinstance(value, set) else value for value in values])
