"""Counts of documents that block a change, by the server within a time limit; of a sample if the time is too short."""

import json
from datetime import timedelta
from typing import Any

from bson import json_util
from pymongo.errors import ExecutionTimeout

from keywright.engines.contract.counting import BlockingCount, Counted

MILLISECONDS = 10_000
"""Time limit of the server for a whole collection, and then for a sample of it."""
SAMPLE = 10_000
"""Documents of a sample."""
MOST = 1_000
"""The count at which counting ends."""


def counted(client: Any, question: BlockingCount) -> Counted | None:
    """See `Driver.counted`."""
    database, _, name = question.object.partition(".")
    definition: Any = json_util.loads(json.dumps(question.about))
    if not client[database].command("listCollections", filter={"name": name})["cursor"]["firstBatch"]:
        return None
    collection = client[database][name]
    match question.kind:
        case "violations":
            return _matching(collection, {"$nor": [definition]})
        case "expired":
            now = client.admin.command("hello")["localTime"]
            path = definition["key"][0][0]
            expired = {path: {"$lt": now - timedelta(seconds=definition["expireAfterSeconds"])}}
            return _matching(collection, {"$and": [expired, definition.get("partialFilterExpression", {})]})
        case "duplicates":
            return _duplicates(collection, definition)
        case _:
            return None


def _matching(collection: Any, query: dict[str, Any]) -> Counted | None:
    count: list[dict[str, Any]] = [{"$match": query}, {"$limit": MOST}, {"$count": "n"}]
    try:
        matches = _first(collection, count)
        return Counted(matches, is_more=matches == MOST)
    except ExecutionTimeout:
        pass
    try:
        sampled = min(SAMPLE, collection.estimated_document_count(maxTimeMS=MILLISECONDS))
        return Counted(_first(collection, [{"$sample": {"size": SAMPLE}}, *count]), sampled)
    except ExecutionTimeout:
        return None


def _duplicates(collection: Any, index: dict[str, Any]) -> Counted | None:
    """Documents that share a key with another one; a missing field counts as null, as in the index."""
    key = {f"k{at}": {"$ifNull": [f"${path}", None]} for at, (path, _) in enumerate(index["key"])}
    present_keys = [{path: {"$exists": True}} for path, _ in index["key"]] if index.get("sparse") else []
    pipeline: list[dict[str, Any]] = [
        {
            "$match": {
                "$and": [index.get("partialFilterExpression", {}), *([{"$or": present_keys}] if present_keys else [])]
            }
        },
        {"$group": {"_id": key, "n": {"$sum": 1}}},
        {"$match": {"n": {"$gt": 1}}},
        {"$group": {"_id": None, "n": {"$sum": "$n"}}},
    ]
    options = {"collation": index["collation"]} if index.get("collation") else {}
    try:
        return Counted(_first(collection, pipeline, allowDiskUse=True, **options))
    except ExecutionTimeout:
        return None


def _first(collection: Any, pipeline: list[dict[str, Any]], **options: Any) -> int:
    rows = list(collection.aggregate(pipeline, maxTimeMS=MILLISECONDS, **options))
    return int(rows[0]["n"]) if rows else 0
