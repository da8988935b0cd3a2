"""Whole documents: inserted where their key must be free, else put in the place of what is there."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from pymongo import InsertOne, ReplaceOne
from pymongo.errors import BulkWriteError, DuplicateKeyError
from pymongo.write_concern import WriteConcern

from keywright.engines.mongodb.access.calls import Put
from keywright.errors import UsageError
from keywright.runtime.codec import Codec
from keywright.runtime.given import ConditionFailed, Given

from .paging import ID, OPTIONS

Document = dict[str, Any]

Act: TypeAlias = Callable[[Any, Given, Any], Any]
"""(client, what the call gives, session or None)."""

DUPLICATE = 11000
"""The server's error code for a key that is taken."""

MAJORITY, ONE = WriteConcern(w="majority"), WriteConcern(w=1)


def collection_of(client: Any, database: str, name: str, is_strong: bool) -> Any:
    """The collection, written as durably as the pattern needs it."""
    return client[database].get_collection(name, codec_options=OPTIONS, write_concern=MAJORITY if is_strong else ONE)


def put(call: Put, codec: Codec[Any]) -> Act:
    """Whole documents."""
    writing = _Put(call)

    def run(client: Any, given: Given, session: Any) -> None:
        documents = [document for item in given.items for document in codec.to_items(item)]
        if not documents:
            raise UsageError("the call gives no item", "give one at least")
        if not call.if_absent or len(documents) == 1 or session is not None:
            writing.written(client, documents, session)
            return
        with client.start_session() as own:  # one whose key is taken must undo the others
            own.with_transaction(lambda own: writing.written(client, documents, own), write_concern=MAJORITY)

    return run


class _Put:
    """Writes whole documents."""

    def __init__(self, call: Put) -> None:
        self.call, self.inserts = call, call.if_absent or not call.has_id

    def written(self, client: Any, documents: list[Document], session: Any) -> None:
        """Write documents; ConditionFailed where a key is taken that must be free."""
        call = self.call
        collection = collection_of(client, call.database, call.collection, call.is_strong)
        try:
            if len(documents) > 1:
                requests = [self._request(one) for one in documents]
                collection.bulk_write(requests, ordered=session is not None, session=session)
            elif self.inserts:
                collection.insert_one(documents[0], session=session)
            else:
                self._replaced(collection, documents[0], session)
        except DuplicateKeyError as error:
            raise ConditionFailed(taken(error.details or {})) from error
        except BulkWriteError as error:
            first: Any = next(iter((error.details or {}).get("writeErrors", ())), {})
            if first.get("code") != DUPLICATE:
                raise
            raise ConditionFailed(taken(first)) from error

    def _request(self, document: Document) -> Any:
        return InsertOne(document) if self.inserts else ReplaceOne(self._filter(document), document, upsert=True)

    def _filter(self, document: Document) -> Document:
        return {ID: document[ID], **{path: along(document, path) for path in self.call.shard_paths}}

    def _replaced(self, collection: Any, document: Document, session: Any) -> None:
        try:
            collection.replace_one(self._filter(document), document, upsert=True, session=session)
        except DuplicateKeyError as error:
            # Without shards a document whose shard key changes is found by its id alone.
            if (
                not self.call.shard_paths
                or session is not None
                or ID not in (error.details or {}).get("keyPattern", {})
            ):
                raise
            collection.replace_one({ID: document[ID]}, document, upsert=True)


def taken(details: Mapping[str, Any]) -> str:
    """What to say of a key that is taken."""
    key = details.get("keyValue", {})
    names = ", ".join(f"{name} = {value!r}" for name, value in key.items())
    return f"there is a document with {names} already" if names else "there is such a document already"


def along(document: Any, path: str) -> Any:
    """The value at a dotted path; None where there is none."""
    for name in path.split("."):
        document = document.get(name) if isinstance(document, Mapping) else None
    return document
