"""Masked columns on a real Cassandra: what is applied is reported, and changes."""

from datetime import date
from typing import Any

import pytest
from tests.engines.cassandra.designs import a_keyspace, a_table
from tests.live.conftest import Start

from keywright.drivers.cassandra import driver as cassandra
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.schema.target import KeyspaceTarget
from keywright.migrations.run.runner import run
from keywright.record import replace

pytestmark = pytest.mark.live

FIELDS: dict[str, Any] = {"mail": str, "level": int, "digest": bytes, "tags": set[str], "born": date, "title": str}
OPTIONS: dict[str, Any] = {"clustering": "level", "static": "title"}
FIRST = {
    "mail": "MASK_INNER( 1, null )", "level": "mask_replace(-1)", "digest": "mask_hash('SHA-512')",
    "tags": "mask_null()",
    "born": "mask_replace('2000-01-01')", "title": "mask_default()",
}  # fmt: skip
SECOND = {"mail": "mask_outer(2, null, '#')", "level": "mask_replace(-1)", "added": "mask_default()"}


def a_target(environment: Any, fields: dict[str, Any], masked: dict[str, str]) -> KeyspaceTarget:
    return replace(ENGINE.place(a_keyspace(a_table(fields=fields, masked=masked, **OPTIONS)), environment), shape=())


def test_masks_are_applied_changed_and_removed(start: Start) -> None:
    server = start("cassandra")
    driver = cassandra.connect(server.url)
    environment = replace(ENGINE.localise(None, server.version), keyspace_prefix="masks_")
    others = {name: kind for name, kind in FIELDS.items() if name != "tags"}
    steps = [
        a_target(environment, FIELDS, FIRST),
        a_target(environment, {**others, "added": str}, SECOND),
        a_target(environment, {**others, "added": str}, {}),
    ]
    before = None
    for step in steps:
        statements = ENGINE.migrate(before, step) if before else ENGINE.create(step)
        assert {done.outcome for done in run(statements, driver)} == {"made"}
        reported = driver.introspect([step.name])[step.name]
        assert reported is not None
        assert reported["native"] == ENGINE.describe(step)["native"]
        assert {done.outcome for done in run(ENGINE.create(step), driver)} == {"kept"}
        before = step
    driver.drop(["masks_metrics"])
    driver.close()
