"""Records the commands of a client, with the server's evidence: its plan, and the examined entries and documents."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bson import json_util
from bson.binary import UuidRepresentation
from pymongo.errors import OperationFailure
from pymongo.monitoring import CommandFailedEvent, CommandListener, CommandStartedEvent, CommandSucceededEvent

_JSON = json_util.RELAXED_JSON_OPTIONS.with_options(uuid_representation=UuidRepresentation.STANDARD)

_COPY = json_util.CANONICAL_JSON_OPTIONS.with_options(tz_aware=True)
"""Options to read a copy of a command back, so that it can be sent again."""

READS = ("find", "aggregate", "count", "distinct")
"""Commands that are explained by running them again."""

WRITES = ("update", "delete", "findAndModify")
"""Commands of which only the plan is requested, because they cannot run again."""

NAMES = (*READS, *WRITES, "insert", "getMore", "commitTransaction", "abortTransaction")
"""Commands that are recorded."""

_NOT_EXPLAINED = (
    "$db", "lsid", "$clusterTime", "$readPreference", "txnNumber", "startTransaction", "autocommit", "readConcern",
    "writeConcern", "apiVersion", "ordered",
)  # fmt: skip


class Listener(CommandListener):
    """Records the commands of a client."""

    def __init__(self) -> None:
        self._started: dict[int, dict[str, Any]] = {}
        self._done: list[dict[str, Any]] = []

    def started(self, event: CommandStartedEvent) -> None:
        """See `CommandListener.started`."""
        if event.command_name in NAMES:
            command = json_util.loads(json_util.dumps(event.command, json_options=_JSON), json_options=_COPY)
            record = {"command": event.command_name, "database": event.database_name, "sent": command}
            self._started[event.request_id] = record

    def succeeded(self, event: CommandSucceededEvent) -> None:
        """See `CommandListener.succeeded`."""
        if (record := self._started.pop(event.request_id, None)) is not None:
            reply: Any = event.reply
            batch = reply.get("cursor", {})
            record["returned"] = len(batch.get("firstBatch", batch.get("nextBatch", ())))
            record["n"] = reply.get("n")
            self._done.append(record)

    def failed(self, event: CommandFailedEvent) -> None:
        """See `CommandListener.failed`."""
        if (record := self._started.pop(event.request_id, None)) is not None:
            record["failed"] = str(event.failure.get("codeName") or event.failure.get("errmsg"))
            self._done.append(record)

    def taken(self) -> list[dict[str, Any]]:
        """The commands that were recorded since the last call."""
        done, self._done = self._done, []
        return done


def explained(client: Any, record: dict[str, Any]) -> dict[str, Any]:
    """One command as an event: JSON, with the server's plan if it has one."""
    command, sent = record["command"], record["sent"]
    event: dict[str, Any] = {"command": command, "collection": _collection(command, sent), "request": _json(sent)}
    event |= {key: record[key] for key in ("returned", "n", "failed") if record.get(key) is not None}
    if "failed" in record or command not in (*READS, *WRITES):
        return event
    verbosity = "executionStats" if command in READS else "queryPlanner"
    plans: list[Any] = []
    for statement in _single(command, sent):
        plain = {key: value for key, value in statement.items() if key not in _NOT_EXPLAINED}
        try:
            plans.append(client[record["database"]].command("explain", plain, verbosity=verbosity))
        except OperationFailure as failure:
            return {**event, "unexplained": str((failure.details or {}).get("errmsg", failure))}
    return {**event, **evidence(plans)}


def evidence(plans: list[Any]) -> dict[str, Any]:
    """The evidence of several plans together: stages, indexes, entries and documents examined."""
    stages = [stage for plan in plans for stage in _stages(plan)]
    return {
        "stages": list(dict.fromkeys(["$lookup COLLSCAN"] * _scans_others(stages) + [name for name, _ in stages])),
        "indexes": sorted({stage["indexName"] for _, stage in stages if "indexName" in stage} | _joined(stages)),
        "scans": sum(name in ("IXSCAN", "COUNT_SCAN", "EXPRESS_IXSCAN") for name, _ in stages),
        "keys": sum(int(stage.get("keysExamined", 0)) for _, stage in stages),
        "documents": sum(int(stage.get("docsExamined", 0)) for _, stage in stages),
    }


def _single(command: str, sent: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Commands that can be explained: one for each of several updates or deletes."""
    list_name = {"update": "updates", "delete": "deletes"}.get(command)
    if list_name is None:
        yield dict(sent)
        return
    for operation in sent[list_name]:
        yield {**sent, list_name: [operation]}


def _stages(plan: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """(name, figures) of every executed stage of a plan, or of every stage of the winning plan."""
    if "stages" in plan:
        for stage in plan["stages"]:
            name = next(iter(stage))
            inner = stage[name]
            if isinstance(inner, dict) and ("executionStats" in inner or "queryPlanner" in inner):
                yield from _stages(inner)
            yield name, {key: value for key, value in stage.items() if key != name}
        return
    root = plan.get("executionStats", {}).get("executionStages") or plan["queryPlanner"]["winningPlan"]
    yield from _tree(root.get("queryPlan", root))


def _tree(stage: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    children = [
        stage[key] for key in ("inputStage", "outerStage", "innerStage", "thenStage", "elseStage") if key in stage
    ]
    yield stage["stage"], {key: value for key, value in stage.items() if key in _FIGURES}
    for child in (*children, *stage.get("inputStages", ())):
        yield from _tree(child)


_FIGURES = ("indexName", "keysExamined", "docsExamined", "nReturned", "isMultiKey", "direction", "strategy")


def _scans_others(stages: list[tuple[str, dict[str, Any]]]) -> bool:
    """Whether a join scans the other collection, in a $lookup stage or in a join of the planner."""
    return any(
        (name == "$lookup" and stage.get("collectionScans")) or stage.get("strategy") in ("NestedLoopJoin", "HashJoin")
        for name, stage in stages
    )


def _joined(stages: list[tuple[str, dict[str, Any]]]) -> set[str]:
    return {index for name, stage in stages if name == "$lookup" for index in stage.get("indexesUsed", ())}


def _collection(command: str, sent: Mapping[str, Any]) -> str:
    return str(sent.get("collection" if command == "getMore" else command, ""))


def _json(document: Any) -> Any:
    """Relaxed Extended JSON, without fields of the session."""
    fields = {key: value for key, value in document.items() if key not in ("lsid", "$clusterTime", "$db")}
    return json.loads(json_util.dumps(fields, json_options=_JSON))
