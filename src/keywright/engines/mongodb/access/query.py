"""What a served pattern sends, as a person would write it in the shell: `:name` stands for what the caller gives."""

from typing import Any, assert_never

from keywright.access.path import AccessPath
from keywright.access.reading import Reading
from keywright.access.request import Asked
from keywright.access.search import Planned
from keywright.ir.json import Json
from keywright.ir.template import Placeholder, Template

from ..filters import constant
from ..target import DatabaseTarget
from .calls import Aggregated, Count, Delete, Find, Increment, Near, Put, Search, Sent, Together, Update
from .conditions import filter_of, path_of, test_of
from .pipeline import DISTANCE, grouping, lookup_stage, projection
from .selection import Condition, Keyed, Selection, Term
from .view import View, view

MAJORITY: dict[str, Json] = {"w": "majority"}
"""The write concern of strong writes."""


def query(planned: Planned[DatabaseTarget]) -> Json:
    """See `Engine.query`."""
    assert isinstance(planned.path, AccessPath)
    call: Any = planned.path.call
    if isinstance(call, Together):
        parts = [_Shown(_view(part)).sent(_sent(part)) for part in planned.parts]
        return {"transaction": [_plain(part) for part in parts], "writeConcern": dict(MAJORITY)}
    return _Shown(_view(planned)).sent(call)


def _plain(part: Json) -> Json:
    """A write of a transaction: how durable it is, the transaction says."""
    return {key: value for key, value in part.items() if key != "writeConcern"} if isinstance(part, dict) else part


def _view(planned: Planned[DatabaseTarget]) -> View:
    found = view(planned.target, planned.binding)
    assert found is not None
    return found


def _sent(planned: Planned[DatabaseTarget]) -> Any:
    assert isinstance(planned.path, AccessPath)
    return planned.path.call


class _Shown:
    """Shows calls on one collection."""

    def __init__(self, view: View) -> None:
        self.view = view

    def sent(self, call: Sent) -> Json:
        """The command as JSON."""
        match call:
            case Find():
                return self._find(call)
            case Search():
                return self._search(call)
            case Near():
                return self._near(call)
            case Count():
                pipeline: list[Json] = [{"$match": self._filter(call.selection)}, {"$count": "n"}]
                return self._options(call.selection, {"aggregate": call.selection.collection, "pipeline": pipeline})
            case Aggregated():
                return self._aggregated(call)
            case Put():
                return _put(call)
            case Update():
                return self._update(call)
            case Increment():
                change: Json = {"$inc": {call.path: ":by"}}
                command: dict[str, Json] = {
                    "findAndModify": call.selection.collection,
                    "query": self._filter(call.selection),
                }
                return _strong(call.is_strong, self._options(call.selection, {**command, "update": change}))
            case Delete():
                name = "deleteOne" if call.is_one else "deleteMany"
                command = {name: call.selection.collection, "filter": self._filter(call.selection)}
                return _strong(call.is_strong, self._options(call.selection, command))
            case Together():
                return None
            case _:
                assert_never(call)

    def _find(self, call: Find) -> Json:
        filter, selection = self._filter(call.selection), call.selection
        sort: Json = {one.path: one.direction for one in call.sort}
        if call.lookups:
            stages: list[Json] = [{"$match": filter}]
            stages += [{"$sort": sort}] if call.sort else []
            stages += [{"$limit": call.limit}] if call.limit is not None else []
            stages += [lookup_stage(one) for one in call.lookups]
            return self._read(call.is_strong, selection, {"aggregate": selection.collection, "pipeline": stages})
        command: dict[str, Json] = {"find": selection.collection, "filter": filter}
        if call.paths:
            command["projection"] = dict(projection(call.sent))
        if call.sort:
            command["sort"] = sort
        if call.limit is not None:
            command["limit"] = call.limit
        return self._read(call.is_strong, selection, command)

    def _search(self, call: Search) -> Json:
        command: dict[str, Json] = {"find": call.selection.collection, "filter": self._filter(call.selection)}
        command["sort"] = {"score": {"$meta": "textScore"}, "_id": 1}
        if call.paths:
            command["projection"] = dict(projection(call.paths))
        if call.limit is not None:
            command["limit"] = call.limit
        return self._read(call.is_strong, call.selection, command)

    def _near(self, call: Near) -> Json:
        point: Json = {"type": "Point", "coordinates": f":{call.near.field}"}
        stage: dict[str, Json] = {"near": point, "key": call.path, "distanceField": DISTANCE, "spherical": True}
        if filter := self._filter(call.selection):
            stage["query"] = filter
        pipeline: list[Json] = [{"$geoNear": stage}]
        pipeline += [{"$limit": call.limit}] if call.limit is not None else []
        return self._read(
            call.is_strong, call.selection, {"aggregate": call.selection.collection, "pipeline": pipeline}
        )

    def _aggregated(self, call: Aggregated) -> Json:
        pipeline: list[Json] = [{"$match": self._filter(call.selection)}, *grouping(call)]
        return self._options(call.selection, {"aggregate": call.selection.collection, "pipeline": pipeline})

    def _update(self, call: Update) -> Json:
        filter = self._filter(call.selection)
        change: dict[str, Json] = {}
        sets: dict[str, Json] = {one.path: f":{one.field}" for one in call.sets} | dict.fromkeys(call.nulls)
        sets |= {one.path: _shown(one.template) for one in call.made}
        if sets:
            change["$set"] = sets
        if call.unset:
            change["$unset"] = dict.fromkeys(call.unset, "")
        if call.pushes is not None:
            change["$push"] = {call.pushes.path: f":{call.pushes.field}"}
            if call.bound is not None:
                filter[f"{call.pushes.path}.{call.bound - 1}"] = {"$exists": False}
        command: dict[str, Json] = {"updateOne": call.selection.collection, "filter": filter, "update": change}
        return _strong(call.is_strong, self._options(call.selection, command))

    def _filter(self, selection: Selection) -> dict[str, Any]:
        return filter_of(self._test(one) for one in selection.conditions)

    def _test(self, one: Condition) -> tuple[str, Any]:
        match one:
            case Keyed():
                text = _shown(one.filled.template)
                return one.path, text if one.filled.is_single else {"$in": [text]}
            case Term():
                if one.asked.how == "search":
                    return "$text", {"$search": ":search"}
                return path_of(one), test_of(one, self._values(one.asked))
            case _:
                return one.path, _texts(one.reading)

    def _values(self, asked: Asked) -> Any:
        if asked.constants is not None:
            native = self.view.types.get(asked.field, "string")
            return [constant(value, native) for value in asked.constants]
        if asked.how == "between":
            return f":{asked.field}.first", f":{asked.field}.last"
        name = f":{asked.field}"
        return name if asked.how in ("one_of", "all_of", "exactly") else [name]

    def _options(self, selection: Selection, command: dict[str, Json]) -> dict[str, Json]:
        if selection.hint is not None:
            command["hint"] = selection.hint
        if selection.collation is not None:
            command["collation"] = selection.collation
        return command

    def _read(self, is_strong: bool, selection: Selection, command: dict[str, Json]) -> Json:
        shown = self._options(selection, command)
        return {**shown, "readConcern": {"level": "majority"}} if is_strong else shown


def _strong(is_strong: bool, command: dict[str, Json]) -> Json:
    return {**command, "writeConcern": dict(MAJORITY)} if is_strong else command


def _put(call: Put) -> Json:
    command: dict[str, Json]
    if call.if_absent or not call.has_id:
        command = {"insertOne": call.collection, "document": ":document"}
    else:
        filter: dict[str, Json] = {"_id": ":document._id"}
        filter |= {path: f":document.{path}" for path in call.shard_paths}
        command = {"replaceOne": call.collection, "filter": filter, "replacement": ":document", "upsert": True}
    return _strong(call.is_strong, command)


def _shown(template: Template) -> str:
    """A template as its text stands in a query: `:name` for a lone field, `{field:filter}` in a composed one."""
    if template.lone is not None:
        return f":{template.lone.path}"
    return template.text


def _texts(reading: Reading) -> Json:
    """The bounds of a composed `_id` of which the beginning is known."""
    parts: list[str] = []
    known = len(reading.slots)
    for part in reading.template.parts:
        if isinstance(part, Placeholder):
            if not known:
                break
            known -= 1
            parts.append(_placeholder(part))
        else:
            parts.append(part)
    head = "".join(parts)
    if reading.prefix is not None:
        return {"$gte": f"{head}:{reading.prefix.field}", "$lt": f"{head}:{reading.prefix.field}\uffff"}
    if reading.range and reading.next is not None:
        ends = f"{head}{_placeholder(reading.next)}"
        is_last = reading.template.parts[-1] is reading.next
        return {"$gte": f"{ends}.first", **({"$lte": f"{ends}.last"} if is_last else {"$lt": f"{ends}.last\uffff"})}
    return {"$gte": head, "$lt": f"{head}\uffff"}


def _placeholder(one: Placeholder) -> str:
    filters = (filter.name if filter.number is None else f"{filter.name}({filter.number})" for filter in one.filters)
    return "{" + ":".join((one.path, *filters)) + "}"
