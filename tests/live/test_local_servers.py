"""All four servers, started and stopped for real on this machine."""

from pathlib import Path

import pytest

from keywright import local
from keywright.drivers import cassandra, dynamodb, mongodb, redis
from keywright.local import Event, Instance, Running, process, required_engines

pytestmark = pytest.mark.live

INSTANCES = (
    Instance("dynamodb", "dynamodb"),
    Instance("mongodb", "mongodb"),
    Instance("cassandra", "cassandra"),
    Instance("redis", "sessions"),
    Instance("redis", "leaderboards"),
)
DRIVERS = {"dynamodb": dynamodb, "mongodb": mongodb, "cassandra": cassandra, "redis": redis}


def test_every_server_that_can_be_had_starts_answers_and_stops(tmp_path: Path) -> None:
    folder, events = tmp_path / "local", list[Event]()
    try:
        answers = local.up(folder, INSTANCES, required=required_engines(local.RECIPES), tell=events.append)
        started = tuple(answer for answer in answers if isinstance(answer, Running))
        ready = {str(one.instance): DRIVERS[one.instance.engine].is_ready(one.url) for one in started}
        again = local.up(folder, INSTANCES, tell=events.append)
    finally:
        local.down(folder, tell=events.append)
    if not started:
        pytest.skip("; ".join(answer.reason for answer in answers if not isinstance(answer, Running)))
    assert ready == {str(one.instance): True for one in started}
    assert again == answers
    assert all(one.version for one in started)
    assert [one for one in started if one.pid and process.started_at(one.pid)] == []
    assert local.running(folder) == ()
