"""The space of every field: what each may hold, by its type, its bounds and its name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import UUID

from keywright.errors import UsageError
from keywright.ir.attribute import Scalar, ScalarKind

from . import language, numbers, strings, times
from .seeds import derive, permuted
from .space import Space
from .wanted import wanted
from .words import NOUNS

ANCHOR = datetime(2026, 10, 1, tzinfo=UTC)
"""The moment before which sample data happened, unless another is given: fixed, so that the same data come again."""

_HISTORY = timedelta(days=90)
_LIFETIME = timedelta(days=30)
_MARGIN = timedelta(days=1)
_HEAD = 16
_MANY = 2**48


@dataclass(frozen=True, slots=True)
class _Asked:
    """What decides a space."""

    scalar: Scalar
    """The type."""
    name: str
    """Name of the field."""
    is_label: bool
    """Whether different numbers must give different texts."""
    step: timedelta
    """Distance between moments that must differ."""
    ttl_seconds: int | None
    """The entity expires so long after the moment; None for any other field."""


@dataclass(frozen=True, slots=True)
class Spaces:
    """Makes spaces, each once."""

    seed: int
    """Determines all values."""
    anchor: datetime
    """The end of the ninety days in which everything happened, in UTC."""
    now: datetime
    """The moment after which things expire, in UTC."""
    _made: dict[_Asked, Space] = field(default_factory=dict)

    def of(
        self,
        scalar: Scalar,
        name: str,
        *,
        is_label: bool = False,
        step: timedelta = times.MILLISECOND,
        ttl_seconds: int | None = None,
    ) -> Space:
        """The values of a field; equal fields of different entities have the same values, so that they meet.

        UsageError names a field that can have none.

        is_label: different numbers must give different texts. step: distance between moments that must differ.
        ttl_seconds: the entity expires so long after the moment.
        """
        asked = _Asked(scalar, name, is_label, step, ttl_seconds)
        if asked not in self._made:
            key = derive(self.seed, name)
            if scalar.constants:
                self._made[asked] = Space(len(scalar.constants), scalar.constants.__getitem__, len(scalar.constants))
            else:
                self._made[asked] = MAKERS[scalar.kind](asked, key, self._window(ttl_seconds))
            if self._made[asked].size < 1:
                raise UsageError(f'no value of field "{name}" is within its bounds', "widen the bounds in the model")
        return self._made[asked]

    def _window(self, ttl_seconds: int | None) -> tuple[datetime, datetime]:
        """The moments of which one is drawn; where the entity expires, those that let it live for another day."""
        if ttl_seconds is None:
            return self.anchor - _HISTORY, self.anchor
        first = self.now + _MARGIN - timedelta(seconds=ttl_seconds)
        return first, max(first + _LIFETIME, self.now)


def _strings(asked: _Asked, key: int, window: tuple[datetime, datetime]) -> Space:
    text = wanted(asked.scalar, asked.name, key, asked.is_label, window[1])
    if asked.scalar.pattern is not None:
        return strings.matching(text, asked.scalar.pattern)
    return strings.converted(text) if asked.scalar.is_converted else strings.named(text)


def _datetimes(asked: _Asked, key: int, window: tuple[datetime, datetime]) -> Space:
    step = asked.step if asked.ttl_seconds is None else max(asked.step, timedelta(seconds=1))
    return times.datetimes(asked.scalar, key, window, step)


def _bytes(asked: _Asked, key: int, window: tuple[datetime, datetime]) -> Space:
    """Bytes of one length, near the typical one."""
    scalar = asked.scalar
    tops = [top for top in (scalar.max_length, scalar.facts.max_bytes) if top is not None]
    length = max(scalar.min_length or 0, min(scalar.facts.average_bytes or _HEAD, *tops, 2**20))
    head = min(length, _HEAD)
    size = 256**head

    def some(ordinal: int) -> bytes:
        rest = Random(derive(key, ordinal)).randbytes(length - head)
        return permuted(ordinal, size, key).to_bytes(head, "big") + rest

    return Space(size, some, size)


def _uuids(asked: _Asked, key: int, window: tuple[datetime, datetime]) -> Space:
    """UUIDs of version 4, or of the version that a pattern asks for."""
    if asked.scalar.pattern is not None:
        texts = language.texts(asked.scalar.pattern, 36, 36, 36, key, asked.name)
        return Space(texts.size, lambda ordinal: UUID(str(texts.at(ordinal))), texts.usual)
    return Space(_MANY, lambda ordinal: UUID(int=Random(derive(key, ordinal)).getrandbits(128), version=4), _MANY)


def _jsons(asked: _Asked, key: int, window: tuple[datetime, datetime]) -> Space:
    return Space(_MANY, lambda ordinal: {"name": NOUNS[ordinal % len(NOUNS)], "count": ordinal}, 1_000)


MAKERS: Mapping[ScalarKind, Callable[[_Asked, int, tuple[datetime, datetime]], Space]] = {
    "string": _strings,
    "integer": lambda asked, key, window: numbers.integers(asked.scalar),
    "float": lambda asked, key, window: numbers.floats(asked.scalar),
    "decimal": lambda asked, key, window: numbers.decimals(asked.scalar),
    "boolean": lambda asked, key, window: Space(2, bool, 2),
    "bytes": _bytes,
    "datetime": _datetimes,
    "date": lambda asked, key, window: times.dates(asked.scalar, key, window),
    "time": lambda asked, key, window: times.times(asked.scalar, key),
    "duration": lambda asked, key, window: times.durations(asked.scalar, key),
    "uuid": _uuids,
    "json": _jsons,
}
"""What makes the space of each kind: of what is asked, a key that determines the values, and the times to draw from."""
