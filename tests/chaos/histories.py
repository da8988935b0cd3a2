"""Copies of a store's history, with or without its items, and how a restored backup puts them back."""

import json
from collections.abc import Callable
from typing import Any

from .project import CLIENTS, PREFIX, Project

Restore = Callable[[], None]


def backup(project: Project, *, with_items: bool) -> Restore:
    """Copy the history of a store with its lock, and all items if wanted; the function puts the copy back."""
    return _BACKUPS[project.engine](CLIENTS[project.engine](project.url), with_items)


def _mongodb(client: Any, with_items: bool) -> Restore:
    database = client[f"{PREFIX}chaos"]
    names = ["_kw_lock", "_kw_history", *(["things"] if with_items else [])]
    kept = {name: list(database[name].find()) for name in names}

    def restore() -> None:
        for name, documents in kept.items():
            database[name].delete_many({})
            if documents:
                database[name].insert_many(documents)
        client.close()

    return restore


def _dynamodb(client: Any, with_items: bool) -> Restore:
    tables = [f"{PREFIX}kw-history", *([f"{PREFIX}chaos"] if with_items else [])]

    def scanned(table: str) -> list[Any]:
        pages = client.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
        return [item for page in pages for item in page["Items"]]

    kept = {table: scanned(table) for table in tables}

    def restore() -> None:
        for table, items in kept.items():
            keys = [part["AttributeName"] for part in client.describe_table(TableName=table)["Table"]["KeySchema"]]
            for item in scanned(table):
                client.delete_item(TableName=table, Key={name: item[name] for name in keys})
            for item in items:
                client.put_item(TableName=table, Item=item)
        client.close()

    return restore


def _cassandra(session: Any, with_items: bool) -> Restore:
    tables = [f"{PREFIX}kw_meta.history", *([f"{PREFIX}chaos.things"] if with_items else [])]
    kept = {table: [row[0] for row in session.execute(f"SELECT JSON * FROM {table}")] for table in tables}

    def restore() -> None:
        for table, rows in kept.items():
            session.execute(f"TRUNCATE {table}")
            for text in rows:
                row = {name: value for name, value in json.loads(text).items() if value is not None}
                # The history is written by Paxos, which plain writes must not be mixed with.
                guard = " IF NOT EXISTS" if table.endswith("kw_meta.history") else ""
                session.execute(f"INSERT INTO {table} JSON %s{guard}", [json.dumps(row)])
        session.cluster.shutdown()

    return restore


def _redis(client: Any, with_items: bool) -> Restore:
    patterns = ["kw:*", *(["thing:*"] if with_items else [])]
    kept = {key: client.dump(key) for pattern in patterns for key in client.scan_iter(pattern)}

    def restore() -> None:
        for pattern in patterns:
            for key in client.scan_iter(pattern):
                client.delete(key)
        for key, value in kept.items():
            client.restore(key, 0, value)
        client.close()

    return restore


_BACKUPS: dict[str, Callable[[Any, bool], Restore]] = {
    "cassandra": _cassandra, "dynamodb": _dynamodb, "mongodb": _mongodb, "redis": _redis,
}  # fmt: skip
