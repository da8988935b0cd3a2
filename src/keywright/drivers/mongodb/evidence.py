"""Commands of a recorded client, and what the server says of them: its plan, and what it examined."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bson import json_util
from bson.binary import UuidRepresentation
from pymongo.errors import OperationFailure
from pymongo.monitoring import CommandFailedEvent, CommandListener, CommandStartedEvent, CommandSucceededEvent

_JSON = json_util.RELAXED_JSON_OPTIONS.with_options(uuid_representation=UuidRepresentation.STANDARD)

_COPY = json_util.CANONICAL_JSON_OPTIONS.with_options(tz_aware=True)
"""How a copy of a command is read back, so that it can be sent once more."""

READS = ("find", "aggregate", "count", "distinct")
"""Commands that are explained by running them again."""

WRITES = ("update", "delete", "findAndModify")
"""Commands of which only the plan is asked: what they have done cannot be done again."""

NAMES = (*READS, *WRITES, "insert", "getMore", "commitTransaction", "abortTransaction")
"""Commands that are written down."""

_NOT_EXPLAINED = (
    "$db", "lsid", "$clusterTime", "$readPreference", "txnNumber", "startTransaction", "autocommit", "readConcern",
    "writeConcern", "apiVersion", "ordered",
)  # fmt: skip


class Listener(CommandListener):
    """Writes down the commands of a client."""

    def __init__(self) -> None:
        self._started: dict[int, dict[str, Any]] = {}
        self._done: list[dict[str, Any]] = []

    def started(self, event: CommandStartedEvent) -> None:
        """See `CommandListener.started`."""
        if event.command_name in NAMES:
            command = json_util.loads(json_util.dumps(event.command, json_options=_JSON), json_options=_COPY)
            found = {"command": event.command_name, "database": event.database_name, "sent": command}
            self._started[event.request_id] = found

    def succeeded(self, event: CommandSucceededEvent) -> None:
        """See `CommandListener.succeeded`."""
        if (found := self._started.pop(event.request_id, None)) is not None:
            reply: Any = event.reply
            batch = reply.get("cursor", {})
            found["returned"] = len(batch.get("firstBatch", batch.get("nextBatch", ())))
            found["n"] = reply.get("n")
            self._done.append(found)

    def failed(self, event: CommandFailedEvent) -> None:
        """See `CommandListener.failed`."""
        if (found := self._started.pop(event.request_id, None)) is not None:
            found["failed"] = str(event.failure.get("codeName") or event.failure.get("errmsg"))
            self._done.append(found)

    def taken(self) -> list[dict[str, Any]]:
        """What was written down since the last call."""
        done, self._done = self._done, []
        return done


def explained(asking: Any, found: dict[str, Any]) -> dict[str, Any]:
    """One command as an event: JSON, with the server's plan where it has one."""
    command, sent = found["command"], found["sent"]
    event: dict[str, Any] = {"command": command, "collection": _collection(command, sent), "request": _json(sent)}
    event |= {key: found[key] for key in ("returned", "n", "failed") if found.get(key) is not None}
    if "failed" in found or command not in (*READS, *WRITES):
        return event
    verbosity = "executionStats" if command in READS else "queryPlanner"
    plans: list[Any] = []
    for one in _single(command, sent):
        plain = {key: value for key, value in one.items() if key not in _NOT_EXPLAINED}
        try:
            plans.append(asking[found["database"]].command("explain", plain, verbosity=verbosity))
        except OperationFailure as failure:
            return {**event, "unexplained": str((failure.details or {}).get("errmsg", failure))}
    return {**event, **evidence(plans)}


def evidence(plans: list[Any]) -> dict[str, Any]:
    """What plans say together: stages, indexes, entries and documents examined."""
    stages = [stage for plan in plans for stage in _stages(plan)]
    return {
        "stages": list(dict.fromkeys(["$lookup COLLSCAN"] * _scans_others(stages) + [name for name, _ in stages])),
        "indexes": sorted({one["indexName"] for _, one in stages if "indexName" in one} | _joined(stages)),
        "scans": sum(name in ("IXSCAN", "COUNT_SCAN", "EXPRESS_IXSCAN") for name, _ in stages),
        "keys": sum(int(one.get("keysExamined", 0)) for _, one in stages),
        "documents": sum(int(one.get("docsExamined", 0)) for _, one in stages),
    }


def _single(command: str, sent: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Commands that can be explained: of several updates or deletions each by itself."""
    several = {"update": "updates", "delete": "deletes"}.get(command)
    if several is None:
        yield dict(sent)
        return
    for one in sent[several]:
        yield {**sent, several: [one]}


def _stages(plan: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """(name, figures) of every stage of a plan that was carried out, or else of the winning plan."""
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
    below = [stage[key] for key in ("inputStage", "outerStage", "innerStage", "thenStage", "elseStage") if key in stage]
    yield stage["stage"], {key: value for key, value in stage.items() if key in _FIGURES}
    for one in (*below, *stage.get("inputStages", ())):
        yield from _tree(one)


_FIGURES = ("indexName", "keysExamined", "docsExamined", "nReturned", "isMultiKey", "direction", "strategy")


def _scans_others(stages: list[tuple[str, dict[str, Any]]]) -> bool:
    """Whether a join looks through the other collection: stage by stage, or where the planner has taken it over."""
    return any(
        (name == "$lookup" and one.get("collectionScans")) or one.get("strategy") in ("NestedLoopJoin", "HashJoin")
        for name, one in stages
    )


def _joined(stages: list[tuple[str, dict[str, Any]]]) -> set[str]:
    return {name for stage, one in stages if stage == "$lookup" for name in one.get("indexesUsed", ())}


def _collection(command: str, sent: Mapping[str, Any]) -> str:
    return str(sent.get("collection" if command == "getMore" else command, ""))


def _json(document: Any) -> Any:
    """Relaxed Extended JSON, without what belongs to the session."""
    kept = {key: value for key, value in document.items() if key not in ("lsid", "$clusterTime", "$db")}
    return json.loads(json_util.dumps(kept, json_options=_JSON))
