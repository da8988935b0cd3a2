"""The parts of an application's Cassandra session that calls use; the driver declares no types."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol


class BoundStatement(Protocol):
    """A prepared statement with values."""

    prepared_statement: "PreparedStatement"
    """The prepared statement."""
    values: Sequence[Any]
    """The values in the form of the protocol."""
    consistency_level: int
    """The level of the statement."""
    serial_consistency_level: int
    """The level of its condition."""
    fetch_size: int
    """Rows of a page."""


class PreparedStatement(Protocol):
    """A statement that servers have parsed."""

    routing_key_indexes: Sequence[int] | None
    """Positions of the partition key among the values; None if it is not known."""
    result_metadata: Sequence[tuple[str, str, str, Any]]
    """(keyspace, table, name, type) of each column of an answer."""
    protocol_version: int
    """Version of the protocol that it was prepared with."""

    def bind(self, values: Sequence[Any]) -> BoundStatement:
        """The statement with values."""


class Answer(Protocol):
    """The rows of an answer, whose pages are fetched on demand."""

    @property
    def column_names(self) -> list[str]:
        """Names of the columns, in order."""

    def __iter__(self) -> Iterator[Any]: ...


class Future(Protocol):
    """The future of an answer."""

    def result(self) -> Answer:
        """The answer; raises the driver's exception for a failed statement."""


class CassandraSession(Protocol):
    """A session of a cluster."""

    def prepare(self, text: str, /) -> PreparedStatement:
        """Prepare a statement."""

    def execute_async(self, statement: Any, /) -> Future:
        """Send a statement."""
