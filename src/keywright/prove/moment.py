"""UUIDs of version 1 ordered by their time, as Cassandra orders a `timeuuid`."""

from typing import Any
from uuid import UUID


def moment(value: Any) -> Any:
    """A UUID, or its text, that compares by its time, then by its other half as signed bytes.

    Source: https://cassandra.apache.org/doc/latest/cassandra/developing/cql/functions.html#timeuuid-functions,
    2026-11-22; the order of equal times was measured on Cassandra 5.0.
    """
    return _Moment(int=value.int) if isinstance(value, UUID) else _Text(value)


def _sort_key(value: Any) -> tuple[int, bytes]:
    uuid = value if isinstance(value, UUID) else UUID(value)
    return uuid.time, bytes(byte ^ 0x80 for byte in uuid.bytes[8:])


class _Moment(UUID):
    def __lt__(self, other: Any) -> bool:
        return _sort_key(self) < _sort_key(other)

    def __le__(self, other: Any) -> bool:
        return _sort_key(self) <= _sort_key(other)

    def __gt__(self, other: Any) -> bool:
        return _sort_key(self) > _sort_key(other)

    def __ge__(self, other: Any) -> bool:
        return _sort_key(self) >= _sort_key(other)


class _Text(str):
    __slots__ = ()
    __lt__, __le__, __gt__, __ge__ = _Moment.__lt__, _Moment.__le__, _Moment.__gt__, _Moment.__ge__
