"""Calls of gets, reads, searches, distances, counts and aggregates."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pymongo import ReadPreference
from pymongo.read_concern import ReadConcern

from keywright.declare.answers import Page
from keywright.engines.mongodb.access.calls import Aggregated, CountDocuments, Find, Grouped, Near, Search
from keywright.engines.mongodb.access.pipeline import DISTANCE, SCORE, grouping, lookup_stage, projection
from keywright.engines.mongodb.access.selection import Selection
from keywright.errors import UsageError
from keywright.ir.pattern import Pattern
from keywright.ir.template import Placeholder
from keywright.runtime.items import text as forms
from keywright.runtime.items.codec import Codec, PatternFunction, Unreadable
from keywright.runtime.validate.arguments import Arguments

from ..client_types import Client, Document, Documents
from .choose import filter_maker, is_empty
from .native import Natives
from .paging import ID, OPTIONS, PageEnd, Places, Scanning, behind, ended, keys_of, open_fields
from .paging_rules import all_behind, ended_by_rules, unseen

ReadDocument = Callable[[Any], Any]


def collection_of(selection: Selection, is_strong: bool = False) -> Callable[[Client], Documents]:
    """A function that returns the client's collection with the pattern's read settings."""
    database, name = selection.database, selection.collection

    def get_collection(client: Client) -> Documents:
        options: dict[str, Any] = {"codec_options": OPTIONS}
        if is_strong:
            options |= {"read_concern": ReadConcern("majority"), "read_preference": ReadPreference.PRIMARY}
        return client[database].get_collection(name, **options)

    return get_collection


def options_of(selection: Selection) -> dict[str, Any]:
    """The hint and the collation of a request."""
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
) -> PatternFunction:
    """Reads of documents in order."""
    filter_for, places = filter_maker(call.selection, natives), Places(pattern)
    collection, options = collection_of(call.selection, call.is_strong), options_of(call.selection)
    keys, full_sort = keys_of(call.sort), [(field.path, field.direction) for field in call.sort]
    unpaged_projection = projection(call.paths) if call.paths else None
    paged_projection = projection((*call.paths, *call.also)) if call.paths else None
    read = _reader(call, codec, joined)
    is_get, is_none = pattern.kind == "get", is_empty(call.selection)

    def run(client: Client, arguments: Arguments) -> Any:
        place = places.read(arguments.cursor)
        if is_none(arguments):
            return None if is_get else Page(())
        filter = filter_for(arguments)
        if place is not None:
            start = all_behind(place) if call.is_by_rules else place
            filter = {**filter, "$and": [*filter.get("$and", ()), *behind(call.sort, start, scanning)]}
        limit = 1 if is_get else _positive(arguments.limit)
        if is_get:
            page = _fetch(collection(client), filter, limit)
            return read(page[0]) if page else None
        page = _page(collection(client), filter, limit, place)
        cursor = None
        if limit is not None and len(page) == limit:
            cursor = places.text(_ended(collection(client), page, place))
        return Page(tuple(map(read, page)), cursor)

    def _page(collection: Documents, filter: Document, limit: int | None, place: PageEnd | None) -> list[Document]:
        if not call.is_by_rules:
            return _fetch(collection, filter, limit)
        excluded = len(place.seen) if place is not None else 0
        return unseen(_fetch(collection, filter, limit + excluded if limit is not None else None), place, limit)

    def _ended(collection: Documents, documents: list[Document], place: PageEnd | None) -> PageEnd:
        if not call.is_by_rules:
            return ended(documents, keys, place)
        rules = {"collation": options["collation"]} if "collation" in options else {}
        return ended_by_rules(
            documents, call.sort, keys, place, lambda tied: list(collection.find(tied, {ID: 1}, **rules))
        )

    def _fetch(collection: Documents, filter: Document, limit: int | None) -> list[Document]:
        sort = open_fields(call.sort, filter) if scanning == "merged" else full_sort
        if call.lookups:
            stages: list[Document] = [{"$match": filter}]
            stages += [{"$sort": dict(sort)}] if sort else []
            stages += [{"$limit": limit}] if limit is not None else []
            stages += [lookup_stage(lookup) for lookup in call.lookups]
            return list(collection.aggregate(stages, **options))
        fields = unpaged_projection if limit is None else paged_projection
        cursor = collection.find(filter, fields, limit=limit or 0, **options)
        return list(cursor.sort(sort) if sort else cursor)

    return run


def _positive(limit: int | None) -> int | None:
    if limit is not None and limit < 1:
        raise UsageError(f"limit={limit}: a page has at least one item", "pass a limit of 1 or more, or none")
    return limit


def _reader(call: Find | Search | Near, codec: Codec[Any], joined: Mapping[str, Codec[Any]]) -> ReadDocument:
    """A function that converts a document to the answer of the call."""
    if call.paths:
        tops = {path.partition(".")[0] for path in call.paths}

        def part(document: Document) -> Any:
            return codec.from_part({name: value for name, value in document.items() if name in tops})

        return part
    lookups = call.lookups if isinstance(call, Find) else ()
    if not lookups:
        return codec.from_item

    def with_others(document: Document) -> Any:
        joined_items: dict[str, tuple[Any, ...]] = {}
        for lookup in lookups:
            joined_codec, names = joined.get(lookup.join.entity), {path: field for field, path in lookup.fields}
            matches = document.pop(lookup.into)
            make = (
                joined_codec.from_part
                if joined_codec
                else lambda item, names=names: {names.get(key, key): item[key] for key in item}
            )
            joined_items[lookup.join.entity] = tuple(map(make, matches))
        unreadable = codec.from_item(document)
        return unreadable if type(unreadable) is Unreadable else (unreadable, joined_items)

    return with_others


def search(call: Search, pattern: Pattern, codec: Codec[Any], natives: Natives) -> PatternFunction:
    """Documents by text search, the best matches first; equal matches by id."""
    filter_for, places = filter_maker(call.selection, natives), Places(pattern)
    collection, read = collection_of(call.selection, call.is_strong), _reader(call, codec, {})
    is_get = pattern.kind == "get"

    def run(client: Client, arguments: Arguments) -> Any:
        place, limit = places.read(arguments.cursor), 1 if is_get else _positive(arguments.limit)
        stages: list[Document] = [{"$match": filter_for(arguments)}, {"$set": {SCORE: {"$meta": "textScore"}}}]
        if place is not None:
            (score,), (last,) = place.keys, place.seen[-1:]
            alternatives = [{SCORE: {"$lt": score}}, {SCORE: score, ID: {"$gt": last}}]
            stages.append({"$match": {"$or": alternatives}})
        stages.append({"$sort": {SCORE: -1, ID: 1}})
        stages += [{"$limit": limit}] if limit is not None else []
        stages += [{"$project": projection((*call.paths, SCORE, ID))}] if call.paths else []
        documents = list(collection(client).aggregate(stages))
        return _answer(
            documents, limit, is_get, read, places, lambda last: PageEnd((last[-1][SCORE],), (last[-1][ID],))
        )

    return run


def near(call: Near, pattern: Pattern, codec: Codec[Any], natives: Natives) -> PatternFunction:
    """Documents by distance, the nearest first."""
    filter_for, places = filter_maker(call.selection, natives), Places(pattern)
    collection, read = collection_of(call.selection, call.is_strong), _reader(call, codec, {})
    is_get = pattern.kind == "get"

    def run(client: Client, arguments: Arguments) -> Any:
        place, limit = places.read(arguments.cursor), 1 if is_get else _positive(arguments.limit)
        stage: Document = {
            "key": call.path,
            "distanceField": DISTANCE,
            "spherical": True,
            "query": filter_for(arguments),
        }
        stage |= _point(arguments.of(call.near)[0], call.near.field)
        stages: list[Document] = [{"$geoNear": stage}]
        if place is not None:
            (distance,) = place.keys
            stage["minDistance"] = distance * (1 - 1e-12)  # the server rounds the distance before it compares
            equal = {DISTANCE: distance, ID: {"$nin": list(place.seen)}}
            stages.append({"$match": {"$or": [{DISTANCE: {"$gt": distance}}, equal]}})
        stages += [{"$limit": limit}] if limit is not None else []
        stages += [{"$project": projection((*call.paths, DISTANCE, ID))}] if call.paths else []
        documents = list(collection(client).aggregate(stages))
        return _answer(
            documents,
            limit,
            is_get,
            read,
            places,
            lambda page: ended(page, lambda document: (document[DISTANCE],), place),
        )

    return run


def _point(value: Any, field: str) -> Document:
    try:
        longitude, latitude, *metres = value
        point = {"type": "Point", "coordinates": [float(longitude), float(latitude)]}
        return {"near": point, **({"maxDistance": float(metres[0])} if metres else {})}
    except (TypeError, ValueError):
        help = f"write {field}=(longitude, latitude), or (longitude, latitude, metres)"
        raise UsageError(f'"{field}" is not a point', help) from None


def _answer(
    documents: list[Document],
    limit: int | None,
    is_get: bool,
    read: ReadDocument,
    places: Places,
    page_end: Callable[[Sequence[Document]], PageEnd],
) -> Any:
    if is_get:
        return read(documents[0]) if documents else None
    cursor = places.text(page_end(documents)) if limit is not None and len(documents) == limit else None
    return Page(tuple(map(read, documents)), cursor)


def count(call: CountDocuments, natives: Natives) -> PatternFunction:
    """The number of documents."""
    filter_for, collection, options = (
        filter_maker(call.selection, natives),
        collection_of(call.selection),
        options_of(call.selection),
    )
    return lambda client, arguments: collection(client).count_documents(filter_for(arguments), **options)


def aggregate(call: Aggregated, natives: Natives) -> PatternFunction:
    """Figures of groups."""
    filter_for, collection, options = (
        filter_maker(call.selection, natives),
        collection_of(call.selection),
        options_of(call.selection),
    )
    stages = grouping(call)
    keys = [(group.template.text, _group(group, natives)) for group in call.groups]
    figures = [
        (figure.measure.name, _figure(figure.measure.figure, figure.measure.of, natives)) for figure in call.figures
    ]

    def row(document: Document) -> Document:
        texts: Document = {name: write(document[ID].get(f"g{at}")) for at, (name, write) in enumerate(keys)}
        return {**texts, **{name: read(document[f"m{at}"]) for at, (name, read) in enumerate(figures)}}

    def run(client: Client, arguments: Arguments) -> list[Document]:
        documents = collection(client).aggregate([{"$match": filter_for(arguments)}, *stages], **options)
        return [row(document) for document in documents]

    return run


def _group(grouped: Grouped, natives: Natives) -> Callable[[Any], str]:
    """A function that returns the template's text for the server's group key."""
    placeholders = grouped.template.placeholders
    reads = [natives.back(placeholder.path) if not placeholder.filters else None for placeholder in placeholders]

    def text_of(group_key: Any) -> str:
        values = [group_key] if len(placeholders) == 1 else list(group_key or ())
        words = iter([read(value) if read else value for read, value in zip(reads, values, strict=True)])
        parts = (forms.text(next(words)) if isinstance(part, Placeholder) else part for part in grouped.template.parts)
        return "".join(parts)

    return text_of


def _figure(figure: str, of: str, natives: Natives) -> Callable[[Any], Any]:
    """The conversion of a server's figure: decimals to Decimal, other values unchanged."""
    if figure == "distinct":
        return int
    return lambda value: value.to_decimal() if hasattr(value, "to_decimal") else value
