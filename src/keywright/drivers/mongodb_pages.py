"""Documents of a collection page by page: ranges of `_id`, guarded bulk writes, and pipelines that the server runs."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from keywright.declare.store import VERSION
from keywright.drivers.extras import not_installed
from keywright.drivers.mongodb_values import CODEC, are_alike, from_json, held, native, plain_items, to_json
from keywright.engines.mongodb import transform as compiler
from keywright.engines.pages import CONTENDED, WRITTEN, Ahead, Change, Item, Outcome, Pages, Work
from keywright.ir.json import Json
from keywright.ir.transformed import REMOVED

from .mongodb_guard import guard
from .mongodb_together import Write, together

try:
    import bson
    from pymongo import ReadPreference, UpdateOne, WriteConcern
    from pymongo.errors import BulkWriteError, DocumentTooLarge, OperationFailure, WriteError
except ImportError as error:
    raise not_installed("mongodb") from error

LEAST = 10_000
"""About how many documents a segment has at the least: some tenths of a second of work, beside which its rows in the
history cost little, and no worker is long without one at the end."""

SAMPLES = 50
"""Documents that are sampled for each segment: enough for segments of like size."""

LEFT = 2000
"""The most documents that are held of those that the server leaves to Python."""

_SAFE: Any = {"write_concern": WriteConcern("majority"), "read_preference": ReadPreference.PRIMARY}


def pages(asking: Any, work: Work) -> Pages:
    """The documents of `database.collection`.

    Segments are ranges of `_id`, cursors and keys lists of the one `_id`, all in Extended JSON.
    """
    of = _Documents(asking, work)
    return Pages(
        split=of.split,
        page=of.page,
        find=of.find,
        write=of.write,
        form=of.form,
        server_side=of.ahead if of.server else None,
        estimate=of.documents.estimated_document_count,
        keyed_by=("_id",),
        put=of.put,
        remove=lambda key: of.documents.delete_one({"_id": from_json(key[0])}) and None,  # type: ignore[index]
    )


class _Documents:
    """A collection, and what is done to the documents in it."""

    def __init__(self, asking: Any, work: Work) -> None:
        database, _, name = work.object.partition(".")
        self.documents = asking[database].get_collection(name, codec_options=CODEC, **_SAFE)
        self.work = work
        self.attribute = work.attribute or VERSION
        self.guarded = work.guarded
        self.compared = work.guarded if work.version is None else (*work.guarded, self.attribute)
        self.of_entity: dict[str, Any] = dict([work.mark]) if work.mark else {}
        self.has_collation = "collation" in self.documents.options()
        self.shown = dict.fromkeys([path.partition(".")[0] for path in work.looked_at] + [self.attribute, "_id"], 1)
        server = None
        if work.transform and not self.has_collation:
            server = compiler.compile(
                work.transform, work.types, version=work.version, attribute=self.attribute
            )  # fmt: skip
        self.server: Any = server

    def form(self, path: str, value: Any) -> Any:
        """See `Pages.form`; most values are texts, and stay."""
        if type(value) is str and self.work.types.get(path, "string") == "string":
            return value
        return compiler.form(path, value, self.work.types.get(path))

    def split(self, count: int) -> tuple[Json, ...]:
        """Ranges between sampled values of `_id`; the first and last have no bound, for what is inserted meanwhile."""
        count = min(count, self.documents.estimated_document_count() // LEAST)
        if count <= 1:
            return ({"from": None, "to": None},)
        sampled = self.documents.aggregate(
            [{"$sample": {"size": count * SAMPLES}}, {"$project": {"_id": 1}}, {"$sort": {"_id": 1}}], allowDiskUse=True
        )
        ids = [one["_id"] for one in sampled]
        bounds: list[Any] = []
        for one in (ids[at] for at in range(SAMPLES, len(ids), SAMPLES)):
            if not bounds or bounds[-1] != one:
                bounds.append(one)
        ends: list[Json] = [None, *([to_json(one)] for one in bounds), None]
        return tuple({"from": low, "to": high} for low, high in itertools.pairwise(ends))

    def page(self, segment: Json, cursor: Json, limit: int) -> tuple[tuple[Item, ...], Json]:
        """See `Pages.page`."""
        wanted = {**self.of_entity, **_range(segment, cursor)}
        found, is_end = self._batch(wanted, limit)
        return tuple(map(self.item, found)), None if is_end else [to_json(found[-1]["_id"])]

    def _batch(self, wanted: dict[str, Any], limit: int) -> tuple[list[dict[str, Any]], bool]:
        """(the first of some documents in the order of `_id`, in one answer, which has 16 MB at most; whether all)."""
        asked = self.documents.find_raw_batches(wanted, self.shown, sort={"_id": 1}, limit=limit, batch_size=limit)
        with asked as batches:
            found: list[dict[str, Any]] = bson.decode_all(next(batches, b""), CODEC)
            return found, len(found) < limit and not batches.alive

    def item(self, document: dict[str, Any]) -> Item:
        """A document as an item; its handle is the document."""
        values = plain_items(document)
        version = values.get(self.attribute)
        is_number = isinstance(version, (int, float, Decimal)) and not isinstance(version, bool)
        is_new = self.work.version is not None and is_number and version >= self.work.version  # type: ignore[operator]
        return Item([to_json(document["_id"])], values, is_new, handle=document)

    def find(self, keys: Sequence[Json]) -> tuple[Item | None, ...]:
        """See `Pages.find`."""
        ids = [from_json(key[0]) for key in keys]  # type: ignore[index]
        found = {str(item.key): item for item in map(self.item, self._by_id(ids))}
        return tuple(found.get(str(key)) for key in keys)

    def put(self, item: Mapping[str, Any]) -> Json:
        """See `Pages.put`; the mark of the entity comes by itself."""
        document = held({**self.of_entity, **item})
        self.documents.replace_one({"_id": document["_id"]}, document, upsert=True)
        return [to_json(document["_id"])]

    def _by_id(self, ids: Sequence[Any]) -> Iterator[dict[str, Any]]:
        yield from self.documents.find({**self.of_entity, "_id": {"$in": list(ids)}}, self.shown)

    def write(self, changes: Sequence[Change]) -> tuple[Outcome, ...]:
        """See `Pages.write`: as few statements as there can be, and one for each document that needs one."""
        writes = [self._write(one) for one in changes]
        outcomes: dict[int, Outcome] = {}
        alone: Sequence[int] = range(len(writes))
        if not self.has_collation:
            statements, alone = together(writes, self.compared)
            places = sorted({*range(len(writes))} - {*alone})
            outcomes = self._together(writes, places, statements) if places else {}
            alone = [at for at in range(len(writes)) if at not in outcomes]
        outcomes |= self._one_by_one(writes, alone) if alone else {}
        return tuple(outcomes[at] for at in range(len(writes)))

    def _together(self, writes: Sequence[Write], places: Sequence[int], statements: list[Any]) -> dict[int, Outcome]:
        """What became of the writes at some places; nothing is said of those that one refusal has kept back."""
        try:
            modified = self.documents.bulk_write(statements, ordered=False).modified_count
        except (OperationFailure, DocumentTooLarge) as error:
            _check_acknowledged(error)
            now = self._now(writes, places)
            return {at: WRITTEN for at in places if _holds(now.get(at), writes[at])}
        return self._told_apart(writes, places, modified)

    def _one_by_one(self, writes: Sequence[Write], places: Sequence[int]) -> dict[int, Outcome]:
        """What became of the writes at some places, in one unordered bulk."""
        updates = [UpdateOne(self._guard(writes[at].document), writes[at].update) for at in places]
        rejected: dict[int, Outcome] = {}
        try:
            matched = self.documents.bulk_write(updates, ordered=False).matched_count
        except BulkWriteError as error:
            _check_acknowledged(error)
            details: Any = error.details
            rejected = {places[one["index"]]: _refused(one) for one in details["writeErrors"]}
            matched = details["nMatched"]
        return rejected | self._told_apart(writes, [at for at in places if at not in rejected], matched)

    def _guard(self, document: Mapping[str, Any]) -> dict[str, Any]:
        wanted = guard(document, self.guarded, has_collation=self.has_collation)
        if self.work.version is not None:
            absent = {"$type": "null"} if self.attribute in document else {"$exists": False}
            before = document.get(self.attribute)
            wanted[self.attribute] = absent if before is None else before
        return wanted

    def _write(self, change: Change) -> Write:
        put: dict[str, Any] = {}
        gone: list[str] = []
        for path, value in change.values.items():
            if value is REMOVED:
                gone.append(path)
            else:
                put[path] = native(value)
        if self.work.version is not None:
            put[self.attribute] = self.work.version
        return Write(change.item.handle, put, tuple(gone))

    def _told_apart(self, writes: Sequence[Write], places: Sequence[int], written: int) -> dict[int, Outcome]:
        """Which were written, when the server tells only how many: those whose document is as they leave it.

        The number is kept: where others have written since, documents that need nothing more make it up.
        """
        if written == len(places):
            return dict.fromkeys(places, WRITTEN)
        now = self._now(writes, places)

        def needs_nothing(at: int) -> bool:
            return at not in now or self.item(now[at]).is_new

        # The likeliest first; a stable sort keeps the rest in order.
        ranked = sorted(places, key=lambda at: (not _holds(now.get(at), writes[at]), not needs_nothing(at)))
        return {at: WRITTEN if rank < written else CONTENDED for rank, at in enumerate(ranked)}

    def _now(self, writes: Sequence[Write], places: Sequence[int]) -> dict[int, dict[str, Any]]:
        """The documents at some places as they are by now."""
        ids = {str(to_json(writes[at].document["_id"])): at for at in places}
        found = self._by_id([writes[at].document["_id"] for at in places])
        return {ids[str(to_json(one["_id"]))]: one for one in found}

    def ahead(self, segment: Json, cursor: Json, limit: int) -> Ahead:
        """See `Pages.server_side`: `updateMany` over as many documents as the limit says."""
        among = _range(segment, cursor)
        ids = self.documents.find(among, {"_id": 1}, sort={"_id": 1}, hint={"_id": 1}, skip=limit - 1, limit=1)
        last = next(iter(ids), None)
        end: Json = None
        if last is not None:
            end = [to_json(last["_id"])]
            among = _range(segment, cursor, until=last["_id"])
        filter, pipeline = self.server["filter"], self.server["pipeline"]
        try:
            done = self.documents.update_many(_both(among, {**self.of_entity, **filter}), pipeline)
        except WriteError:  # a document that the collection refuses: only one by one do we learn which
            found, is_all = self._batch(_both(among, self.of_entity), LEFT)
            items = tuple(map(self.item, found))
            left = tuple(one for one in items if not one.is_new)
            return Ahead(end if is_all else [to_json(found[-1]["_id"])], 0, len(items) - len(left), left)
        read = limit if end and not self.of_entity else self.documents.count_documents(_both(among, self.of_entity))
        rest = {self.attribute: filter[self.attribute]} if self.work.version is not None else {"$nor": [filter]}
        if read == (done.modified_count if self.work.version is not None else done.matched_count):
            return Ahead(end, done.modified_count, read - done.modified_count, ())
        found, is_all = self._batch(_both(among, {**self.of_entity, **rest}), LEFT)
        if not is_all:  # what was written behind them is new when it is met again
            end = [to_json(found[-1]["_id"])]
            among = _range(segment, cursor, until=found[-1]["_id"])
            read = self.documents.count_documents(_both(among, self.of_entity))
        others = max(0, read - len(found))
        written = min(done.modified_count, others)
        return Ahead(end, written, others - written, tuple(map(self.item, found)))


def _range(segment: Any, cursor: Any, until: Any = None) -> dict[str, Any]:
    """The documents of a segment behind a cursor, up to one that is included."""
    low = cursor or segment["from"]
    high = [until] if until is not None else segment["to"] and [from_json(segment["to"][0])]
    above, below = "$gt" if cursor else "$gte", "$lte" if until is not None else "$lt"
    if low and high and are_alike(from_json(low[0]), high[0]):
        return {"_id": {above: from_json(low[0]), below: high[0]}}
    # A plain comparison sees only values of the type that it is given.
    bounds: list[Any] = [{above: ["$_id", {"$literal": from_json(low[0])}]}] if low else []
    bounds += [{below: ["$_id", {"$literal": high[0]}]}] if high else []
    return {"$expr": {"$and": bounds}} if bounds else {}


def _both(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """What fulfils both."""
    return {"$and": [one, other]} if one.keys() & other.keys() else {**one, **other}


def _holds(document: Mapping[str, Any] | None, write: Write) -> bool:
    """Whether a document is there and as a write leaves it."""
    missing = object()

    def at(path: str) -> Any:
        found: Any = document
        for name in path.split("."):
            found = found.get(name, missing) if isinstance(found, Mapping) else missing
        return found

    is_put = document is not None and all(at(path) == value for path, value in write.put.items())
    return is_put and all(at(path) is missing for path in write.gone)


def _check_acknowledged(error: Exception) -> None:
    """Raise it if servers have not said that what was written will stay."""
    if isinstance(error, BulkWriteError) and (error.details or {})["writeConcernErrors"]:
        raise error


def _refused(error: dict[str, Any]) -> Outcome:
    """A document that the server refuses; its words, which may quote the document, are left out but for their code."""
    known = {121: "the collection's validator refuses the document as it would be", 11000: "a unique index refuses it"}
    return Outcome("rejected", known.get(error["code"], f"the server refuses it with error {error['code']}"))
