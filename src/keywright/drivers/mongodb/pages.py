"""Pages of a collection's documents: ranges of `_id`, and pipelines that the server runs."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from keywright.declare.store import VERSION
from keywright.drivers.mongodb.values import CODEC, are_alike, as_stored, from_json, plain_items, to_json
from keywright.drivers.translate_errors import not_installed
from keywright.engines.contract.pages import MARK, Marks, Pages, ServerSideBatch, StoredItem, Work
from keywright.engines.mongodb.migrate import transform as compiler
from keywright.engines.mongodb.schema.marked_validators import admitting, without
from keywright.ir.json import Json

from .page_writes import PageWrites

try:
    import bson
    from pymongo import ReadPreference, WriteConcern
    from pymongo.errors import WriteError
except ImportError as error:
    raise not_installed("mongodb") from error

LEAST = 10_000
"""The approximate minimum of documents in a segment: some tenths of a second of work. This is long compared with the
cost of a segment's rows in the history, and short enough that no worker idles long at the end."""

SAMPLES = 50
"""Sampled documents for each segment: enough for segments of similar size."""

LEFT = 2000
"""The maximum of documents in memory of those that the server leaves to Python."""

_SAFE: Any = {"write_concern": WriteConcern("majority"), "read_preference": ReadPreference.PRIMARY}


def pages(client: Any, work: Work) -> Pages:
    """The documents of `database.collection`.

    Segments are ranges of `_id`, cursors and keys are lists of one `_id`, all in Extended JSON.
    """
    documents = _Documents(client, work)
    writes = PageWrites(
        documents.collection,
        work,
        documents.attribute,
        has_collation=documents.has_collation,
        by_id=documents.by_id,
        is_new=lambda document: documents.item(document).is_new,
    )
    return Pages(
        split=documents.split,
        page=documents.page,
        find=documents.find,
        write=writes.write,
        marks=Marks(
            admit=lambda: documents.validate(admitting),
            clear=documents.clear,
            dismiss=lambda: documents.validate(without),
        ),
        form=documents.form,
        server_side=documents.ahead if documents.server else None,
        estimate=documents.collection.estimated_document_count,
        keyed_by=("_id",),
        put=documents.put,
        remove=lambda key: documents.collection.delete_one({"_id": from_json(key[0])}) and None,  # type: ignore[index]
    )


class _Documents:
    """The operations on a collection's documents."""

    def __init__(self, client: Any, work: Work) -> None:
        database, _, name = work.object.partition(".")
        self.collection = client[database].get_collection(name, codec_options=CODEC, **_SAFE)
        self.work = work
        self.attribute = work.attribute or (MARK if work.once else VERSION)
        self.of_entity: dict[str, Any] = {}
        if (discriminator := work.discriminator) is not None:
            self.of_entity = {discriminator.attribute: {"$in": list(discriminator.values)}}
        self.has_collation = "collation" in self.collection.options()
        self.projection = dict.fromkeys(
            [path.partition(".")[0] for path in work.read_paths] + [self.attribute, "_id"], 1
        )
        server = None
        if work.transform and not self.has_collation:
            server = compiler.compile(
                work.transform, work.types, version=work.version, attribute=self.attribute
            )  # fmt: skip
        self.server: Any = server

    def form(self, path: str, value: Any) -> Any:
        """See `Pages.form`; most values are texts, which stay unchanged."""
        if type(value) is str and self.work.types.get(path, "string") == "string":
            return value
        return compiler.form(path, value, self.work.types.get(path))

    def split(self, count: int) -> tuple[Json, ...]:
        """Ranges between sampled values of `_id`; the first and last are unbounded, for later inserts."""
        count = min(count, self.collection.estimated_document_count() // LEAST)
        if count <= 1:
            return ({"from": None, "to": None},)
        sampled = self.collection.aggregate(
            [{"$sample": {"size": count * SAMPLES}}, {"$project": {"_id": 1}}, {"$sort": {"_id": 1}}], allowDiskUse=True
        )
        ids = [document["_id"] for document in sampled]
        bounds: list[Any] = []
        for bound in (ids[at] for at in range(SAMPLES, len(ids), SAMPLES)):
            if not bounds or bounds[-1] != bound:
                bounds.append(bound)
        limits: list[Json] = [None, *([to_json(bound)] for bound in bounds), None]
        return tuple({"from": low, "to": high} for low, high in itertools.pairwise(limits))

    def page(self, segment: Json, cursor: Json, limit: int) -> tuple[tuple[StoredItem, ...], Json]:
        """See `Pages.page`."""
        query = {**self.of_entity, **_range(segment, cursor)}
        documents, is_end = self._batch(query, limit)
        return tuple(map(self.item, documents)), None if is_end else [to_json(documents[-1]["_id"])]

    def _batch(self, query: dict[str, Any], limit: int) -> tuple[list[dict[str, Any]], bool]:
        """(the first documents of a query by `_id`, in one answer of at most 16 MB; whether these are all)."""
        raw_batches = self.collection.find_raw_batches(
            query, self.projection, sort={"_id": 1}, limit=limit, batch_size=limit
        )
        with raw_batches as batches:
            documents: list[dict[str, Any]] = bson.decode_all(next(batches, b""), CODEC)
            return documents, len(documents) < limit and not batches.alive

    def item(self, document: dict[str, Any]) -> StoredItem:
        """A document as an item; its handle is the document."""
        values = plain_items(document)
        is_new = self.work.is_processed(values.get(self.attribute))
        return StoredItem([to_json(document["_id"])], values, is_new, handle=document)

    def find(self, keys: Sequence[Json]) -> tuple[StoredItem | None, ...]:
        """See `Pages.find`."""
        ids = [from_json(key[0]) for key in keys]  # type: ignore[index]
        items = {str(item.key): item for item in map(self.item, self.by_id(ids))}
        return tuple(items.get(str(key)) for key in keys)

    def put(self, item: Mapping[str, Any]) -> Json:
        """See `Pages.put`; the discriminator of the entity is added."""
        document = as_stored({**self.of_entity, **item})
        self.collection.replace_one({"_id": document["_id"]}, document, upsert=True)
        return [to_json(document["_id"])]

    def by_id(self, ids: Sequence[Any]) -> Iterator[dict[str, Any]]:
        """The documents with some `_id`, in any order; missing ones are left out."""
        yield from self.collection.find({**self.of_entity, "_id": {"$in": list(ids)}}, self.projection)

    def ahead(self, segment: Json, cursor: Json, limit: int) -> ServerSideBatch:
        """See `Pages.server_side`: `updateMany` over at most `limit` documents."""
        id_range = _range(segment, cursor)
        end = self._end(id_range, limit)
        if end is not None:
            id_range = _range(segment, cursor, until=from_json(end[0]))
        filter, pipeline = self.server["filter"], self.server["pipeline"]
        try:
            result = self.collection.update_many(_both(id_range, {**self.of_entity, **filter}), pipeline)
        except WriteError:  # the collection rejects a document: only single writes show which one
            documents, is_all = self._batch(_both(id_range, self.of_entity), LEFT)
            items = tuple(map(self.item, documents))
            unwritten = tuple(item for item in items if not item.is_new)
            return ServerSideBatch(
                end if is_all else [to_json(documents[-1]["_id"])], 0, len(items) - len(unwritten), unwritten
            )
        read = limit if end and not self.of_entity else self.collection.count_documents(_both(id_range, self.of_entity))
        remaining = {self.attribute: filter[self.attribute]} if self.work.version is not None else {"$nor": [filter]}
        if read == (result.modified_count if self.work.version is not None else result.matched_count):
            return ServerSideBatch(end, result.modified_count, read - result.modified_count, ())
        documents, is_all = self._batch(_both(id_range, {**self.of_entity, **remaining}), LEFT)
        if not is_all:  # documents after them that were already written are new on the next page
            end = [to_json(documents[-1]["_id"])]
            id_range = _range(segment, cursor, until=documents[-1]["_id"])
            read = self.collection.count_documents(_both(id_range, self.of_entity))
        handled = max(0, read - len(documents))
        written = min(result.modified_count, handled)
        return ServerSideBatch(end, written, handled - written, tuple(map(self.item, documents)))

    def _end(self, id_range: dict[str, Any], limit: int) -> list[Json] | None:
        """The cursor of the last of `limit` documents; None if there are fewer."""
        ids = self.collection.find(id_range, {"_id": 1}, sort={"_id": 1}, hint={"_id": 1}, skip=limit - 1, limit=1)
        last = next(iter(ids), None)
        return None if last is None else [to_json(last["_id"])]

    def clear(self, segment: Json, cursor: Json, limit: int) -> Json:
        """See `Marks.clear`."""
        id_range = _range(segment, cursor)
        if (end := self._end(id_range, limit)) is not None:
            id_range = _range(segment, cursor, until=from_json(end[0]))
        marked = {**self.of_entity, self.attribute: self.work.once}
        self.collection.update_many(_both(id_range, marked), {"$unset": {self.attribute: ""}})
        return end

    def validate(self, change: Callable[[Json], Json]) -> None:
        """Give the collection a changed validator, if it has one and the change has an effect."""
        validator = self.collection.options().get("validator")
        if validator and (changed := change(validator)) != validator:
            self.collection.database.command("collMod", self.collection.name, validator=changed)


def _range(segment: Any, cursor: Any, until: Any = None) -> dict[str, Any]:
    """The documents of a segment after a cursor, up to an inclusive end."""
    low = cursor or segment["from"]
    high = [until] if until is not None else segment["to"] and [from_json(segment["to"][0])]
    above, below = "$gt" if cursor else "$gte", "$lte" if until is not None else "$lt"
    if low and high and are_alike(from_json(low[0]), high[0]):
        return {"_id": {above: from_json(low[0]), below: high[0]}}
    # A plain comparison finds only values of the type of its operand.
    bounds: list[Any] = [{above: ["$_id", {"$literal": from_json(low[0])}]}] if low else []
    bounds += [{below: ["$_id", {"$literal": high[0]}]}] if high else []
    return {"$expr": {"$and": bounds}} if bounds else {}


def _both(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """A filter for documents that meet both."""
    return {"$and": [first, second]} if first.keys() & second.keys() else {**first, **second}
