"""Queries of served patterns as a person would write them in the shell; `:name` is a parameter of the call."""

from typing import Any, assert_never

from keywright.access.key_range import Reading
from keywright.access.query import Condition
from keywright.access.search import Planned
from keywright.ir.json import Json
from keywright.ir.template import Placeholder, Template

from ..schema.filters import constant
from ..schema.target import DatabaseTarget
from .calls import (
    Aggregated,
    CountDocuments,
    DeleteDocuments,
    Find,
    IncrementDocument,
    Near,
    PutDocuments,
    Search,
    Sent,
    Transaction,
    UpdateDocument,
)
from .conditions import admitting, filter_of, path_of, test_of, with_filter
from .layout import Layout, view
from .pipeline import DISTANCE, grouping, lookup_stage, projection
from .selection import PathCondition, PathTerm, Selection, TemplateValues

MAJORITY: dict[str, Json] = {"w": "majority"}
"""The write concern of strong writes."""


def query(planned: Planned[DatabaseTarget]) -> Json:
    """See `Engine.query`."""
    call: Any = planned.access_path.call
    if isinstance(call, Transaction):
        parts = [_Printer(_view(part)).sent(_sent(part)) for part in planned.parts]
        return {"transaction": [_plain(part) for part in parts], "writeConcern": dict(MAJORITY)}
    return _Printer(_view(planned)).sent(call)


def _plain(part: Json) -> Json:
    """A write of a transaction without its write concern, which the transaction has."""
    return {key: value for key, value in part.items() if key != "writeConcern"} if isinstance(part, dict) else part


def _view(planned: Planned[DatabaseTarget]) -> Layout:
    layout = view(planned.target, planned.binding)
    assert layout is not None
    return layout


def _sent(planned: Planned[DatabaseTarget]) -> Any:
    return planned.access_path.call


class _Printer:
    """Converts calls on one collection to JSON."""

    def __init__(self, view: Layout) -> None:
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
            case CountDocuments():
                pipeline: list[Json] = [{"$match": self._filter(call.selection)}, {"$count": "n"}]
                return self._options(call.selection, {"aggregate": call.selection.collection, "pipeline": pipeline})
            case Aggregated():
                return self._aggregated(call)
            case PutDocuments():
                return _put(call)
            case UpdateDocument():
                return self._update(call)
            case IncrementDocument():
                change: Json = {"$inc": {call.path: ":by"}}
                command: dict[str, Json] = {
                    "findAndModify": call.selection.collection,
                    "query": {**self._filter(call.selection), **admitting(call.versions)},
                }
                return _strong(call.is_strong, self._options(call.selection, {**command, "update": change}))
            case DeleteDocuments():
                name = "deleteOne" if call.is_one else "deleteMany"
                command = {name: call.selection.collection, "filter": self._filter(call.selection)}
                return _strong(call.is_strong, self._options(call.selection, command))
            case Transaction():
                return None
            case _:
                assert_never(call)

    def _find(self, call: Find) -> Json:
        filter, selection = self._filter(call.selection), call.selection
        sort: Json = {field.path: field.direction for field in call.sort}
        if call.lookups:
            stages: list[Json] = [{"$match": filter}]
            stages += [{"$sort": sort}] if call.sort else []
            stages += [{"$limit": call.limit}] if call.limit is not None else []
            stages += [lookup_stage(lookup) for lookup in call.lookups]
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

    def _update(self, call: UpdateDocument) -> Json:
        filter = self._filter(call.selection)
        change: dict[str, Json] = {}
        sets: dict[str, Json] = {field_set.path: f":{field_set.field}" for field_set in call.sets} | dict.fromkeys(
            call.nulls
        )
        sets |= {attribute.path: _shown(attribute.template) for attribute in call.template_attributes}
        filter |= admitting(call.versions)
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
        return with_filter(filter_of(self._test(condition) for condition in selection.conditions), selection.filter)

    def _test(self, condition: PathCondition) -> tuple[str, Any]:
        match condition:
            case TemplateValues():
                text = _shown(condition.filled.template)
                return condition.path, text if condition.filled.is_single else {"$in": [text]}
            case PathTerm():
                if condition.condition.kind == "search":
                    return "$text", {"$search": ":search"}
                return path_of(condition), test_of(condition, self._values(condition.condition))
            case _:
                return condition.path, _texts(condition.reading)

    def _values(self, condition: Condition) -> Any:
        if condition.constants is not None:
            native = self.view.types.get(condition.field, "string")
            return [constant(value, native) for value in condition.constants]
        if condition.kind == "between":
            return f":{condition.field}.first", f":{condition.field}.last"
        name = f":{condition.field}"
        return name if condition.kind in ("one_of", "all_of", "exactly") else [name]

    def _options(self, selection: Selection, command: dict[str, Json]) -> dict[str, Json]:
        if selection.hint is not None:
            command["hint"] = selection.hint
        if selection.collation is not None:
            command["collation"] = selection.collation
        return command

    def _read(self, is_strong: bool, selection: Selection, command: dict[str, Json]) -> Json:
        options = self._options(selection, command)
        return {**options, "readConcern": {"level": "majority"}} if is_strong else options


def _strong(is_strong: bool, command: dict[str, Json]) -> Json:
    return {**command, "writeConcern": dict(MAJORITY)} if is_strong else command


def _put(call: PutDocuments) -> Json:
    command: dict[str, Json]
    if call.if_absent or not call.has_id:
        command = {"insertOne": call.collection, "document": ":document"}
    else:
        filter: dict[str, Json] = {"_id": ":document._id"}
        filter |= {path: f":document.{path}" for path in call.shard_paths}
        command = {"replaceOne": call.collection, "filter": filter, "replacement": ":document", "upsert": True}
    return _strong(call.is_strong, command)


def _shown(template: Template) -> str:
    """A template as text in a query: `:name` for a lone field, `{field:filter}` in a composed template."""
    if template.lone is not None:
        return f":{template.lone.path}"
    return template.text


def _texts(reading: Reading) -> Json:
    """The bounds of a composed `_id` with a known prefix."""
    parts: list[str] = []
    count = len(reading.slots)
    for part in reading.template.parts:
        if isinstance(part, Placeholder):
            if not count:
                break
            count -= 1
            parts.append(_placeholder(part))
        else:
            parts.append(part)
    head = "".join(parts)
    if reading.prefix is not None:
        return {"$gte": f"{head}:{reading.prefix.field}", "$lt": f"{head}:{reading.prefix.field}\uffff"}
    if reading.range and reading.next is not None:
        prefix = f"{head}{_placeholder(reading.next)}"
        is_last = reading.template.parts[-1] is reading.next
        return {
            "$gte": f"{prefix}.first",
            **({"$lte": f"{prefix}.last"} if is_last else {"$lt": f"{prefix}.last\uffff"}),
        }
    return {"$gte": head, "$lt": f"{head}\uffff"}


def _placeholder(placeholder: Placeholder) -> str:
    filters = (
        str(template_filter)
        if template_filter.format
        else template_filter.name
        if template_filter.number is None
        else f"{template_filter.name}({template_filter.number})"
        for template_filter in placeholder.filters
    )
    return "{" + ":".join((placeholder.path, *filters)) + "}"
