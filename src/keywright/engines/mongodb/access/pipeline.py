"""Stages of an aggregation pipeline that contain no value of a call: the same in requests and in printed queries."""

from typing import Any

from keywright.ir.json import Json
from keywright.ir.template import Placeholder

from ..schema.fields import ID
from .calls import Aggregated, Grouped, Lookup

DISTANCE = "_kw_distance"
"""The field with the distance from the point in metres."""

SCORE = "_kw_score"
"""The field with the relevance of a match."""

ROWS = "rows"
"""The field with the distinct values of a figure before they are counted."""

_FORMATS = {
    "iso": "%Y-%m-%dT%H:%M:%S.%L000Z", "date": "%Y-%m-%d", "month": "%Y-%m", "week": "%G-W%V", "hour": "%Y-%m-%dT%H",
}  # fmt: skip
_WIDTHS = {"iso": 27, "date": 10, "month": 7, "hour": 13}


def projection(paths: tuple[str, ...]) -> dict[str, Json]:
    """The projection; without `_id` unless a path names it, so that an index alone can answer."""
    fields: dict[str, Json] = dict.fromkeys(paths, 1)
    return fields if ID in paths else {**fields, ID: 0}


def lookup_stage(lookup: Lookup) -> dict[str, Any]:
    """A join by equality of fields, so that the server uses the index of the other collection."""
    inner: list[Json] = [{"$project": dict(projection(tuple(path for _, path in lookup.fields)))}]
    (foreign, local), *more = lookup.on
    stage: dict[str, Any] = {"from": lookup.collection, "localField": local, "foreignField": foreign, "as": lookup.into}
    if more:
        stage["let"] = {f"v{at}": f"${path}" for at, (_, path) in enumerate(more)}
        equal = [{"$eq": [f"${path}", f"$$v{at}"]} for at, (path, _) in enumerate(more)]
        inner.insert(0, {"$match": {"$expr": {"$and": list[Any](equal)}}})
    return {"$lookup": {**stage, "pipeline": inner}}


def grouping(call: Aggregated) -> list[dict[str, Any]]:
    """The stages after the match: unwound lists, groups, counts of distinct values."""
    stages: list[dict[str, Any]] = [{"$unwind": f"${path}"} for path in call.unwinds]
    group: dict[str, Any] = {ID: {f"g{at}": _key(grouped) for at, grouped in enumerate(call.groups)} or None}
    counted: dict[str, Any] = {}
    for at, figure in enumerate(call.figures):
        name, value = f"m{at}", f"${figure.path}"
        match figure.measure.figure:
            case "sum":
                group[name] = {"$sum": value}
            case "avg":
                group[name] = {"$avg": value}
            case _:
                group[name] = {"$addToSet": {"$ifNull": [value, "$$REMOVE"]}}
                counted[name] = {"$size": f"${name}"}
    stages.append({"$group": group})
    return [*stages, {"$set": counted}] if counted else stages


def _key(grouped: Grouped) -> Any:
    """The key of a group: a field's value or a form of time; several as an array, which Python joins to a text."""
    types = {field: (path, kind) for field, path, kind in grouped.paths}
    parts = [_part(part, *types[part.path]) for part in grouped.template.parts if isinstance(part, Placeholder)]
    return parts[0] if len(parts) == 1 else parts


def _part(placeholder: Placeholder, path: str, kind: str) -> Any:
    form = next((template_filter.name for template_filter in placeholder.filters), None)
    if form is None:
        return {"$ifNull": [f"${path}", None]}
    if kind == "date":
        return {"$dateToString": {"date": f"${path}", "format": _FORMATS[form], "timezone": "UTC"}}
    if form == "week":
        date = {"$dateFromString": {"dateString": {"$substrCP": [f"${path}", 0, 10]}}}
        return {"$dateToString": {"date": date, "format": _FORMATS[form], "timezone": "UTC"}}
    return {"$substrCP": [f"${path}", 0, _WIDTHS[form]]}
