"""KillrVideo, DataStax' sample application, as an oracle: its tables, and its own queries with what becomes of them."""

import re
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from pydantic import create_model
from tests.engines.cassandra.planning import a_pattern, placed, planned, together, verdict

import keywright as kw
from keywright.access.search import smallest_fix
from keywright.engines.cassandra.engine import ENGINE
from keywright.frontend.lower import binding_of
from keywright.ir.binding import Binding

CORPUS = Path(__file__).parents[4] / "shared" / "corpora" / "cassandra" / "killrvideo" / "schema-v4.cql"

pytestmark = pytest.mark.skipif(not CORPUS.is_file(), reason="the corpus is not here")

TYPES: dict[str, Any] = {
    "text": str, "int": int, "float": float, "boolean": bool, "uuid": UUID, "timeuuid": UUID, "timestamp": datetime,
    "date": date, "counter": int, "set<text>": set[str],
}  # fmt: skip

MIXED = "user_credentials"
"""A table of the corpus that no server takes: a counter beside other columns."""


@cache
def tables() -> dict[str, Binding]:
    """The tables of the schema as models."""
    text = re.sub(r"--.*", "", CORPUS.read_text(encoding="utf-8"))
    indexes = re.findall(r"CREATE INDEX IF NOT EXISTS \w+ ON killrvideo\.(\w+)\((\w+)\)", text)
    bindings: dict[str, Binding] = {}
    for name, body, order in re.findall(r"TABLE IF NOT EXISTS killrvideo\.(\w+) \((.*?)\n\)(.*?);", text, re.DOTALL):
        if name != MIXED:
            bindings[name] = a_binding(name, body, order, [column for table, column in indexes if table == name])
    return bindings


def a_binding(name: str, body: str, order: str, indexed: list[str]) -> Binding:
    columns = re.findall(r"^\s*(\w+) (set<text>|\w+)(.*?),?\s*$", body, re.MULTILINE)
    columns = [column for column in columns if column[0] != "PRIMARY"]
    key = re.search(r"PRIMARY KEY \((?:\(([^)]*)\)|(\w+)),?([^)]*)\)", body)
    partition = (
        re.findall(r"\w+", key[1] or key[2]) if key else [entry for entry, _, rest in columns if "PRIMARY" in rest]
    )
    clustering = re.findall(r"\w+", key[3]) if key else []
    down = re.findall(r"(\w+) DESC", order)
    types = {column: kind for column, kind, _ in columns}
    required = {*partition, *clustering, *(column for column, kind in types.items() if kind == "counter")}
    fields: dict[str, Any] = {
        column: (TYPES[kind], ...) if column in required else (TYPES[kind] | None, None)
        for column, kind in types.items()
    }
    model = create_model("".join(word.title() for word in name.split("_")), **fields)
    store = kw.CqlTable(
        kw.Keyspace("killrvideo"),
        name,
        partition=partition,
        clustering=[f"-{column}" if column in down else column for column in clustering],
        static=[column for column, _, rest in columns if "static" in rest],
        counters=[column for column, kind in types.items() if kind == "counter"],
        types={column: "timeuuid" for column, kind in types.items() if kind == "timeuuid"},
        indexes=[kw.CqlIndex(column, using="legacy") for column in indexed],
    )
    binding = binding_of(model.__name__, kw.bind(model, store))
    assert binding is not None
    return binding


QUERIES: tuple[tuple[str, str, dict[str, Any], str], ...] = (
    # Its own queries are refused, for they filter; a condition on one row is judged once it is read.
    ("videos", "get", {"eq": "videoid", "where": {"name": "x"}}, "table videos, none, 1 residual name"),
    ("videos", "read", {"eq": "videoid", "contains": "tags"}, "table videos, none, 1 residual tags"),
    ("videos", "read", {"eq": "videoid", "all_of": "tags"}, "table videos, none, 1 residual tags"),
    # "Find videos added in the last 30 days": refused by the server too.
    ("videos", "read", {"range": "added_date"}, 'no key or index of "videos" starts with "added_date"'),
    ("video_playback_stats", "get", {"eq": "videoid"}, "table video_playback_stats, none, 1"),
    ("latest_videos", "read", {"eq": "day", "order": "-added_date", "limit": 5}, "table latest_videos, index, 1"),
    ("user_videos", "read", {"eq": "userid", "order": "-added_date"}, "table user_videos, index, 1"),
    ("comments_by_user", "read", {"eq": "userid"}, "table comments_by_user, none, 1"),
    ("comments", "read", {"eq": "videoid", "order": "-commentid"}, "table comments, index, 1"),
    ("users", "read", {"eq": "email"}, "index users_email_idx, none, 1"),
    ("users", "read", {"where": {"account_status": "active"}}, "index users_account_status_idx, none, 1"),
    ("user_activity", "read", {"eq": "userid day"}, "table user_activity, none, 1"),
    ("user_activity", "read", {"eq": "userid day activity_type", "order": "-activity_timestamp"},
     "table user_activity, index, 1"),
    ("user_activity", "read", {"eq": "userid day", "order": "-activity_timestamp"},
     'rows are ordered by "activity_type", "activity_timestamp", "activity_id", and an order must start with the '
     "first"),
    # Its own query is refused by the server: the rating is no clustering column.
    ("video_recommendations", "read", {"eq": "userid", "order": "-added_date -rating"},
     'rows are ordered by "added_date", and an order must start with the first'),
    ("video_recommendations_by_video", "read", {"eq": "videoid", "order": "-rating"},
     'the server orders "userid" differently from Python: declare a text type in types='),
    ("videos", "update", {"pushes": "tags"}, "table videos, none, 1"),
    ("video_ratings", "increment", {"field": "rating_total"}, "table video_ratings, none, 1"),
    ("tags_by_letter", "read", {"eq": "first_letter", "prefix": "tag", "order": "tag"},
     "table tags_by_letter, index, 1"),
)  # fmt: skip
"""Table, kind, pattern, verdict: the queries of schema-v4-query-examples.cql, and what its tables are made for."""


@pytest.mark.parametrize(("table", "kind", "options", "expected"), QUERIES, ids=str)
def test_a_query_of_the_application(table: str, kind: Any, options: dict[str, Any], expected: str) -> None:
    assert verdict(planned(tables()[table], kind, **options)) == expected


def test_a_comment_is_written_to_both_of_its_tables_together() -> None:
    comments, by_user = tables()["comments"], tables()["comments_by_user"]
    result = together(placed(comments, by_user), (comments, a_pattern("put", "a")), (by_user, a_pattern("put", "b")))
    assert verdict(result) == "table comments and comments_by_user, none, 2"


def test_recent_videos_are_helped_by_an_index_that_the_application_has_not() -> None:
    fix = smallest_fix(ENGINE, planned(tables()["videos"], "read", range="added_date"))
    assert fix is not None
    assert fix.text == 'kw.CqlIndex("added_date")'
