"""What is sent, as a person would send it."""

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

import pytest
from tests.engines.cassandra.designs import a_table
from tests.engines.cassandra.planning import a_pattern, placed, planned, together

import keywright as kw
from keywright.engines.cassandra.engine import ENGINE

ORDERS = a_table(
    "orders",
    {"at": datetime, "id": str, "state": Literal["new", "paid"], "total": int, "Note": str | None, "tags": list[str]},
    partition=["sensor", "month", "shard"],
    clustering=["-at", "id"],
    computed={"month": "{at:month}", "shard": "{id:shard(4)}"},
    indexes=[kw.CqlIndex("state"), kw.CqlIndex("tags"), kw.CqlIndex("total")],
)
TALLY = a_table("tally", {"day": str, "hits": int}, clustering="day", counters="hits")
TOKENS = a_table("tokens", {"ends": datetime}, ttl=timedelta(days=1))
TEXTY = a_table("texty", {"kind": str, "at": datetime}, clustering="line", computed={"line": "{kind}#{at:iso}"})
PRICED = a_table(
    "priced", {"price": int, "name": str}, schema_version=3,
    upgrades={1: kw.Upgrade(map={"name": {"a": "b"}}), 2: kw.Upgrade(map={"price": {"1": 2}})},
)  # fmt: skip

DRAWN = a_table(
    "drawn", {"at": datetime, "kind": str, "shape": Annotated[list[float], kw.Vector(2)]}, clustering="at",
    indexes=[kw.CqlIndex("shape"), kw.CqlIndex("kind")],
)  # fmt: skip

QUERIES: tuple[tuple[Any, str, dict[str, Any], Any], ...] = (
    (ORDERS, "read", {"eq": "sensor", "range": "at", "span_seconds": 86_400, "order": "-at", "limit": 5},
     {"statement": "SELECT sensor, at, id, state, total, \"Note\", tags FROM metrics.orders WHERE sensor = :sensor AND "
                   "month = '{at:month}' AND shard = '{id:shard(4)}' AND at >= :at_first AND at <= :at_last "
                   "ORDER BY at DESC, id ASC LIMIT 5",
      "for each": {"month": "each month between :at_first and :at_last, at most 2", "shard": "each of 4 shards"},
      "consistency": "LOCAL_ONE"}),
    (ORDERS, "get", {"consistency": "strong", "fields": "total"},
     {"statement": "SELECT total FROM metrics.orders WHERE sensor = :sensor AND month = '{at:month}' AND "
                   "shard = '{id:shard(4)}' AND at = :at AND id = :id", "consistency": "LOCAL_QUORUM"}),
    (ORDERS, "read", {"where": {"state": "new"}, "contains": "tags", "fields": "id", "limit": 3},
     {"statement": "SELECT sensor, month, shard, at, id FROM metrics.orders WHERE state = 'new' AND "
                   "tags CONTAINS :tags LIMIT 3", "consistency": "LOCAL_ONE"}),
    (ORDERS, "read", {"where": {"total": ("at_least", 5)}, "fields": "id"},
     {"statement": "SELECT sensor, month, shard, at, id FROM metrics.orders WHERE total >= 5",
      "consistency": "LOCAL_ONE"}),
    (ORDERS, "count", {"eq": "sensor month"},
     {"statement": "SELECT COUNT(*) FROM metrics.orders WHERE sensor = :sensor AND month = :month AND "
                   "shard = '{id:shard(4)}'", "for each": {"shard": "each of 4 shards"}, "consistency": "LOCAL_ONE"}),
    (ORDERS, "put", {"if_absent": True},
     {"statement": 'INSERT INTO metrics.orders (sensor, month, shard, at, id, "Note", state, tags, total) VALUES '
                   "(:sensor, '{at:month}', '{id:shard(4)}', :at, :id, :Note, :state, :tags, :total) IF NOT EXISTS",
      "consistency": "LOCAL_QUORUM", "serial consistency": "LOCAL_SERIAL"}),
    (ORDERS, "update",
     {"sets": "total", "pushes": "tags", "unset": "Note", "where": {"state": ("one_of", "new", "paid")}},
     {"statement": "UPDATE metrics.orders SET total = :total, \"Note\" = null, tags = tags + [:tags] WHERE "
                   "sensor = :sensor AND month = '{at:month}' AND shard = '{id:shard(4)}' AND at = :at AND id = :id "
                   "IF state IN ('new', 'paid')",
      "consistency": "LOCAL_QUORUM", "serial consistency": "LOCAL_SERIAL"}),
    (DRAWN, "read", {"eq": "sensor", "near": "shape", "where": {"kind": "k"}, "fields": "at", "limit": 3},
     {"statement": "SELECT at FROM metrics.drawn WHERE sensor = :sensor AND kind = 'k' ORDER BY shape ANN OF :shape "
                   "LIMIT 3", "consistency": "LOCAL_ONE"}),
    (DRAWN, "put", {"ttl_seconds": 60},
     {"statement": "INSERT INTO metrics.drawn (sensor, at, kind, shape) VALUES (:sensor, :at, :kind, :shape) "
                   "USING TTL 60", "consistency": "LOCAL_QUORUM"}),
    (DRAWN, "put", {"is_ttl_given": True, "timestamp": "at"},
     {"statement": "INSERT INTO metrics.drawn (sensor, at, kind, shape) VALUES (:sensor, :at, :kind, :shape) "
                   "USING TTL :ttl AND TIMESTAMP :at", "consistency": "LOCAL_QUORUM"}),
    (PRICED, "update", {"sets": "price"},
     {"statement": "UPDATE metrics.priced SET price = :price, kw_v = 3 WHERE sensor = :sensor IF kw_v = 3",
      "consistency": "LOCAL_QUORUM", "serial consistency": "LOCAL_SERIAL"}),
    (PRICED, "update", {"sets": "name", "where": {"name": "b"}},
     {"statement": "UPDATE metrics.priced SET name = :name WHERE sensor = :sensor IF name = 'b' AND kw_v IN (2, 3)",
      "consistency": "LOCAL_QUORUM", "serial consistency": "LOCAL_SERIAL"}),
    (TALLY, "increment", {"field": "hits", "consistency": "eventual"},
     {"statement": "UPDATE metrics.tally SET hits = hits + :by WHERE sensor = :sensor AND day = :day",
      "consistency": "LOCAL_ONE"}),
    (TALLY, "delete", {"eq": "sensor"},
     {"statement": "DELETE FROM metrics.tally WHERE sensor = :sensor", "consistency": "LOCAL_QUORUM"}),
    (TEXTY, "read", {"eq": "sensor kind", "range": "at", "order": "-at"},
     {"statement": "SELECT sensor, line, kind, at FROM metrics.texty WHERE sensor = :sensor AND "
                   "line >= '{kind}#{at_first:iso}' AND line <= '{kind}#{at_last:iso}' ORDER BY line DESC",
      "consistency": "LOCAL_ONE"}),
    (TEXTY, "read", {"eq": "sensor kind"},
     {"statement": "SELECT sensor, line, kind, at FROM metrics.texty WHERE sensor = :sensor AND "
                   "line >= '{kind}#' AND line < :line_end", "consistency": "LOCAL_ONE"}),
)  # fmt: skip
"""Table, kind, pattern, native form."""


@pytest.mark.parametrize(("table", "kind", "options", "expected"), QUERIES, ids=lambda value: str(value)[:40])
def test_a_pattern_is_shown_as_it_is_sent(table: Any, kind: Any, options: dict[str, Any], expected: Any) -> None:
    assert ENGINE.query(planned(table, kind, **options)) == expected


def test_a_transaction_is_shown_as_its_writes() -> None:
    result = together(placed(TOKENS, TALLY), (TOKENS, a_pattern("put", "a")), (TALLY, a_pattern("delete", "b")))
    assert ENGINE.query(result) == {
        "batch": [
            "INSERT INTO metrics.tokens (sensor, ends) VALUES (:sensor, :ends)",
            "DELETE FROM metrics.tally WHERE sensor = :sensor AND day = :day",
        ],
        "type": "LOGGED",
        "consistency": "LOCAL_QUORUM",
    }
