"""Times to live and times of single writes on a real Cassandra 5.0.9."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel
from tests.engines.cassandra.planning import a_pattern
from tests.live.cassandra_world import COUNT
from tests.projects import STACK, a_project, imported_alone
from tests.servers import Start

import keywright as kw
from keywright import api, runtime
from keywright.access.search import plan
from keywright.api.live.local_servers import instance_of
from keywright.api.prove.prove import prove_on
from keywright.api.prove.scratch import Server
from keywright.drivers.cassandra import driver as cassandra
from keywright.engines.cassandra.engine import ENGINE
from keywright.frontend.lower import binding_of
from keywright.ir.design import Design
from keywright.migrations.run.runner import run
from keywright.record import replace
from keywright.runtime.cassandra.execute import prepare
from keywright.runtime.errors import Unstorable
from keywright.runtime.validate.arguments import Arguments

pytestmark = pytest.mark.live

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Memo(BaseModel):
    __store__: ClassVar = kw.CqlTable(kw.Keyspace("lifetimes"), "memos", partition="memo_id", ttl=timedelta(days=9))

    memo_id: str
    at: datetime
    text: str = "t"
    hint: str | None = None


class Lasting(BaseModel):
    __store__: ClassVar = kw.CqlTable(kw.Keyspace("lifetimes"), "lasting", partition="memo_id")

    memo_id: str
    text: str = "t"
    hint: str | None = None
    tags: list[str] = []


class Tables:
    """Two tables, one with a time to live."""

    def __init__(self, url: str, version: str) -> None:
        self.driver = cassandra.connect(url)
        found = [binding_of(model.__name__, model) for model in (Memo, Lasting)]
        bindings = [binding for binding in found if binding is not None]
        physical = bindings[0].physical
        self.bindings = {binding.name: replace(binding, physical=physical) for binding in bindings}
        tables = tuple(self.bindings.values())
        design = Design(tuple(table.entity for table in tables), (physical,), tables)
        environment = replace(ENGINE.localise(None, version), keyspace_prefix=f"l{next(COUNT)}_")
        self.target = ENGINE.place(ENGINE.lower(design)[0], environment)
        run(ENGINE.create(self.target), self.driver)
        self.observed = self.driver.observe()

    def call(self, model: type[BaseModel], kind: Any, arguments: Arguments, **options: Any) -> Any:
        """Run a pattern, whose evidence must agree with its path."""
        planned = plan(ENGINE, self.target, self.bindings[model.__name__], a_pattern(kind, **options))
        assert planned.is_served, planned.path
        self.observed.events()
        answer = prepare(planned, {name: runtime.codec_of(model) for name in ("", model.__name__)})(
            self.observed.client, arguments
        )
        assert list(ENGINE.verify_evidence(planned, self.observed.events(), answer is not None)) == []
        return answer

    def put(self, item: BaseModel, ttl: timedelta | None = None, **options: Any) -> None:
        self.call(type(item), "put", Arguments({}, items=(item,), ttl=ttl), **options)

    def get(self, model: type[BaseModel], memo_id: str) -> Any:
        return self.call(model, "get", Arguments({"memo_id": memo_id}))

    def value(self, expression: str, table: str, memo_id: str) -> Any:
        query = f"SELECT {expression} FROM {self.target.name}.{table} WHERE memo_id = '{memo_id}'"
        rows = list(self.observed.client.execute(query))
        return rows[0][0] if rows else None


@pytest.fixture(scope="module")
def tables(start: Start) -> Iterator[Tables]:
    server = start("cassandra")
    made = Tables(server.url, server.version)
    yield made
    made.driver.close()


def gone(tables: Tables, expression: str, table: str, memo_id: str) -> bool:
    """Whether a value disappears within some seconds."""
    deadline = time.monotonic() + 10
    while tables.value(expression, table, memo_id) is not None:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def test_a_put_has_the_time_to_live_of_its_pattern_or_of_its_call(tables: Tables) -> None:
    tables.put(Memo(memo_id="table", at=NOON))
    tables.put(Memo(memo_id="fixed", at=NOON), ttl_seconds=3_600)
    tables.put(Memo(memo_id="given", at=NOON), timedelta(seconds=59.5), is_ttl_given=True)
    tables.put(Memo(memo_id="new", at=NOON), ttl_seconds=60, if_absent=True)
    seconds = {memo_id: tables.value("TTL(text)", "memos", memo_id) for memo_id in ("table", "fixed", "given", "new")}
    assert 9 * 86_400 - 60 < seconds["table"] <= 9 * 86_400
    assert 3_540 < seconds["fixed"] <= 3_600
    assert 0 < seconds["given"] <= 60
    assert 0 < seconds["new"] <= 60


def test_a_row_is_gone_after_its_time(tables: Tables) -> None:
    tables.put(Lasting(memo_id="short"), ttl_seconds=1)
    assert gone(tables, "memo_id", "lasting", "short")
    assert tables.get(Lasting, "short") is None


def test_a_time_to_live_beyond_the_limit_is_not_sent(tables: Tables) -> None:
    with pytest.raises(Unstorable, match="630,720,000 seconds"):
        tables.put(Lasting(memo_id="long"), timedelta(days=8_000), is_ttl_given=True)


def test_the_values_of_an_update_expire_and_the_row_remains(tables: Tables) -> None:
    tables.put(Lasting(memo_id="typing", hint="old"))
    values = {"memo_id": "typing", "hint": "new"}
    tables.call(Lasting, "update", Arguments({**values, "tags": "a"}), sets="hint", pushes="tags", ttl_seconds=2)
    assert tables.get(Lasting, "typing") == Lasting(memo_id="typing", hint="new", tags=["a"])
    assert gone(tables, "hint", "lasting", "typing")
    assert gone(tables, "tags", "lasting", "typing")
    assert tables.get(Lasting, "typing") == Lasting(memo_id="typing")


def test_an_update_outlives_a_row_with_a_time_to_live(tables: Tables) -> None:
    """The evidence of CAS065."""
    tables.put(Lasting(memo_id="left"), ttl_seconds=1)
    tables.call(Lasting, "update", Arguments({"memo_id": "left", "hint": "stays"}), sets="hint")
    assert gone(tables, "text", "lasting", "left")
    assert tables.value("hint", "lasting", "left") == "stays"


def test_the_item_with_the_later_time_stays(tables: Tables) -> None:
    later = Memo(memo_id="timed", at=NOON + timedelta(microseconds=1), text="later")
    tables.put(later, timestamp="at")
    tables.put(Memo(memo_id="timed", at=NOON, text="earlier", hint="h"), timestamp="at", ttl_seconds=60)
    stored = tables.get(Memo, "timed")
    assert (stored.text, tables.value("WRITETIME(text)", "memos", "timed")) == ("later", 1_795_176_000_000_001)
    tables.put(Memo(memo_id="timed", at=NOON + timedelta(seconds=1), text="last"), timestamp="at")
    assert tables.get(Memo, "timed").text == "last"


def test_the_server_refuses_a_time_of_a_condition(tables: Tables) -> None:
    """The reason why an update has no timestamp=."""
    session, table = tables.observed.client, f"{tables.target.name}.lasting"
    with pytest.raises(Exception, match="custom timestamp"):
        session.execute(f"UPDATE {table} USING TIMESTAMP 1 SET hint = 'x' WHERE memo_id = 'a' IF EXISTS")


MODELS = """
from datetime import timedelta
from typing import Annotated, ClassVar

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw

desk = kw.Keyspace("desk")


class Presence(BaseModel):
    __store__: ClassVar = kw.CqlTable(desk, "presences", partition="user_id")

    user_id: Annotated[str, Field(pattern="^[a-z0-9]{1,8}$")]
    seen_at: AwareDatetime
    typing_in: str | None = None
    rooms: Annotated[list[str], Field(max_length=9)] = []


appear = kw.Put(Presence, ttl="given", timestamp="seen_at")
leave_note = kw.Put(Presence, ttl=timedelta(seconds=20))
type_in = kw.Update(Presence, sets="typing_in", ttl=timedelta(seconds=20))
enter = kw.Update(Presence, pushes="rooms", ttl="given")
presence = kw.Get(Presence)
"""


def test_writes_for_a_time_are_proved(start: Start, tmp_path: Path) -> None:
    running = start("cassandra")
    stack = STACK.replace("cassandra}", "cassandra, datacentres: {datacenter1: 1}}")
    with imported_alone(tmp_path):
        a_project(tmp_path, {"models/case.py": MODELS, "stacks/Pulumi.dev.yaml": stack})
        project = api.load(str(tmp_path))
        compiled = api.compile(project)
        instance = instance_of(compiled.targets[0])
        results = prove_on(project, compiled, [Server(instance, running.url, running.version)], scale=30)
    assert len(results) == len(project.design.patterns)
    problems = {
        result.row.pattern.name: result.proof.problems if result.proof else ["not served"] for result in results
    }
    assert not any(problems.values()), problems
