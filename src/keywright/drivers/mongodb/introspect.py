"""Live databases as descriptions."""

import json
from typing import Any

from keywright.drivers.translate_errors import not_installed
from keywright.engines.interface import Description
from keywright.engines.mongodb.schema import reported
from keywright.ir.json import Json

try:
    from bson import json_util
    from pymongo.errors import OperationFailure
except ImportError as error:
    raise not_installed("mongodb") from error

_FIRST_BATCH = 1000
"""Documents of a first batch: more than the indexes that a collection may have."""


def introspect(mongo_client: Any, name: str) -> Description:
    """The description of a database; a missing database is one without collections, as for the server."""
    entries = [
        entry for entry in mongo_client[name].list_collections() if not reported.is_hidden_collection(entry["name"])
    ]
    indexes: dict[str, Json] = {}
    for entry in entries:
        if described := _indexes(mongo_client[name], entry):
            indexes[entry["name"]] = described
    collections: dict[str, Json] = {entry["name"]: reported.collection(_to_json(entry)) for entry in entries}
    return {"name": name, "generation": 1, "native": {"collections": collections, "indexes": indexes}, "shape": {}}


def _indexes(database: Any, entry: dict[str, Any]) -> dict[str, Json]:
    """Descriptions of a collection's indexes without that on `_id`; unfinished builds are marked."""
    descriptions: dict[str, Json] = {}
    for index in _list_indexes(database, entry):
        name, described = reported.index(_to_json(index.get("spec", index)))
        if name != "_id_" and not described.get("clustered"):
            descriptions[name] = {**described, "building": True} if "indexBuildInfo" in index else described
    return descriptions


def _list_indexes(database: Any, entry: dict[str, Any]) -> list[dict[str, Any]]:
    if entry["type"] == "view":
        return []
    # With includeIndexBuildInfo, 6.0 reports no indexes for a time series.
    if entry["type"] == "collection":
        try:
            return _all(database, {"listIndexes": entry["name"], "includeIndexBuildInfo": True})
        except OperationFailure:
            pass  # a server that does not know the option
    return _all(database, {"listIndexes": entry["name"]})


def _all(database: Any, command: dict[str, Any]) -> list[dict[str, Any]]:
    """Every document of a command's cursor, all of which are in the first batch."""
    return list(database.command(command, cursor={"batchSize": _FIRST_BATCH})["cursor"]["firstBatch"])


def _to_json(document: Any) -> Any:
    """Relaxed Extended JSON of a BSON document."""
    return json.loads(json_util.dumps(document, json_options=json_util.RELAXED_JSON_OPTIONS))
