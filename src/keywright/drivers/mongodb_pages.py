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

try:
    from pymongo import ReadPreference, UpdateOne, WriteConcern
    from pymongo.errors import BulkWriteError, WriteError
except ImportError as error:
    raise not_installed("mongodb") from error

LEAST = 20_000
"""Documents that a segment has at the least: a second of work, beside which its rows in the history cost nothing."""

SAMPLES = 20
"""Documents that are sampled for each segment: enough for segments of like size."""

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
        found = list(self.documents.find(wanted, self.shown, sort={"_id": 1}, limit=limit, batch_size=limit))
        items = tuple(map(self.item, found))
        return items, [to_json(found[-1]["_id"])] if len(found) == limit else None

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
        """See `Pages.write`: one unordered bulk."""
        if not changes:
            return ()
        updates = [UpdateOne(self._guard(one.item.handle), self._update(one)) for one in changes]
        rejected: dict[int, Outcome] = {}
        try:
            matched = self.documents.bulk_write(updates, ordered=False).matched_count
        except BulkWriteError as error:
            details: Any = error.details
            if details["writeConcernErrors"]:
                raise
            rejected = {one["index"]: _refused(one) for one in details["writeErrors"]}
            matched = details["nMatched"]
        if matched + len(rejected) == len(changes):
            return tuple(rejected.get(at, WRITTEN) for at in range(len(changes)))
        return self._told_apart(changes, rejected, matched)

    def _guard(self, document: Mapping[str, Any]) -> dict[str, Any]:
        wanted = guard(document, self.guarded, has_collation=self.has_collation)
        if self.work.version is not None:
            absent = {"$type": "null"} if self.attribute in document else {"$exists": False}
            before = document.get(self.attribute)
            wanted[self.attribute] = absent if before is None else before
        return wanted

    def _update(self, change: Change) -> dict[str, Any]:
        put: dict[str, Any] = {}
        gone: dict[str, Any] = {}
        for path, value in change.values.items():
            if value is REMOVED:
                gone[path] = 1
            else:
                put[path] = native(value)
        if self.work.version is not None:
            put[self.attribute] = self.work.version
        update = {"$set": put} if put else {}
        return {**update, "$unset": gone} if gone else update

    def _told_apart(self, changes: Sequence[Change], rejected: dict[int, Outcome], matched: int) -> tuple[Outcome, ...]:
        """Which changes were written, when the server tells only how many: those whose document is as they leave it.

        The number is kept: where others have written since, documents that need nothing more make it up.
        """
        now = {str([to_json(one["_id"])]): one for one in self._by_id([one.item.handle["_id"] for one in changes])}
        outcomes = dict(rejected)
        open_places = [at for at in range(len(changes)) if at not in rejected]

        def needs_nothing(at: int) -> bool:
            document = now.get(str(changes[at].item.key))
            return document is None or self.item(document).is_new

        def is_written(at: int) -> bool:
            document = now.get(str(changes[at].item.key))
            return document is not None and _holds(document, self._update(changes[at]))

        # The likeliest first; a stable sort keeps the rest in order.
        ranked = sorted(open_places, key=lambda at: (not is_written(at), not needs_nothing(at)))
        outcomes.update((at, WRITTEN if rank < matched else CONTENDED) for rank, at in enumerate(ranked))
        return tuple(outcomes[at] for at in range(len(changes)))

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
            items = tuple(map(self.item, self.documents.find(_both(among, self.of_entity), self.shown)))
            left = tuple(one for one in items if not one.is_new)
            return Ahead(end, 0, len(items) - len(left), left)
        read = limit if end and not self.of_entity else self.documents.count_documents(_both(among, self.of_entity))
        rest = {self.attribute: filter[self.attribute]} if self.work.version is not None else {"$nor": [filter]}
        is_whole = read == (done.modified_count if self.work.version is not None else done.matched_count)
        wanted = _both(among, {**self.of_entity, **rest})
        left = () if is_whole else tuple(map(self.item, self.documents.find(wanted, self.shown)))
        return Ahead(end, done.modified_count, max(0, read - done.modified_count - len(left)), left)


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


def _holds(document: Mapping[str, Any], update: dict[str, Any]) -> bool:
    """Whether a document is as an update leaves it."""
    missing = object()

    def at(path: str) -> Any:
        found: Any = document
        for name in path.split("."):
            found = found.get(name, missing) if isinstance(found, Mapping) else missing
        return found

    is_set = all(at(path) == value for path, value in update.get("$set", {}).items())
    return is_set and all(at(path) is missing for path in update.get("$unset", {}))


def _refused(error: dict[str, Any]) -> Outcome:
    """A document that the server refuses; its words, which may quote the document, are left out but for their code."""
    known = {121: "the collection's validator refuses the document as it would be", 11000: "a unique index refuses it"}
    return Outcome("rejected", known.get(error["code"], f"the server refuses it with error {error['code']}"))
