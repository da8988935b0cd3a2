"""The types of an application's MongoDB client, with documents as dictionaries."""

from typing import Any, TypeAlias

from pymongo import MongoClient
from pymongo.client_session import ClientSession
from pymongo.collection import Collection

Document: TypeAlias = dict[str, Any]
"""A document, filter or stage in the form of the driver."""

Client: TypeAlias = MongoClient[Document]
"""The application's client."""

Documents: TypeAlias = Collection[Document]
"""A collection with the settings of a pattern."""

Session: TypeAlias = ClientSession
"""The session of a transaction."""
