"""Observations on a live Redis server: a sample of the first keys of SCAN, and INFO; read-only."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from keywright.drivers.translate_errors import not_installed
from keywright.engines.contract.discriminators import is_of
from keywright.engines.contract.observer import Figure, Observer, SampledItem, SurveyPage, Works
from keywright.engines.redis.migrate.transform import OWN
from keywright.engines.redis.schema.layout import dead_letters
from keywright.engines.redis.schema.place import template_key
from keywright.ir.template import parse

from .command_calls import command_calls
from .elements import SINGLE, KeyInfo, elements, plain
from .searches import failures
from .sending import LENGTHS, PAGE, number, sent

try:
    from redis.exceptions import ResponseError
except ImportError as error:
    raise not_installed("redis") from error

ELEMENTS = 5
"""Elements from which the server estimates the memory of a collection; its own default."""

OTHERS = 20
"""The most keys of other applications that are skipped for each sampled key."""

_SETTINGS = ("maxmemory", "maxmemory-policy", "appendonly", "save", "appendfsync")
"""Directives whose current values are read, if CONFIG is permitted."""


def observer(client: Any) -> Observer:
    """The observer of one server.

    client: a client that does not decode answers.
    """
    return Observer(
        sample=lambda name, works, limit: _sample(client, works, limit),
        count=lambda name: int(client.dbsize()),
        commands=lambda: command_calls(client),
        figures=lambda: _figures(client),
        plain=plain,
        survey=lambda name, limit, is_over: _survey(client, limit, is_over),
    )


def _survey(client: Any, limit: int, is_over: Callable[[], bool]) -> Iterator[SurveyPage]:
    from .survey import survey  # only `keywright adopt` needs it

    return survey(client, limit, is_over)


def _sample(client: Any, works: Works, limit: int) -> Iterator[tuple[SampledItem, ...]]:
    """The first keys of SCAN, whose order by hash is as good as random.

    Keys of other applications are skipped until there are too many. Dead letters of a stream with a constant key are
    read directly, wherever SCAN ends.
    """
    cursor, sampled, skipped = 0, 0, 0
    dead = _constant_dead_letters(works)
    yield _dead(client, dead)
    while sampled < limit and skipped < limit * OTHERS:
        cursor, scanned = client.scan(cursor, count=PAGE)
        letters = {key: entity for key in scanned if key not in dead and (entity := _dead_of(key, works))}
        beside = {*letters, *dead, *(key for key in scanned if _stream_beside(key, ":delayed", works))}
        keys = [key for key in scanned if not key.startswith(OWN) and key not in beside]
        entities = {key: _entity(key, works) for key in keys}
        ours = [key for key, entity in entities.items() if entity][: limit - sampled]
        foreign = tuple(SampledItem(entity="", key=_readable(key)) for key, entity in entities.items() if not entity)
        sampled, skipped = sampled + len(ours), skipped + len(foreign)
        yield (*_samples(client, ours, entities, works), *foreign, *_dead(client, letters))
        if cursor == 0:
            return


def _constant_dead_letters(works: Works) -> dict[bytes, str]:
    """Entities by the key of the dead letters of their single stream."""
    streams = ((name, dict(work.keys)["key"]) for name, work in works.items() if work.kind == "stream")
    return {dead_letters(key).encode(): name for name, key in streams if not parse(key).placeholders}


def _dead_of(key: bytes, works: Works) -> str:
    """The entity whose stream has its dead letters under a key; empty for any other key."""
    return _stream_beside(key, ":dead", works)


def _stream_beside(key: bytes, ending: str, works: Works) -> str:
    """The entity of the stream beside which a key with an ending is; empty for any other key."""
    suffix = b"}" + ending.encode()
    if not (key.startswith(b"{") and key.endswith(suffix)):
        return ""
    name = _entity(key[1 : -len(suffix)], works)
    return name if name and works[name].kind == "stream" else ""


def _dead(client: Any, letters: Mapping[bytes, str]) -> tuple[SampledItem, ...]:
    """The number of dead letters in each stream that contains some."""
    answers = sent(client, [("XLEN", key) for key in letters]) if letters else []
    return tuple(
        SampledItem(entity=entity, key=_readable(key), facts={"dead": count})
        for (key, entity), count in zip(letters.items(), answers, strict=True)
        if isinstance(count, int) and count
    )


def _samples(
    client: Any, keys: Sequence[bytes], entities: Mapping[bytes, str], works: Works
) -> tuple[SampledItem, ...]:
    """Samples of some keys, requested together; keys that were deleted in the meantime are left out."""
    if not keys:
        return ()
    fact_commands = [(b"TYPE", key) for key in keys] + [(b"PTTL", key) for key in keys]
    answers = sent(client, [*fact_commands, *(("MEMORY", "USAGE", key, "SAMPLES", ELEMENTS) for key in keys)])
    types = [answer.decode() if isinstance(answer, bytes) else "" for answer in answers[: len(keys)]]
    times, sizes = answers[len(keys) : 2 * len(keys)], answers[2 * len(keys) :]
    lengths = sent(client, [(LENGTHS.get(type, "EXISTS"), key) for type, key in zip(types, keys, strict=True)])
    groups = _groups(client, [key for type, key in zip(types, keys, strict=True) if type == "stream"])
    infos = zip(keys, types, map(number, lengths), map(number, sizes), strict=True)
    contents = elements(client, [KeyInfo(*info) for info in infos], {key: works[entities[key]] for key in keys})
    return tuple(
        SampledItem(
            entity=entities[key],
            key=_readable(key),
            elements=contents.get(key, ()),
            version=contents[key][0][0] if contents.get(key) and type in SINGLE else None,
            bytes=number(size),
            expiry="missing" if time == -1 else "seconds",
            facts={
                "type": type,
                "length": number(length),
                "pending": groups.get(key, ()),
            },
        )
        for key, type, time, size, length in zip(keys, types, times, sizes, lengths, strict=True)
        if type not in ("", "none")
    )


def _groups(client: Any, streams: Sequence[bytes]) -> dict[bytes, tuple[int, ...]]:
    """Unacknowledged entries of each group of some streams."""
    pending: dict[bytes, tuple[int, ...]] = {}
    for key in streams:
        try:
            pending[key] = tuple(int(group["pending"]) for group in client.xinfo_groups(key))
        except ResponseError:
            continue  # the stream was deleted in the meantime, or the command is not permitted
    return pending


def _entity(key: bytes, works: Works) -> str:
    try:
        text = key.decode()
    except UnicodeDecodeError:
        return ""
    return next((name for name, work in works.items() if is_of({"key": template_key(text, work)}, work)), "")


def _figures(client: Any) -> Mapping[str, Figure]:
    """All numbers and words of INFO, and the current settings as `config_…` if CONFIG is permitted."""
    info: Mapping[str, Any] = client.info()
    figures: dict[str, Figure] = {name: value for name, value in info.items() if isinstance(value, (int, float, str))}
    databases = {
        name[2:]: section for name, section in info.items() if name.startswith("db") and isinstance(section, dict)
    }
    figures["databases"] = " ".join(sorted(databases))
    figures["keys"] = sum(database["keys"] for database in databases.values())
    figures["keys_expiring"] = sum(database["expires"] for database in databases.values())
    figures |= {f"misindexed:{name}": number for name, number in failures(client).items()}
    try:
        settings = client.config_get(*_SETTINGS)
    except ResponseError:
        return figures  # a service that has no CONFIG
    return {**figures, **{f"config_{_text(name)}": _text(value) for name, value in settings.items()}}


def _readable(key: bytes) -> str:
    return key.decode("utf-8", "backslashreplace")


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
