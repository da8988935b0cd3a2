"""Stages of an aggregation pipeline that need no value of a call: the same in what is sent and in what is shown."""

from typing import Any

from keywright.ir.json import Json
from keywright.ir.template import Placeholder

from ..fields import ID
from .calls import Aggregated, Grouped, Lookup

DISTANCE = "_kw_distance"
"""Where the metres from the point stand."""

SCORE = "_kw_score"
"""Where the relevance of a hit stands."""

ROWS = "rows"
"""Where the different values of a figure stand before they are counted."""

_FORMATS = {
    "iso": "%Y-%m-%dT%H:%M:%S.%L000Z", "date": "%Y-%m-%d", "month": "%Y-%m", "week": "%G-W%V", "hour": "%Y-%m-%dT%H",
}  # fmt: skip
_WIDTHS = {"iso": 27, "date": 10, "month": 7, "hour": 13}


def projection(paths: tuple[str, ...]) -> dict[str, Json]:
    """What is sent back; `_id` only where it is wanted, since an index alone can then answer."""
    shown: dict[str, Json] = dict.fromkeys(paths, 1)
    return shown if ID in paths else {**shown, ID: 0}


def lookup_stage(one: Lookup) -> dict[str, Any]:
    """A join: by equality of fields, so that the index there is used."""
    inner: list[Json] = [{"$project": dict(projection(tuple(path for _, path in one.fields)))}]
    (there, here), *more = one.on
    stage: dict[str, Any] = {"from": one.collection, "localField": here, "foreignField": there, "as": one.into}
    if more:
        stage["let"] = {f"v{at}": f"${path}" for at, (_, path) in enumerate(more)}
        equal = [{"$eq": [f"${path}", f"$$v{at}"]} for at, (path, _) in enumerate(more)]
        inner.insert(0, {"$match": {"$expr": {"$and": list[Any](equal)}}})
    return {"$lookup": {**stage, "pipeline": inner}}


def grouping(call: Aggregated) -> list[dict[str, Any]]:
    """The stages behind the match: lists taken apart, groups, different values counted."""
    stages: list[dict[str, Any]] = [{"$unwind": f"${path}"} for path in call.unwinds]
    group: dict[str, Any] = {ID: {f"g{at}": _key(one) for at, one in enumerate(call.groups)} or None}
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


def _key(one: Grouped) -> Any:
    """What makes a group: a field as it is, or a form of time; several as an array, which Python joins to a text."""
    types = {field: (path, kind) for field, path, kind in one.paths}
    parts = [_part(part, *types[part.path]) for part in one.template.parts if isinstance(part, Placeholder)]
    return parts[0] if len(parts) == 1 else parts


def _part(one: Placeholder, path: str, kind: str) -> Any:
    form = next((filter.name for filter in one.filters), None)
    if form is None:
        return {"$ifNull": [f"${path}", None]}
    if kind == "date":
        return {"$dateToString": {"date": f"${path}", "format": _FORMATS[form], "timezone": "UTC"}}
    if form == "week":
        date = {"$dateFromString": {"dateString": {"$substrCP": [f"${path}", 0, 10]}}}
        return {"$dateToString": {"date": date, "format": _FORMATS[form], "timezone": "UTC"}}
    return {"$substrCP": [f"${path}", 0, _WIDTHS[form]]}
