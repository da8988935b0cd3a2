"""A survey of all keys for `keywright adopt`: their shapes, and the contents of some of each; read-only."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from keywright.drivers.redis.elements import MOST_BYTES, KeyInfo, answers_of, is_small
from keywright.drivers.redis.sending import LENGTHS, PAGE, number, sent
from keywright.engines.contract.observer import SurveyPage
from keywright.engines.redis.adopt.key_shapes import KeyShapes, Shape
from keywright.engines.redis.adopt.sampled_keys import SampledShape, StoredKey
from keywright.engines.redis.migrate.transform import OWN

NAMES = 1000
"""Keys that one SCAN examines."""

NAMES_PER_ITEM = 20
"""Names of keys that are read in the time of one item's contents."""

SHAPE_BYTES = 1024 * 1024
"""Most bytes of contents that are kept of one shape."""

ALL_BYTES = 32 * SHAPE_BYTES
"""Most bytes of contents that are kept of all shapes."""


def survey(client: Any, limit: int, is_over: Callable[[], bool]) -> Iterator[SurveyPage]:
    """See `Observer.survey`: the names and types of all keys by SCAN, until the time is over, then contents of some.

    client: a client that does not decode answers.
    """
    shapes = KeyShapes()
    for keys in _names(client, is_over):
        for key, type in zip(keys, sent(client, [("TYPE", key) for key in keys]), strict=True):
            if type != b"none" and isinstance(type, bytes):
                shapes.add(key, type.decode())
        yield SurveyPage(-(-len(keys) // NAMES_PER_ITEM))
    reader = _Contents(client)
    most = max(limit * NAMES_PER_ITEM // max(len(shapes.counts), 1), PAGE // NAMES_PER_ITEM)
    for shape, counted in shapes.counts.items():
        keys = counted.keys[:most]
        sampled, large = reader.read(shape, keys)
        yield SurveyPage(len(keys), (SampledShape(shape, counted.count, sampled, large),))


def _names(client: Any, is_over: Callable[[], bool]) -> Iterator[list[bytes]]:
    """Pages of the keys of applications."""
    cursor = 0
    while True:
        cursor, keys = client.scan(cursor, count=NAMES)
        yield [key for key in keys if not key.startswith(OWN)]
        if cursor == 0 or is_over():
            return


class _Contents:
    """Reads the contents of keys, within bounds for each shape and for all of them."""

    def __init__(self, client: Any) -> None:
        self._client, self._bytes = client, 0

    def read(self, shape: Shape, keys: Sequence[bytes]) -> tuple[tuple[StoredKey, ...], int]:
        """(keys of one shape with contents, number of keys that are large); expired keys are left out."""
        stored: list[StoredKey] = []
        before, large = self._bytes, 0
        for start in range(0, len(keys), PAGE // NAMES_PER_ITEM):
            page = keys[start : start + PAGE // NAMES_PER_ITEM]
            if self._bytes - before > SHAPE_BYTES or self._bytes > ALL_BYTES:
                break
            infos = self._infos(shape[0], page)
            small = [info for info in infos if is_small(info)]
            large += len(infos) - len(small)
            times = sent(self._client, [("TTL", info.key) for info in small])
            for info, time, answer in zip(small, times, answers_of(self._client, small), strict=True):
                if answer is not None and not isinstance(answer, Exception) and isinstance(time, int) and time != -2:
                    stored.append(StoredKey(info.key, _value(info.type, answer), time if time >= 0 else None))
                    self._bytes += min(info.bytes, MOST_BYTES)
        return tuple(stored), large

    def _infos(self, type: str, keys: Sequence[bytes]) -> list[KeyInfo]:
        facts = sent(
            self._client,
            [
                *((LENGTHS.get(type, "EXISTS"), key) for key in keys),
                *(("MEMORY", "USAGE", key, "SAMPLES", 5) for key in keys),
            ],
        )
        lengths, sizes = map(number, facts[: len(keys)]), map(number, facts[len(keys) :])
        return [KeyInfo(*info) for info in zip(keys, [type] * len(keys), lengths, sizes, strict=True)]


def _value(type: str, answer: Any) -> Any:
    """The contents in the form of `StoredKey.value`."""
    match type:
        case "stream":
            return [fields for _, fields in answer]
        case "zset":
            return [tuple(pair) for pair in answer]
        case _:
            return answer
