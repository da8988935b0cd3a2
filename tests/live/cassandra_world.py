"""Tables with rows on a real Cassandra, and patterns called on them as an application calls them."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel
from tests.engines.cassandra import library
from tests.engines.cassandra.library import NOW
from tests.engines.cassandra.planning import a_pattern
from tests.servers import Start

from keywright import runtime
from keywright.access.search import Planned, plan
from keywright.drivers.cassandra import driver as cassandra
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.schema.target import KeyspaceTarget
from keywright.engines.interface import ClientEvent, Driver, Observed
from keywright.ir.binding import Binding
from keywright.migrations.run.runner import run
from keywright.record import Record, replace
from keywright.runtime.cassandra.execute import prepare
from keywright.runtime.validate.arguments import Arguments

COUNT = itertools.count()


class World(Record):
    """A keyspace with all tables of the library and rows in them."""

    driver: Driver
    target: KeyspaceTarget
    tables: dict[str, Binding]
    rows: dict[str, list[BaseModel]]
    observed: Observed

    def planned(self, model: str, kind: Any, **options: Any) -> Planned[KeyspaceTarget]:
        result = plan(ENGINE, self.target, self.tables[model], a_pattern(kind, **options))
        assert result.is_served, result.path
        return result

    def call(self, planned: Planned[KeyspaceTarget], values: dict[str, Any] | None = None, **given: Any) -> Any:
        """The answer of a call; its evidence must agree with the path."""
        answer, complaints, _ = self.judged(planned, values, **given)
        assert complaints == []
        return answer

    def judged(
        self, planned: Planned[KeyspaceTarget], values: dict[str, Any] | None = None, **given: Any
    ) -> tuple[Any, list[str], tuple[ClientEvent, ...]]:
        self.observed.events()
        codecs = {model.__name__: runtime.codec_of(model) for model in library.MODELS}
        options = {"now": NOW, "limit": planned.pattern.limit, "by": planned.pattern.by, **given}
        answer = prepare(planned, codecs)(self.observed.client, Arguments(values or {}, **options))
        events = self.observed.events()
        returned = len(answer.items) if hasattr(answer, "items") else 0 if answer is None else 1
        return answer, list(ENGINE.verify_evidence(planned, events, returned)), events

    def pages(self, planned: Planned[KeyspaceTarget], values: dict[str, Any], **given: Any) -> list[Any]:
        """The items of all pages."""
        items: list[Any] = []
        cursor = None
        while True:
            page = self.call(planned, values, cursor=cursor, **given)
            items += page.items
            cursor = page.cursor
            if cursor is None:
                return items
            assert len(page.items) == planned.pattern.limit

    def put(self, *items: BaseModel, **options: Any) -> None:
        self.call(self.planned(type(items[0]).__name__, "put", **options), items=items)

    def stored(self, item: BaseModel) -> Any:
        """What the store holds under an instance's key, and what it should hold."""
        native = runtime.to_item(item)
        return self.driver.stored(ENGINE.object_of(self.target, self.tables[type(item).__name__]), native)

    def is_stored(self, item: BaseModel) -> bool:
        return bool(self.stored(item) == dict(runtime.to_item(item)))


@pytest.fixture(scope="module")
def world(start: Start) -> Iterator[World]:
    """The tables with their rows, on a running server."""
    server = start("cassandra")
    driver = cassandra.connect(server.url)
    tables = library.bindings()
    environment = replace(ENGINE.localise(None, server.version), keyspace_prefix=f"p{next(COUNT)}_")
    target = ENGINE.place(ENGINE.lower(library.a_design(tables))[0], environment)
    run(ENGINE.create(target), driver)
    rows = library.rows(random.Random(7))
    for name, several in rows.items():
        items = [runtime.to_item(instance) for instance in several]
        assert driver.load(ENGINE.object_of(target, tables[name]), items) == len(several)
    yield World(driver, target, tables, rows, driver.observe())
    driver.close()


def named(items: list[Any]) -> list[str]:
    """Items in a form that is ordered."""
    return sorted(
        str({key: sorted(value) if isinstance(value, set) else value for key, value in dict(item).items()})
        for item in items
    )


def series(world: World, **values: Any) -> list[Any]:
    return [row for row in world.rows["Series"] if all(getattr(row, key) == value for key, value in values.items())]
