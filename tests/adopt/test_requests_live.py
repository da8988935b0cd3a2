"""Requests of plain clients, which servers remember, as evidence for access patterns."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from pymongo import MongoClient

from keywright.drivers.cassandra.driver import connect
from keywright.local import Running

pytestmark = pytest.mark.live

TABLES = (
    "CREATE TABLE requested.readings (sensor uuid, day date, at timestamp, value double, place text, "
    "PRIMARY KEY ((sensor, day), at)) WITH CLUSTERING ORDER BY (at DESC)",
    "CREATE TABLE requested.users (id uuid PRIMARY KEY, name text, visits int)",
    "CREATE TABLE requested.hits (page text PRIMARY KEY, hits counter)",
    "CREATE TABLE requested.sales (store text PRIMARY KEY, units counter, refunds counter)",
)
STATEMENTS = (
    "SELECT * FROM requested.readings WHERE sensor = ? AND day = ? LIMIT 50",
    "SELECT at, value FROM requested.readings WHERE day = ? AND sensor = ? AND at >= ? AND at < ?",
    "SELECT * FROM requested.readings WHERE token(sensor, day) > ? LIMIT ?",
    "SELECT * FROM requested.readings WHERE place = 'Elm Street 5' ALLOW FILTERING",
    "INSERT INTO requested.readings (sensor, day, at, value) VALUES (?, ?, ?, ?) USING TTL 600",
    "SELECT count(*) FROM requested.readings WHERE sensor = ? AND day = ?",
    "SELECT name FROM requested.users WHERE id = ?",
    "UPDATE requested.users SET name = ? WHERE id = ?",
    "INSERT INTO requested.users (id, name) VALUES (?, ?) IF NOT EXISTS",
    "DELETE FROM requested.users WHERE id = ?",
    "UPDATE requested.hits SET hits = hits + 1 WHERE page = ?",
    "UPDATE requested.sales SET units = units + ?, refunds = refunds + ? WHERE store = ?",
)


PATTERNS = (
    """\
# from a prepared statement: SELECT WHERE sensor = ? AND day = ?
readings_by_sensor_and_day = kw.Read(
    Reading, eq=["sensor", "day"], order="-at", limit=50
)
""",
    """\
# from a prepared statement: SELECT WHERE day = ? AND sensor = ? AND at >= ? AND at < ?
readings_by_sensor_day_and_at_in_range = kw.Read(
    Reading, eq=["sensor", "day"], range="at", excludes="last", limit=20
)
""",
    """\
# from a prepared statement: SELECT COUNT(*) WHERE sensor = ? AND day = ?
count_readings_by_sensor_and_day = kw.Count(Reading, eq=["sensor", "day"])
""",
    """\
# from a prepared statement: INSERT USING TTL ?
put_reading = kw.Put(Reading, ttl="given")
""",
    """\
# from a prepared statement: SELECT WHERE id = ?
# all reads of the table through one node: 3 in 1 day
user_by_id = kw.Get(User, eq="id")
""",
    "delete_user = kw.Delete(User)  # from a prepared statement: DELETE WHERE id = ?\n",
    """\
# from a prepared statement: INSERT IF NOT EXISTS
put_user = kw.Put(User, if_absent=True)
""",
    """\
# from a prepared statement: UPDATE SET name WHERE id = ?
set_name_of_user = kw.Update(User, sets="name")
""",
    """\
# from a prepared statement: UPDATE SET hits WHERE page = ?
increment_hits_of_hit = kw.Increment(Hit, "hits")
""",
    """\
# from a prepared statement: UPDATE SET units, refunds WHERE store = ?
increment_units_of_sale = kw.Increment(Sale, "units")
""",
    """\
# from a prepared statement: UPDATE SET units, refunds WHERE store = ?
increment_refunds_of_sale = kw.Increment(Sale, "refunds")
""",
)


def keywright(folder: Path, address: str, *words: str, exit_code: int = 0) -> str:
    environment = {
        **os.environ,
        "KEYWRIGHT_STORE_CASSANDRA": address,
        "KEYWRIGHT_STORE_MONGODB": address,
        "NO_COLOR": "1",
    }
    command = [sys.executable, "-m", "keywright", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == exit_code, done.stdout + done.stderr
    return done.stdout


def test_prepared_statements_of_cassandra_become_patterns(start: Callable[..., Running], tmp_path: Path) -> None:
    running = start("cassandra")
    driver = connect(running.url)
    session: Any = driver.observe().client
    replication = "{'class': 'NetworkTopologyStrategy', 'datacenter1': 1}"
    session.execute(f"CREATE KEYSPACE IF NOT EXISTS requested WITH replication = {replication}")
    try:
        for table in TABLES:
            session.execute(table)
        prepared = [session.prepare(text) for text in STATEMENTS]
        for _ in range(3):
            session.execute(prepared[6], [uuid4()])
        said = keywright(tmp_path, running.url, "adopt", running.url)
        models = (tmp_path / "models" / "requested.py").read_text()
        keywright(tmp_path, running.url, "check")
        keywright(tmp_path, running.url, "--env", "dev", "migrate", "baseline", "--from", "live")
        assert "no difference" in keywright(tmp_path, running.url, "migrate", "diff", "-m", "next")
    finally:
        driver.drop(["requested"])
        driver.close()
    assert "Elm Street" not in models + said
    gap = "not expressed: {}requests/Reading: no key or index serves a read by place, "
    gap += "from a prepared statement: SELECT WHERE place = ?"
    assert gap.format("cassandra/requested/") in said
    assert gap.format("") in models
    for lines in PATTERNS:
        assert lines in models


PROFILED = (
    """\
# from index "customer_1_placed_-1", used 9 times in 1 day
# in system.profile 5 times in 1 minute
orders_by_customer = kw.Read(Order, eq="customer", order="-placed", limit=10)
""",
    """\
# in system.profile 1 time in 1 minute
orders_by_customer_and_placed_in_range = kw.Read(
    Order, eq="customer", range="placed", excludes="last", limit=20
)
""",
    'order_by_id = kw.Get(Order, eq="id")  # in system.profile 1 time in 1 minute\n',
    'count_orders_by_customer = kw.Count(Order, eq="customer")\n',
    'set_state_of_order = kw.Update(Order, sets="state")',
    'increment_lines_of_order = kw.Increment(Order, "lines")',
    "put_order = kw.Put(Order)",
    "delete_order = kw.Delete(Order)",
    "# not expressed: requests/Order: no key or index serves a read by state, in system.profile 1 time in 1 minute\n",
)


def test_profiled_requests_of_mongodb_become_patterns(start: Callable[..., Running], tmp_path: Path) -> None:
    running = start("mongodb")
    client: MongoClient[Any] = MongoClient(running.url)
    client.drop_database("profiled")
    database = client["profiled"]
    try:
        orders = database["orders"]
        day = datetime(2026, 1, 1, tzinfo=UTC)
        orders.insert_many(
            {"_id": number, "customer": f"c{number % 7}", "placed": day, "state": "new", "lines": 1}
            for number in range(50)
        )
        orders.create_index([("customer", 1), ("placed", -1)])
        database.command("profile", 2)
        for _ in range(5):
            list(orders.find({"customer": "ann@example.com"}).sort("placed", -1).limit(10))
        list(orders.find({"customer": "ann@example.com", "placed": {"$gte": day, "$lt": day}}))
        list(orders.find({"_id": 5}))
        list(orders.find({"state": {"$in": ["new", "paid"]}}))
        list(orders.find({"$or": [{"customer": "a"}, {"state": "b"}]}))
        list(orders.find({"customer": {"$regex": "^a"}}))
        orders.count_documents({"customer": "c1"})
        list(orders.aggregate([{"$match": {"customer": "c1"}}, {"$sort": {"placed": -1}}, {"$limit": 3}]))
        orders.update_one({"_id": 5}, {"$set": {"state": "paid"}})
        orders.update_one({"_id": 5}, {"$inc": {"lines": 1}})
        orders.insert_one({"_id": 100, "customer": "c1", "placed": day, "state": "new", "lines": 1})
        orders.delete_one({"_id": 100})
        database.command("profile", 0)
        said = keywright(tmp_path, running.url, "adopt", running.url)
        models = (tmp_path / "models" / "profiled.py").read_text()
        models = re.sub(r"in \d+ minutes?", "in 1 minute", models)
        assert database.command("profile", -1)["was"] == 0
        keywright(tmp_path, running.url, "check")
        keywright(tmp_path, running.url, "--env", "dev", "migrate", "baseline", "--from", "live")
        assert "no difference" in keywright(tmp_path, running.url, "migrate", "diff", "-m", "next")
    finally:
        client.drop_database("profiled")
        client.close()
    assert "ann@example" not in models + said
    for lines in PROFILED:
        assert lines in models
