"""A logical database of a real server with patterns that can be called, and what Python answers to them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

from redis import Redis
from tests.engines.redis import patterned
from tests.engines.redis.planning import Plans

from keywright import runtime
from keywright.access.path import AccessPath
from keywright.access.query import Condition, Query, request
from keywright.access.search import Planned
from keywright.declare.answers import Page
from keywright.drivers.redis import driver as driver_of
from keywright.engines.redis.engine import ENGINE
from keywright.engines.redis.schema.item import Scored
from keywright.engines.redis.schema.target import ServerTarget
from keywright.local import Running
from keywright.record import replace
from keywright.runtime.items.codec import Codec
from keywright.runtime.redis.execute import prepare
from keywright.runtime.validate.arguments import Arguments

Start = Callable[..., Running]


class Store:
    """Everything that a module declares, in one logical database."""

    def __init__(self, url: str, database: int, module: ModuleType, version: str) -> None:
        self.url = f"{url.rpartition('/')[0]}/{database}"
        self.driver = driver_of.connect(self.url)
        self.plans = Plans(str(module.__file__), vars(module), ENGINE.localise(None, version))
        self.module = module
        self.observed = self.driver.observe()
        self.codecs: dict[str, Codec[Any]] = {
            binding.name: runtime.codec_of(getattr(module, binding.name)) for binding in self.plans.design.bindings
        }
        self.items: list[Any] = []
        for target in self.plans.targets.values():
            for statement in ENGINE.create(target):
                if statement.object[0] == "streams":
                    self.driver.run(statement)

    def close(self) -> None:
        """Empty the database and end the connections."""
        self.driver.drop(["scratch"])
        self.driver.close()

    def load(self, instances: Iterable[Any]) -> None:
        """Write instances and remember them."""
        some = list(instances)
        self.items += some
        self.driver.load("x", [runtime.to_item(entry) for entry in some])

    def given(self, name: str, values: dict[str, Any], **more: Any) -> Arguments:
        """What a call gives, with the pattern's own limit and step where it says none."""
        pattern = self.plans.patterns[name]
        limit = more.pop("limit", pattern.limit or (1 if pattern.kind == "take" else None))
        return Arguments(values, limit=limit, by=more.pop("by", pattern.by), **more)

    def call(self, pattern: str, /, *items: Any, client: Any = None, **values: Any) -> Any:
        """Carry out a pattern."""
        more = {key: values.pop(key) for key in ("limit", "cursor", "by", "now", "parts") if key in values}
        arguments = self.given(pattern, values, items=items, **more)
        return self.prepared(self.plans[pattern])(client or self.observed.client, arguments)

    def prepared(self, planned: Planned[ServerTarget]) -> Any:
        """A planned pattern as a function."""
        return prepare(planned, self.codecs)

    def judged(self, name: str, answer: Any, planned: Planned[ServerTarget] | None = None) -> list[str]:
        """What disagrees in the evidence of the last call."""
        returned = len(answer.items) if isinstance(answer, Page) else 0
        return list(ENGINE.verify_evidence(planned or self.plans[name], self.observed.events(), returned))

    def pages(self, name: str, values: dict[str, Any], limit: int | None, **more: Any) -> Iterator[Page[Any]]:
        """All pages of a read."""
        planned, client = more.pop("planned", None) or self.plans[name], more.pop("client", self.observed.client)
        run, cursor = self.prepared(planned), None
        while True:
            page = run(client, self.given(name, values, limit=limit, cursor=cursor, **more))
            yield page
            if page.cursor is None:
                return
            cursor = page.cursor

    def expected(self, name: str, values: dict[str, Any]) -> list[Any]:
        """What Python answers to a read: all items, in order."""
        pattern, planned = self.plans.patterns[name], self.plans[name]
        query = request(pattern, ENGINE.key_fields(planned.target, planned.binding))
        return expected_of(self.items, query, Arguments(values))


def expected_of(items: list[Any], query: Query, arguments: Arguments) -> list[Any]:
    """What Python answers to a request: all items of its entity that fulfil it, in order."""
    of_class = [entry for entry in items if type(entry).__name__ == query.pattern.binding]
    result = [entry for entry in of_class if all(holds(entry, each, arguments) for each in query.conditions)]
    if query.order:
        # What has one value counts for nothing in an order, unless that is all of it.
        order = [ordering for ordering in query.order if query.fixed(ordering.field) is None] or query.order
        result.sort(key=lambda item: tuple(_ordered(item, order)))
    return result


class _Down:
    """A value that comes last when it is high."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: "_Down") -> bool:
        return bool(other.value < self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Down) and bool(other.value == self.value)


def _ordered(item: Any, order: Any) -> Iterator[Any]:
    """The values by which an item is ordered; members of a sorted set at last by their bytes."""
    for entry in order:
        value = getattr(item, entry.field)
        yield _Down(value) if entry.is_descending else value
    written = runtime.to_item(item).value
    if isinstance(written, Scored):
        member = str(written.member).encode()
        yield _Down(member) if order[0].is_descending else member


def holds(item: Any, condition: Condition, arguments: Arguments) -> bool:
    """Whether an item fulfils a condition, in plain Python."""
    value, expected = getattr(item, condition.field), arguments.of(condition)
    match condition.kind:
        case "equals":
            return bool(value == expected[0])
        case "one_of":
            return value in expected
        case "between":
            first, last = expected
            return value is not None and (first is None or value >= first) and (last is None or value <= last)
        case "at_least":
            return bool(value >= expected[0])
        case "below":
            return bool(value < expected[0])
        case "prefix":
            return value is not None and str(value).startswith(expected[0])
        case "not":
            return bool(value != expected[0])
        case "contains":
            return expected[0] in value
        case other:
            raise AssertionError(other)


def mutant(planned: Planned[ServerTarget], **changes: Any) -> Planned[ServerTarget]:
    """The same plan with something else in its call."""
    assert isinstance(planned.path, AccessPath)
    call: Any = planned.path.call
    return replace(planned, path=replace(planned.path, call=replace(call, **changes)))


def clients(url: str) -> dict[str, Any]:
    """An application's clients, in every form."""
    return {
        "text": Redis.from_url(url, decode_responses=True),
        "bytes": Redis.from_url(url),
        "text, protocol 2": Redis.from_url(url, decode_responses=True, protocol=2),
        "bytes, protocol 3": Redis.from_url(url, protocol=3),
    }


NOW = datetime(2026, 11, 21, 12, 30, tzinfo=UTC)


PRODUCTS = ("valkey", "redis")
"""What patterns are called on: Valkey of a wheel, and the installed redis-server, which is older."""


@contextmanager
def opened(start: Start, number: int, product: str = "valkey") -> Iterator[Store]:
    """A logical database of a server, emptied at the end."""
    server = start("redis", "patterns", product="" if product == "valkey" else product)
    store = Store(server.url, number, patterned, server.version)
    try:
        yield store
    finally:
        store.close()


def stored(store: Store, instance: Any) -> Any:
    """What is stored under the key of an instance."""
    return store.driver.stored("x", runtime.to_item(instance))
