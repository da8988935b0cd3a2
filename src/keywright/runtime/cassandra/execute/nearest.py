"""Reads of the nearest vectors: one statement, whose rows are in the order of similarity and have no further page."""

from typing import Any

from keywright.access.search import Planned
from keywright.declare.answers import Page
from keywright.engines.cassandra.access import dml
from keywright.engines.cassandra.access.calls import NearestVectors, Select
from keywright.engines.cassandra.schema.target import KeyspaceTarget
from keywright.errors import UsageError
from keywright.runtime.cursor import opened
from keywright.runtime.items.codec import Codec, PatternFunction
from keywright.runtime.validate.arguments import Arguments, argument

from ..client_types import CassandraSession
from ..write import native_writer
from . import session as sessions
from .streams import Streams, check_limit


def prepare_nearest(
    planned: Planned[KeyspaceTarget], call: Select, nearest: NearestVectors, codec: Codec[Any]
) -> PatternFunction:
    """A search as a function of a session and a call."""
    streams, pattern = Streams(call), planned.pattern
    make = codec.from_part if call.partial else codec.from_item
    assert nearest.cell.type is not None
    write = native_writer(nearest.cell.type, nearest.cell.native)

    def page(session: CassandraSession, arguments: Arguments) -> Page[Any]:
        check_limit(arguments.limit)
        if arguments.cursor is not None:
            opened(pattern, arguments.cursor, _no_page)
        (vector,) = arguments.of(nearest.condition)
        if vector is None:
            name = argument(nearest.condition.field)
            raise UsageError(f'"{name}" is None, and a search needs a vector', f"write {name}=[...]")
        ((stream,),) = streams.groups(arguments)
        conditions = [*stream, *streams.ranges(arguments)]
        text = dml.select(call, [(column, operator, "?") for column, operator, _ in conditions], "?", "?")
        values = [*(value for _, _, value in conditions), write(vector), arguments.limit]
        # A page of the driver with less than the limit is a warning of the server.
        future = sessions.send(session, text, values, call.level, fetch_size=arguments.limit)
        return Page(tuple(make(row) for row in sessions.rows(future)))

    return page


def _no_page(state: bytes) -> None:
    raise ValueError("a search has one page")
