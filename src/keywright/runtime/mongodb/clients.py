"""The client that `runtime.open` takes for MongoDB."""

from ..validate.clients import ExpectedClient

CLIENT = ExpectedClient(
    "a pymongo.MongoClient",
    lookalikes=(
        ("pymongo", "Database", "a database; pass its client: database.client"),
        ("pymongo", "Collection", "a collection; pass its client: collection.database.client"),
    ),
    asynchronous=("pymongo.asynchronous", "motor"),
)
"""A client of PyMongo."""
