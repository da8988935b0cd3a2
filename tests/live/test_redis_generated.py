"""Patterns that nobody thought of: what is called served returns exactly what Python answers, page by page."""

import random
from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any

import pytest
from tests.engines.redis import patterned as p
from tests.live.redis_data import instances
from tests.live.redis_store import Store, expected_of, opened

from keywright.access.path import AccessPath
from keywright.access.query import request
from keywright.access.search import plan
from keywright.declare.answers import Page
from keywright.engines.redis.access.layout import layout_of
from keywright.engines.redis.engine import ENGINE
from keywright.errors import NOWHERE
from keywright.ir.pattern import ConstantCondition, Pattern
from keywright.local import Running
from keywright.record import replace
from keywright.runtime.redis.execute import prepare
from keywright.runtime.validate.arguments import Arguments

pytestmark = pytest.mark.live

COUNT = 500
SEED = 20261121

ENTITIES: list[type[Any]] = [p.User, p.Note, p.Event, p.Bid, p.Number, p.Friend, p.Step, p.Line, p.Seat]
KEYS: dict[type[Any], tuple[str, ...]] = {
    p.User: ("name",), p.Note: ("status", "note_id"), p.Event: ("room", "at"), p.Bid: ("lot",), p.Friend: ("who",),
    p.Step: ("run",), p.Seat: ("hall", "number"),
}  # fmt: skip
"""Fields that a pattern of the entity had better name."""

ORDERED = (str, int, float, datetime, date)


@pytest.fixture(scope="module")
def store(start: Callable[..., Running]) -> Iterator[Store]:
    with opened(start, 7) as created:
        created.load(
            instance
            for instance in instances()
            if not (isinstance(instance, p.Friend) and instance.who == "w" and len(instance.name) > 2)
        )
        yield created


def generated(draw: random.Random, items: list[Any]) -> tuple[Pattern, dict[str, Any]]:
    """A pattern of an entity, and what one call of it gives; about half of them name the key."""
    example = draw.choice(items)
    fields = [name for name in type(example).model_fields if isinstance(getattr(example, name), ORDERED)]
    chosen = draw.sample(fields, draw.randint(0, min(3, len(fields))))
    chosen += [name for name in KEYS.get(type(example), ()) if name not in chosen and draw.random() < 0.8]
    values: dict[str, Any] = {}
    eq, one_of, where = [], [], []
    range_ = prefix = None
    for name in chosen:
        value = getattr(example, name)
        others = [getattr(entry, name) for entry in draw.sample(items, min(6, len(items)))]
        match draw.choice(("eq", "eq", "eq", "one_of", "range", "prefix", "where")):
            case "one_of":
                one_of.append(name)
                values[name] = [value, *others[:3]]
            case "range" if range_ is None and not isinstance(value, bool) and value is not None:
                range_ = name
                ends = sorted(entry for entry in (value, others[0]) if entry is not None)
                values[name] = (ends[0], draw.choice((ends[-1], ends[-1], None)))
                if not isinstance(value, (datetime, date)) and draw.random() < 0.2:
                    values[name] = (None, ends[-1])
            case "prefix" if prefix is None and isinstance(value, str):
                prefix = name
                values[name] = value[: draw.randint(0, 2)]
            case "where" if not isinstance(value, datetime):
                where.append(ConstantCondition(name, draw.choice(("equals", "not")), (value,)))
            case _:
                eq.append(name)
                values[name] = value
    order = tuple(
        draw.choice(("", "-")) + name for name in draw.sample(fields, min(len(fields), draw.choice((0, 0, 1, 1, 2))))
    )
    if order and draw.random() < 0.5:
        order = tuple(order[0][: order[0].startswith("-")] + name.removeprefix("-") for name in order)
    kind = draw.choice(("read", "read", "read", "count", "get"))
    if kind == "get" and (not eq or one_of or range_ or prefix):
        kind = "read"  # a get chooses by equality, and means the key where it names no field
    pattern = Pattern(
        "generated", kind, "", type(example).__name__, NOWHERE,
        eq=tuple(eq), one_of=tuple(one_of), range=range_, prefix=prefix, where=tuple(where), order=order,
        span_seconds=86_400, limit=draw.choice((None, 1, 3, 10)), fan_out=draw.choice((1, 4)),
    )  # fmt: skip
    return (replace(pattern, order=()) if pattern.kind != "read" else pattern), values


def test_what_is_served_is_what_python_answers(store: Store) -> None:
    draw = random.Random(SEED)
    served: dict[str, int] = {}
    for number in range(COUNT):
        chosen = draw.choice(ENTITIES)
        pattern, values = generated(draw, [item for item in store.items if isinstance(item, chosen)])
        binding = next(binding for binding in store.plans.design.bindings if binding.name == pattern.binding)
        planned = plan(ENGINE, store.plans.target(binding.name), binding, pattern)
        if not isinstance(planned.path, AccessPath):
            continue
        served[pattern.binding] = served.get(pattern.binding, 0) + 1
        query = request(pattern, ENGINE.key_fields(planned.target, binding))
        arguments = Arguments(
            {condition.field: values[condition.field] for condition in query.conditions if condition.is_given}
        )
        expected = expected_of(store.items, query, arguments)
        run, client = prepare(planned, store.codecs), store.observed.client
        story = (number, pattern, values)
        if any(slot.kind == "recent" for slot in _slots(planned.path)):
            continue  # goes by the clock
        if pattern.kind == "count":
            assert (story, run(client, arguments)) == (story, len(expected))
        elif pattern.kind == "get":
            result = run(client, arguments)
            assert (story, result in expected if expected else result) == (story, True if expected else None)
        else:
            arguments = replace(arguments, limit=pattern.limit)
            store.observed.events()
            first = run(client, arguments)
            disagreeing = list(ENGINE.verify_evidence(planned, store.observed.events(), len(first)))
            assert (story, disagreeing) == (story, [])
            pages = list(_pages(run, client, arguments))
            answer = [item for page in pages for item in page]
            keys = [ordering.field for ordering in query.order if query.fixed(ordering.field) is None]
            assert [[getattr(entry, key) for key in keys] for entry in answer] == [
                [getattr(entry, key) for key in keys] for entry in expected
            ]
            if not (keys and _is_ranked(store, pattern)):
                answer, expected = sorted(answer, key=repr), sorted(expected, key=repr)
            assert (story, answer) == (story, expected)
        store.observed.events()
    assert len(served) == len(ENTITIES)
    assert sum(served.values()) > COUNT / 5


def _slots(path: AccessPath) -> tuple[Any, ...]:
    keys: Any = getattr(path.call, "keys", None)
    return keys.filled.slots if keys is not None else ()


def _is_ranked(store: Store, pattern: Pattern) -> bool:
    """Whether equal items come in an order that is promised: by member, in a sorted set read by its score."""
    binding = next(binding for binding in store.plans.design.bindings if binding.name == pattern.binding)
    layout = layout_of(store.plans.target(binding.name), binding)
    return layout is not None and layout.kind == "sorted set" and not pattern.one_of


def _pages(run: Any, client: Any, arguments: Arguments) -> Iterator[Page[Any]]:
    while True:
        page = run(client, arguments)
        assert arguments.limit is None or len(page) <= arguments.limit
        yield page
        if page.cursor is None:
            return
        arguments = replace(arguments, cursor=page.cursor)
