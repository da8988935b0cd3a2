"""Guarded writes of a page of documents, in as few requests as possible, and their outcomes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from keywright.drivers.mongodb.values import native, to_json
from keywright.drivers.translate_errors import not_installed
from keywright.engines.contract.pages import CONTENDED, WRITTEN, ChangeOutcome, ItemChange, Work
from keywright.ir.apply_transform import REMOVED

from .bulk_update import GuardedUpdate, together
from .unchanged import guard

try:
    from pymongo import UpdateOne
    from pymongo.errors import BulkWriteError, DocumentTooLarge, OperationFailure
except ImportError as error:
    raise not_installed("mongodb") from error


class PageWrites:
    """The writes of one backfill to a collection's documents, each on condition that its document is unchanged."""

    def __init__(
        self,
        collection: Any,
        work: Work,
        attribute: str,
        *,
        has_collation: bool,
        by_id: Callable[[Sequence[Any]], Iterator[dict[str, Any]]],
        is_new: Callable[[dict[str, Any]], bool],
    ) -> None:
        self.collection, self.work, self.attribute = collection, work, attribute
        self.has_collation, self.by_id, self.is_new = has_collation, by_id, is_new
        self.guarded = work.guarded
        self.compared = self.guarded if work.stamp is None else (*self.guarded, attribute)

    def write(self, changes: Sequence[ItemChange]) -> tuple[ChangeOutcome, ...]:
        """See `Pages.write`: as few statements as possible, with separate ones for documents that need them."""
        writes = [self._write(change) for change in changes]
        outcomes: dict[int, ChangeOutcome] = {}
        separate: Sequence[int] = range(len(writes))
        if not self.has_collation:
            statements, separate = together(writes, self.compared)
            grouped = sorted({*range(len(writes))} - {*separate})
            outcomes = self._together(writes, grouped, statements) if grouped else {}
            separate = [at for at in range(len(writes)) if at not in outcomes]
        outcomes |= self._one_by_one(writes, separate) if separate else {}
        return tuple(outcomes[at] for at in range(len(writes)))

    def _together(
        self, writes: Sequence[GuardedUpdate], places: Sequence[int], statements: list[Any]
    ) -> dict[int, ChangeOutcome]:
        """Outcomes of some writes; after an error, writes whose outcome is unknown are missing."""
        try:
            modified = self.collection.bulk_write(statements, ordered=False).modified_count
        except (OperationFailure, DocumentTooLarge) as error:
            _check_acknowledged(error)
            current = self._now(writes, places)
            return {at: WRITTEN for at in places if _holds(current.get(at), writes[at])}
        return self._outcomes(writes, places, modified)

    def _one_by_one(self, writes: Sequence[GuardedUpdate], places: Sequence[int]) -> dict[int, ChangeOutcome]:
        """Outcomes of some writes, in one unordered bulk."""
        updates = [UpdateOne(self._guard(writes[at].document), writes[at].update) for at in places]
        rejected: dict[int, ChangeOutcome] = {}
        try:
            matched = self.collection.bulk_write(updates, ordered=False).matched_count
        except BulkWriteError as error:
            _check_acknowledged(error)
            details: Any = error.details
            rejected = {places[detail["index"]]: _refused(detail) for detail in details["writeErrors"]}
            matched = details["nMatched"]
        return rejected | self._outcomes(writes, [at for at in places if at not in rejected], matched)

    def _guard(self, document: Mapping[str, Any]) -> dict[str, Any]:
        conditions = guard(document, self.guarded, has_collation=self.has_collation)
        if self.work.stamp is not None:
            absent = {"$type": "null"} if self.attribute in document else {"$exists": False}
            before = document.get(self.attribute)
            conditions[self.attribute] = absent if before is None else before
        return conditions

    def _write(self, change: ItemChange) -> GuardedUpdate:
        put: dict[str, Any] = {}
        removed: list[str] = []
        for path, value in change.values.items():
            if value is REMOVED:
                removed.append(path)
            else:
                put[path] = native(value)
        if self.work.stamp is not None:
            put[self.attribute] = self.work.stamp
        return GuardedUpdate(change.item.handle, put, tuple(removed))

    def _outcomes(
        self, writes: Sequence[GuardedUpdate], places: Sequence[int], written: int
    ) -> dict[int, ChangeOutcome]:
        """Outcomes of writes when the server reports only their number: written are those whose document matches.

        The number always agrees: if other clients have written since, documents that need no more changes complete it.
        """
        if written == len(places):
            return dict.fromkeys(places, WRITTEN)
        current = self._now(writes, places)

        def needs_nothing(at: int) -> bool:
            return at not in current or self.is_new(current[at])

        # The likeliest first; a stable sort keeps the others in order.
        ranked = sorted(places, key=lambda at: (not _holds(current.get(at), writes[at]), not needs_nothing(at)))
        return {at: WRITTEN if rank < written else CONTENDED for rank, at in enumerate(ranked)}

    def _now(self, writes: Sequence[GuardedUpdate], places: Sequence[int]) -> dict[int, dict[str, Any]]:
        """The present documents of some writes."""
        ids = {str(to_json(writes[at].document["_id"])): at for at in places}
        by_id = self.by_id([writes[at].document["_id"] for at in places])
        return {ids[str(to_json(document["_id"]))]: document for document in by_id}


def _holds(document: Mapping[str, Any] | None, write: GuardedUpdate) -> bool:
    """Whether a document exists and has the state that a write produces."""
    missing = object()

    def at(path: str) -> Any:
        stored: Any = document
        for name in path.split("."):
            stored = stored.get(name, missing) if isinstance(stored, Mapping) else missing
        return stored

    is_put = document is not None and all(at(path) == value for path, value in write.put.items())
    return is_put and all(at(path) is missing for path in write.unset)


def _check_acknowledged(error: Exception) -> None:
    """Raise the error if a majority has not acknowledged the writes."""
    if isinstance(error, BulkWriteError) and (error.details or {})["writeConcernErrors"]:
        raise error


def _refused(error: dict[str, Any]) -> ChangeOutcome:
    """The outcome for a rejected document, by the error's code only, because the message may quote the document."""
    reasons = {
        121: "the collection's validator rejects the new document",
        11000: "a unique index rejects it",
    }
    return ChangeOutcome("rejected", reasons.get(error["code"], f"the server rejects it with error {error['code']}"))
