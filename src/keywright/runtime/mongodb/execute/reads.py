"""Gets, reads, searches, distances, counts and aggregates as calls."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pymongo import ReadPreference
from pymongo.read_concern import ReadConcern

from keywright.declare.answers import Page
from keywright.engines.mongodb.access.calls import Aggregated, Count, Find, Grouped, Near, Search
from keywright.engines.mongodb.access.pipeline import DISTANCE, SCORE, grouping, lookup_stage, projection
from keywright.engines.mongodb.access.selection import Selection
from keywright.errors import UsageError
from keywright.ir.pattern import Pattern
from keywright.ir.template import Placeholder
from keywright.runtime import text as forms
from keywright.runtime.codec import Call, Codec
from keywright.runtime.given import Given

from .choose import filter_maker, is_empty
from .native import Natives
from .paging import ID, OPTIONS, Place, Places, Scanning, behind, ended, keys_of, open_fields

Document = dict[str, Any]
Read = Callable[[Any], Any]


def collection_of(selection: Selection, is_strong: bool = False) -> Callable[[Any], Any]:
    """A function from the application's client to the collection, read as the pattern needs it."""
    database, name = selection.database, selection.collection

    def found(client: Any) -> Any:
        options: dict[str, Any] = {"codec_options": OPTIONS}
        if is_strong:
            options |= {"read_concern": ReadConcern("majority"), "read_preference": ReadPreference.PRIMARY}
        return client[database].get_collection(name, **options)

    return found


def options_of(selection: Selection) -> dict[str, Any]:
    """The index and the rules of language that a request names."""
    options: dict[str, Any] = {}
    if selection.hint is not None:
        options["hint"] = selection.hint
    if selection.collation is not None:
        options["collation"] = selection.collation
    return options


def find(
    call: Find,
    pattern: Pattern,
    codec: Codec[Any],
    natives: Natives,
    joined: Mapping[str, Codec[Any]],
    scanning: Scanning,
) -> Call:
    """Documents in order."""
    asked, places = filter_maker(call.selection, natives), Places(pattern)
    collection, options = collection_of(call.selection, call.is_strong), options_of(call.selection)
    keys, whole = keys_of(call.sort), [(one.path, one.direction) for one in call.sort]
    alone = projection(call.paths) if call.paths else None
    paged = projection((*call.paths, *call.also)) if call.paths else None
    read = _reader(call, codec, joined)
    is_get, is_none = pattern.kind == "get", is_empty(call.selection)

    def run(client: Any, given: Given) -> Any:
        place = places.read(given.cursor)
        if is_none(given):
            return None if is_get else Page(())
        filter = asked(given)
        if place is not None:
            filter = {**filter, "$and": [*filter.get("$and", ()), *behind(call.sort, place, scanning)]}
        limit = 1 if is_get else _positive(given.limit)
        found = _found(collection(client), filter, limit)
        if is_get:
            return read(found[0]) if found else None
        cursor = places.text(ended(found, keys, place)) if limit is not None and len(found) == limit else None
        return Page(tuple(map(read, found)), cursor)

    def _found(collection: Any, filter: Document, limit: int | None) -> list[Document]:
        sort = open_fields(call.sort, filter) if scanning == "merged" else whole
        if call.lookups:
            stages: list[Document] = [{"$match": filter}]
            stages += [{"$sort": dict(sort)}] if sort else []
            stages += [{"$limit": limit}] if limit is not None else []
            stages += [lookup_stage(one) for one in call.lookups]
            return list(collection.aggregate(stages, **options))
        wanted = alone if limit is None else paged
        cursor = collection.find(filter, wanted, limit=limit or 0, **options)
        return list(cursor.sort(sort) if sort else cursor)

    return run


def _positive(limit: int | None) -> int | None:
    if limit is not None and limit < 1:
        raise UsageError(f"limit={limit}: a page holds one item at the least", "give a limit from 1 on, or none")
    return limit


def _reader(call: Find | Search | Near, codec: Codec[Any], joined: Mapping[str, Codec[Any]]) -> Read:
    """A function from a document to what the call answers for it."""
    if call.paths:
        tops = {path.partition(".")[0] for path in call.paths}

        def part(document: Document) -> Any:
            return codec.from_part({name: value for name, value in document.items() if name in tops})

        return part
    lookups = call.lookups if isinstance(call, Find) else ()
    if not lookups:
        return codec.from_item

    def with_others(document: Document) -> Any:
        others: dict[str, tuple[Any, ...]] = {}
        for one in lookups:
            other, names = joined.get(one.join.entity), {path: field for field, path in one.fields}
            found = document.pop(one.into)
            make = other.from_part if other else lambda it, names=names: {names.get(key, key): it[key] for key in it}
            others[one.join.entity] = tuple(map(make, found))
        return codec.from_item(document), others

    return with_others


def search(call: Search, pattern: Pattern, codec: Codec[Any], natives: Natives) -> Call:
    """Documents by words, the best hits first; equal ones by id."""
    asked, places = filter_maker(call.selection, natives), Places(pattern)
    collection, read = collection_of(call.selection, call.is_strong), _reader(call, codec, {})
    is_get = pattern.kind == "get"

    def run(client: Any, given: Given) -> Any:
        place, limit = places.read(given.cursor), 1 if is_get else _positive(given.limit)
        stages: list[Document] = [{"$match": asked(given)}, {"$set": {SCORE: {"$meta": "textScore"}}}]
        if place is not None:
            (score,), (last,) = place.keys, place.seen[-1:]
            later = [{SCORE: {"$lt": score}}, {SCORE: score, ID: {"$gt": last}}]
            stages.append({"$match": {"$or": later}})
        stages.append({"$sort": {SCORE: -1, ID: 1}})
        stages += [{"$limit": limit}] if limit is not None else []
        stages += [{"$project": projection((*call.paths, SCORE, ID))}] if call.paths else []
        found = list(collection(client).aggregate(stages))
        return _answer(found, limit, is_get, read, places, lambda last: Place((last[-1][SCORE],), (last[-1][ID],)))

    return run


def near(call: Near, pattern: Pattern, codec: Codec[Any], natives: Natives) -> Call:
    """Documents by distance, the nearest first."""
    asked, places = filter_maker(call.selection, natives), Places(pattern)
    collection, read = collection_of(call.selection, call.is_strong), _reader(call, codec, {})
    is_get = pattern.kind == "get"

    def run(client: Any, given: Given) -> Any:
        place, limit = places.read(given.cursor), 1 if is_get else _positive(given.limit)
        stage: Document = {"key": call.path, "distanceField": DISTANCE, "spherical": True, "query": asked(given)}
        stage |= _point(given.of(call.near)[0], call.near.field)
        stages: list[Document] = [{"$geoNear": stage}]
        if place is not None:
            (distance,) = place.keys
            stage["minDistance"] = distance * (1 - 1e-12)  # the server compares it with a rounding of its own
            equal = {DISTANCE: distance, ID: {"$nin": list(place.seen)}}
            stages.append({"$match": {"$or": [{DISTANCE: {"$gt": distance}}, equal]}})
        stages += [{"$limit": limit}] if limit is not None else []
        stages += [{"$project": projection((*call.paths, DISTANCE, ID))}] if call.paths else []
        found = list(collection(client).aggregate(stages))
        return _answer(found, limit, is_get, read, places, lambda page: ended(page, lambda it: (it[DISTANCE],), place))

    return run


def _point(value: Any, field: str) -> Document:
    try:
        longitude, latitude, *metres = value
        point = {"type": "Point", "coordinates": [float(longitude), float(latitude)]}
        return {"near": point, **({"maxDistance": float(metres[0])} if metres else {})}
    except (TypeError, ValueError):
        help = f"write {field}=(longitude, latitude), or (longitude, latitude, metres)"
        raise UsageError(f'"{field}" is no point', help) from None


def _answer(
    found: list[Document],
    limit: int | None,
    is_get: bool,
    read: Read,
    places: Places,
    place: Callable[[Sequence[Document]], Place],
) -> Any:
    if is_get:
        return read(found[0]) if found else None
    cursor = places.text(place(found)) if limit is not None and len(found) == limit else None
    return Page(tuple(map(read, found)), cursor)


def count(call: Count, natives: Natives) -> Call:
    """How many documents there are."""
    asked, collection, options = (
        filter_maker(call.selection, natives),
        collection_of(call.selection),
        options_of(call.selection),
    )
    return lambda client, given: collection(client).count_documents(asked(given), **options)


def aggregate(call: Aggregated, natives: Natives) -> Call:
    """Figures over groups."""
    asked, collection, options = (
        filter_maker(call.selection, natives),
        collection_of(call.selection),
        options_of(call.selection),
    )
    stages = grouping(call)
    keys = [(one.template.text, _group(one, natives)) for one in call.groups]
    figures = [(one.measure.name, _figure(one.measure.figure, one.measure.of, natives)) for one in call.figures]

    def row(document: Document) -> Document:
        made: Document = {name: write(document[ID].get(f"g{at}")) for at, (name, write) in enumerate(keys)}
        return {**made, **{name: read(document[f"m{at}"]) for at, (name, read) in enumerate(figures)}}

    def run(client: Any, given: Given) -> list[Document]:
        found = collection(client).aggregate([{"$match": asked(given)}, *stages], **options)
        return [row(one) for one in found]

    return run


def _group(one: Grouped, natives: Natives) -> Callable[[Any], str]:
    """A function from what the server grouped by to the text of the template."""
    holes = one.template.placeholders
    reads = [natives.back(hole.path) if not hole.filters else None for hole in holes]

    def written(found: Any) -> str:
        values = [found] if len(holes) == 1 else list(found or ())
        words = iter([read(value) if read else value for read, value in zip(reads, values, strict=True)])
        parts = (forms.text(next(words)) if isinstance(part, Placeholder) else part for part in one.template.parts)
        return "".join(parts)

    return written


def _figure(figure: str, of: str, natives: Natives) -> Callable[[Any], Any]:
    """How a figure of the server is read: of decimals as a decimal, else as it is."""
    if figure == "distinct":
        return int
    return lambda value: value.to_decimal() if hasattr(value, "to_decimal") else value
