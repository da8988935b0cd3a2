"""The value space of every field, by its type, bounds and name."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import UUID

from keywright.errors import UsageError
from keywright.ir.attribute import Scalar, ScalarKind
from keywright.record import Record, field

from . import numbers, times
from .space import Space, derive, permuted
from .texts import language, strings
from .texts.bounds import bounds_of
from .texts.words import NOUNS

ANCHOR = datetime(2026, 10, 1, tzinfo=UTC)
"""The default end of the generated times; constant, so that the data is reproducible."""

_HISTORY = timedelta(days=90)
_LIFETIME = timedelta(days=30)
_MARGIN = timedelta(days=1)
_HEAD = 16
_MANY = 2**48


class _SpaceKey(Record):
    """The properties that determine a space."""

    scalar: Scalar
    """The type."""
    name: str
    """Name of the field."""
    is_label: bool
    """Whether different numbers must give different texts."""
    step: timedelta
    """The shortest difference between distinct times."""
    ttl_seconds: int | None
    """Seconds after the time at which the entity expires; None for any other field."""


class Spaces(Record):
    """Creates spaces, each once."""

    seed: int
    """Seed of all values."""
    anchor: datetime
    """The end of the ninety days of generated times, in UTC."""
    now: datetime
    """The time after which instances expire, in UTC."""
    _spaces: dict[_SpaceKey, Space] = field(default_factory=dict)

    def of(
        self,
        scalar: Scalar,
        name: str,
        *,
        is_label: bool = False,
        step: timedelta = times.MILLISECOND,
        ttl_seconds: int | None = None,
    ) -> Space:
        """The values of a field; equal fields of different entities have the same values, so that they match.

        Raises UsageError for a field without possible values.

        is_label: whether different numbers must give different texts. step: the shortest difference between distinct
        times. ttl_seconds: seconds after the time at which the entity expires.
        """
        space_key = _SpaceKey(scalar, name, is_label, step, ttl_seconds)
        if space_key not in self._spaces:
            key = derive(self.seed, name)
            if scalar.constants:
                self._spaces[space_key] = Space(
                    len(scalar.constants), scalar.constants.__getitem__, len(scalar.constants)
                )
            else:
                self._spaces[space_key] = MAKERS[scalar.kind](space_key, key, self._window(ttl_seconds))
            if self._spaces[space_key].size < 1:
                raise UsageError(f'no value of field "{name}" is within its bounds', "widen the bounds in the model")
        return self._spaces[space_key]

    def _window(self, ttl_seconds: int | None) -> tuple[datetime, datetime]:
        """The first and last generated time; for an expiry, the entity lives for at least another day."""
        if ttl_seconds is None:
            return self.anchor - _HISTORY, self.anchor
        first = self.now + _MARGIN - timedelta(seconds=ttl_seconds)
        return first, max(first + _LIFETIME, self.now)


def _strings(space_key: _SpaceKey, key: int, window: tuple[datetime, datetime]) -> Space:
    text = bounds_of(space_key.scalar, space_key.name, key, space_key.is_label, window[1])
    if space_key.scalar.pattern is not None:
        return strings.matching(text, space_key.scalar.pattern)
    return strings.converted(text) if space_key.scalar.is_converted else strings.named(text)


def _datetimes(space_key: _SpaceKey, key: int, window: tuple[datetime, datetime]) -> Space:
    is_whole = space_key.ttl_seconds is not None or space_key.scalar.precision == "seconds"
    step = max(space_key.step, timedelta(seconds=1)) if is_whole else space_key.step
    return times.datetimes(space_key.scalar, key, window, step)


def _bytes(space_key: _SpaceKey, key: int, window: tuple[datetime, datetime]) -> Space:
    """Bytes of one length, close to the typical one."""
    scalar = space_key.scalar
    tops = [top for top in (scalar.max_length, scalar.facts.max_bytes) if top is not None]
    length = max(scalar.min_length or 0, min(scalar.facts.average_bytes or _HEAD, *tops, 2**20))
    head = min(length, _HEAD)
    size = 256**head

    def value_of(ordinal: int) -> bytes:
        suffix = Random(derive(key, ordinal)).randbytes(length - head)
        return permuted(ordinal, size, key).to_bytes(head, "big") + suffix

    return Space(size, value_of, size)


def _uuids(space_key: _SpaceKey, key: int, window: tuple[datetime, datetime]) -> Space:
    """UUIDs of version 4, or of the version in a pattern."""
    if space_key.scalar.pattern is not None:
        texts = language.texts(space_key.scalar.pattern, 36, 36, 36, key, space_key.name)
        return Space(texts.size, lambda ordinal: UUID(str(texts.at(ordinal))), texts.usual)
    return Space(_MANY, lambda ordinal: UUID(int=Random(derive(key, ordinal)).getrandbits(128), version=4), _MANY)


def _jsons(space_key: _SpaceKey, key: int, window: tuple[datetime, datetime]) -> Space:
    return Space(_MANY, lambda ordinal: {"name": NOUNS[ordinal % len(NOUNS)], "count": ordinal}, 1_000)


MAKERS: Mapping[ScalarKind, Callable[[_SpaceKey, int, tuple[datetime, datetime]], Space]] = {
    "string": _strings,
    "integer": lambda space_key, key, window: numbers.integers(space_key.scalar),
    "float": lambda space_key, key, window: numbers.floats(space_key.scalar),
    "decimal": lambda space_key, key, window: numbers.decimals(space_key.scalar),
    "boolean": lambda space_key, key, window: Space(2, bool, 2),
    "bytes": _bytes,
    "datetime": _datetimes,
    "date": lambda space_key, key, window: times.dates(space_key.scalar, key, window),
    "time": lambda space_key, key, window: times.times(space_key.scalar, key),
    "duration": lambda space_key, key, window: times.durations(space_key.scalar, key),
    "uuid": _uuids,
    "json": _jsons,
}
"""Functions that create the space of each kind, from the space key, a seed for the values, and the range of times."""
