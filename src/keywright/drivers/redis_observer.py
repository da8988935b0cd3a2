"""What keywright looks at on a live Redis server: keys that SCAN meets first, and INFO; it only reads."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from keywright.drivers.extras import not_installed
from keywright.engines.flaws.observation import Figure
from keywright.engines.observer import Observer, Taken, Works
from keywright.engines.pages import Work
from keywright.engines.told_by import is_of

try:
    from redis.exceptions import NoPermissionError, ResponseError
except ImportError as error:
    raise not_installed("redis") from error

PAGE = 200
"""Keys that one SCAN looks at, and about as many are asked about at once."""

LENGTHS = {
    "string": "STRLEN", "hash": "HLEN", "list": "LLEN", "set": "SCARD", "zset": "ZCARD", "stream": "XLEN",
}  # fmt: skip
"""What tells how long a value of each type is, at the same cost whatever that is."""

ELEMENTS = 5
"""Elements of a collection by which the server reckons its memory; its own default."""

OTHERS = 20
"""Keys of others that are passed over for each that is wanted."""

_OTHER = Taken(entity="")

_SETTINGS = ("maxmemory", "maxmemory-policy", "appendonly", "save", "appendfsync")
"""Directives whose values in force are looked at, where CONFIG may be asked."""


def observer(asking: Any) -> Observer:
    """The eyes on one server.

    asking: a client that does not decode answers.
    """
    return Observer(
        sample=lambda name, works, limit: _sample(asking, works, limit),
        count=lambda name: int(asking.dbsize()),
        figures=lambda: _figures(asking),
    )


def _sample(asking: Any, works: Works, limit: int) -> Iterator[tuple[Taken, ...]]:
    """The keys that SCAN meets first, which is in the order of their hashes: as good as at random.

    Keys of others are passed over, as long as there are not too many of them.
    """
    cursor, read, passed = 0, 0, 0
    while read < limit and passed < limit * OTHERS:
        cursor, found = asking.scan(cursor, count=PAGE)
        whose = {key: _entity(key, works) for key in found}
        ours = [key for key, entity in whose.items() if entity][: limit - read]
        others = sum(not entity for entity in whose.values())
        read, passed = read + len(ours), passed + others
        yield (*_taken(asking, ours, whose), *([_OTHER] * others))
        if cursor == 0:
            return


def _taken(asking: Any, keys: Sequence[bytes], whose: Mapping[bytes, str]) -> tuple[Taken, ...]:
    """What the server says of keys, sent together; those that have gone meanwhile are left out."""
    if not keys:
        return ()
    asked = [(b"TYPE", key) for key in keys] + [(b"PTTL", key) for key in keys]
    answers = _sent(asking, [*asked, *(("MEMORY", "USAGE", key, "SAMPLES", ELEMENTS) for key in keys)])
    types = [one.decode() if isinstance(one, bytes) else "" for one in answers[: len(keys)]]
    times, sizes = answers[len(keys) : 2 * len(keys)], answers[2 * len(keys) :]
    lengths = _sent(asking, [(LENGTHS.get(type, "EXISTS"), key) for type, key in zip(types, keys, strict=True)])
    groups = _groups(asking, [key for type, key in zip(types, keys, strict=True) if type == "stream"])
    return tuple(
        Taken(
            entity=whose[key],
            bytes=size if isinstance(size, int) else 0,
            expiry="missing" if time == -1 else "seconds",
            facts={
                "type": type,
                "length": length if isinstance(length, int) else 0,
                "pending": groups.get(key, ()),
            },
        )
        for key, type, time, size, length in zip(keys, types, times, sizes, lengths, strict=True)
        if type not in ("", "none")
    )


def _groups(asking: Any, streams: Sequence[bytes]) -> dict[bytes, tuple[int, ...]]:
    """What each group of some streams has not acknowledged."""
    found: dict[bytes, tuple[int, ...]] = {}
    for key in streams:
        try:
            found[key] = tuple(int(group["pending"]) for group in asking.xinfo_groups(key))
        except ResponseError:
            continue  # it has gone meanwhile, or may not be asked
    return found


def _entity(key: bytes, works: Works) -> str:
    try:
        text = key.decode()
    except UnicodeDecodeError:
        return ""
    return next((name for name, work in works.items() if is_of({"key": _named(text, work)}, work)), "")


def _named(key: str, work: Work) -> str:
    """A key as its template writes it: that of a limit in fixed windows has the number of its window behind it."""
    name, _, window = key.rpartition(":")
    return name if work.kind == "rate limit" and window.isdecimal() else key


def _sent(asking: Any, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
    pipeline = asking.pipeline(transaction=False)
    for command in commands:
        pipeline.execute_command(*command)
    answers = list(pipeline.execute(raise_on_error=False))
    refused = next((one for one in answers if isinstance(one, NoPermissionError)), None)
    if refused is not None:
        raise refused
    return answers


def _figures(asking: Any) -> Mapping[str, Figure]:
    """Every number and word of INFO, and the settings in force as `config_…`, where they may be asked."""
    told: Mapping[str, Any] = asking.info()
    found: dict[str, Figure] = {name: value for name, value in told.items() if isinstance(value, (int, float, str))}
    databases = {name[2:]: one for name, one in told.items() if name.startswith("db") and isinstance(one, dict)}
    found["databases"] = " ".join(sorted(databases))
    found["keys"] = sum(one["keys"] for one in databases.values())
    found["keys_expiring"] = sum(one["expires"] for one in databases.values())
    try:
        settings = asking.config_get(*_SETTINGS)
    except ResponseError:
        return found  # a service that has no CONFIG
    return {**found, **{f"config_{_text(name)}": _text(value) for name, value in settings.items()}}


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
