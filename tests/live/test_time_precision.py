"""Times with a declared precision on a real DynamoDB Local: the patterns are proved, and the items are as declared."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from tests.live.conftest import Start
from tests.projects import a_project, imported_alone, with_imports

from keywright import api, runtime
from keywright.api.live.local_servers import instance_of
from keywright.api.prove.prove import prove_on
from keywright.api.prove.scratch import Server
from keywright.drivers.dynamodb import driver as dynamodb

pytestmark = pytest.mark.live

MODELS = """
Millisecond = Annotated[AwareDatetime, kw.Precision("milliseconds")]
Second = Annotated[AwareDatetime, kw.Precision("seconds")]
Id = Annotated[str, Field(pattern="^[a-z0-9]{1,8}$"), kw.Cardinality(distinct=6)]

by_team = kw.Gsi("by_team", pk="team", sk="created_at")
by_change = kw.Gsi("by_change", pk="team", sk="changed_at")
by_moment = kw.Gsi("by_moment", pk="changed_at")
by_key = kw.Gsi("by_key", pk="gsi1pk", sk="gsi1sk")
app = kw.DynamoTable("app", gsis=[by_team, by_change, by_moment, by_key])


class Step(BaseModel):
    at: Millisecond
    done: Second | None = None


class Event(BaseModel):
    __store__: ClassVar = kw.Item(
        app,
        pk="USER#{user_id}",
        sk="EVENT#{created_at:iso}#{seen_at:iso}#{number}",
        gsis=[by_key.key(pk="TEAM#{team}", sk="AT#{changed_at:pad(13)}#{stamped_at:pad(10)}#{number}")],
        types={"changed_at": "N", "stamped_at": "N"},
    )

    user_id: Id
    team: Id
    number: Annotated[str, Field(pattern="^[0-9]{3}$")]
    created_at: Millisecond
    seen_at: Second
    changed_at: Millisecond
    stamped_at: Second
    read_at: Millisecond | None = None
    steps: Annotated[list[Step], Field(max_length=3)] = []
    times: Annotated[set[Millisecond], Field(max_length=3)] = set()
    by_time: Annotated[dict[Second, str], Field(max_length=2)] = {}


put_event = kw.Put(Event)
event = kw.Get(Event, eq=["user_id", "created_at", "seen_at", "number"])
events = kw.Read(Event, eq="user_id", range="created_at", order="created_at", limit=7)
newest = kw.Read(Event, eq="user_id", order="-created_at", limit=5)
seen = kw.Read(Event, eq=["user_id", "created_at"], range="seen_at", limit=7)
late = kw.Read(Event, eq="user_id", where={"stamped_at": kw.AtLeast(datetime(2026, 8, 1, tzinfo=UTC))}, limit=9)
changed = kw.Read(Event, eq="team", range="changed_at", order="-changed_at", limit=7)
changed_then = kw.Read(Event, eq="changed_at", limit=7)
created = kw.Read(Event, eq="team", range="created_at", order="created_at", limit=7)
mark = kw.Update(Event, sets="read_at")
unread = kw.Update(Event, unset="read_at")
add_time = kw.Update(Event, pushes="times")
drop = kw.Delete(Event)
"""
MODELS = "from datetime import UTC\n\n" + MODELS


def test_every_pattern_is_served_and_proved(start: Start, tmp_path: Path) -> None:
    running = start("dynamodb", "dynamodb")
    with imported_alone(tmp_path):
        a_project(tmp_path, {"models/case.py": with_imports(MODELS)})
        project = api.load(str(tmp_path))
        compiled = api.compile(project)
        instance = instance_of(compiled.targets[0])
        results = prove_on(project, compiled, [Server(instance, running.url, running.version)], scale=60)
    assert len(results) == len(project.design.patterns)
    problems = {
        result.row.pattern.name: result.proof.problems if result.proof else ["not served"] for result in results
    }
    assert not any(problems.values()), problems
