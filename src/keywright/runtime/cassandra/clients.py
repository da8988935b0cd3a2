"""The client that `runtime.open` takes for Cassandra."""

from ..validate.clients import ExpectedClient

CLIENT = ExpectedClient(
    "a session of the DataStax driver: Cluster(...).connect()",
    lookalikes=(("cassandra.cluster", "Cluster", "a cluster; pass cluster.connect()"),),
)
"""A session of the DataStax driver."""
