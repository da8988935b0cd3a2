"""Puts: whole documents, inserted if their key must be free, else replacing existing documents."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from pymongo import InsertOne, ReplaceOne
from pymongo.errors import BulkWriteError, DuplicateKeyError
from pymongo.write_concern import WriteConcern

from keywright.engines.mongodb.access.calls import PutDocuments
from keywright.errors import UsageError
from keywright.runtime.items.codec import Codec
from keywright.runtime.validate.arguments import Arguments, ConditionFailed

from ..client_types import Client, Document, Documents, Session
from .paging import ID, OPTIONS

Act: TypeAlias = Callable[[Client, Arguments, Session | None], Any]
"""(client, arguments of the call, session or None)."""

DUPLICATE = 11000
"""The server's error code for an existing key."""

MAJORITY, ONE = WriteConcern(w="majority"), WriteConcern(w=1)


def collection_of(client: Client, database: str, name: str, is_strong: bool) -> Documents:
    """The collection, with the pattern's write concern."""
    return client[database].get_collection(name, codec_options=OPTIONS, write_concern=MAJORITY if is_strong else ONE)


def put(call: PutDocuments, codec: Codec[Any]) -> Act:
    """A put of whole documents."""
    writer = _Put(call)

    def run(client: Client, arguments: Arguments, session: Session | None) -> None:
        documents = [document for item in arguments.items for document in codec.to_items(item)]
        if not documents:
            raise UsageError("the call has no item", "pass at least one")
        if not call.if_absent or len(documents) == 1 or session is not None:
            writer.write(client, documents, session)
            return
        with client.start_session() as transaction:  # an existing key must undo the other inserts
            transaction.with_transaction(lambda own: writer.write(client, documents, own), write_concern=MAJORITY)

    return run


class _Put:
    """Writes whole documents."""

    def __init__(self, call: PutDocuments) -> None:
        self.call, self.inserts = call, call.if_absent or not call.has_id

    def write(self, client: Client, documents: list[Document], session: Session | None) -> None:
        """Write documents; ConditionFailed if a key exists that must be free."""
        call = self.call
        collection = collection_of(client, call.database, call.collection, call.is_strong)
        try:
            if len(documents) > 1:
                requests = [self._request(document) for document in documents]
                collection.bulk_write(requests, ordered=session is not None, session=session)
            elif self.inserts:
                collection.insert_one(documents[0], session=session)
            else:
                self._replaced(collection, documents[0], session)
        except DuplicateKeyError as error:
            raise ConditionFailed(exists_message(error.details or {})) from error
        except BulkWriteError as error:
            first: Any = next(iter((error.details or {}).get("writeErrors", ())), {})
            if first.get("code") != DUPLICATE:
                raise
            raise ConditionFailed(exists_message(first)) from error

    def _request(self, document: Document) -> InsertOne[Document] | ReplaceOne[Document]:
        return InsertOne(document) if self.inserts else ReplaceOne(self._filter(document), document, upsert=True)

    def _filter(self, document: Document) -> Document:
        return {ID: document[ID], **{path: along(document, path) for path in self.call.shard_paths}}

    def _replaced(self, collection: Documents, document: Document, session: Session | None) -> None:
        try:
            collection.replace_one(self._filter(document), document, upsert=True, session=session)
        except DuplicateKeyError as error:
            # Without shards, the id alone selects a document whose shard key changes.
            if (
                not self.call.shard_paths
                or session is not None
                or ID not in (error.details or {}).get("keyPattern", {})
            ):
                raise
            collection.replace_one({ID: document[ID]}, document, upsert=True)


def exists_message(details: Mapping[str, Any]) -> str:
    """The message about an existing key. It names only fields: messages are logged, and a value may be personal."""
    names = " and ".join(f'"{name}"' for name in details.get("keyPattern", {}))
    return f"a document with the same {names} exists" if names else "the document exists"


def along(document: Any, path: str) -> Any:
    """The value at a dotted path; None for a missing value."""
    for name in path.split("."):
        document = document.get(name) if isinstance(document, Mapping) else None
    return document
