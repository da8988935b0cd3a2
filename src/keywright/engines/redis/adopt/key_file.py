"""Samples of keys in a file: commands that write them, one in each line, as for redis-cli or from MONITOR."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from keywright.engines.contract.adoption import Sample

from .conf_lines import split
from .key_shapes import KeyShapes
from .sampled_keys import SampledShape, StoredKey

SUFFIX = ".redis"
"""Suffix of files with keys in a folder."""

LINES = 200_000
"""Most lines that are read."""

LONGEST_LINE = 100_000
"""Most characters of a line that is read."""

ELEMENTS = 20
"""Most elements, members or entries of a key that are kept, as of a live key."""

_SHOWN = 50
"""Lines that show the kind of a file."""

_MONITORED = re.compile(r"^\d+\.\d+ \[\d+ [^\]]*\] ")
"""The time and the client before a command in the output of MONITOR."""

_OPTIONS_OF_ZADD = frozenset(("NX", "XX", "GT", "LT", "CH", "INCR"))
_READS = frozenset((
    "AUTH", "CLIENT", "COMMAND", "DBSIZE", "DEL", "EXISTS", "EXPIREAT", "FLUSHALL", "FLUSHDB", "GET", "HDEL", "HGET",
    "HGETALL", "HMGET", "INFO", "LLEN", "LPOP", "LRANGE", "MGET", "MULTI", "EXEC", "PERSIST", "PING", "PTTL", "RPOP",
    "SCAN", "SCARD", "SELECT", "SISMEMBER", "SMEMBERS", "SREM", "TTL", "TYPE", "UNLINK", "XACK", "XREADGROUP", "XREAD",
    "ZCARD", "ZRANGE", "ZREM", "ZSCORE",
))  # fmt: skip
"""Commands that show that a file has commands, but write no key."""


class _Keys:
    """The keys that the commands so far have written."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], Any] = {}
        self.seconds: dict[str, int] = {}

    def string(self, key: str, value: str) -> None:
        self.values["string", key] = value.encode()

    def number(self, key: str) -> None:
        before = self.values.get(("string", key), b"0")
        self.values["string", key] = b"%d" % (int(before) + 1) if before.lstrip(b"-").isdigit() else b"1"

    def fields(self, key: str, words: Sequence[str]) -> None:
        names = self.values.setdefault(("hash", key), {})
        names.update(zip(map(str.encode, words[::2]), map(str.encode, words[1::2]), strict=False))

    def elements(self, type: str, key: str, elements: Sequence[Any]) -> None:
        kept = self.values.setdefault((type, key), [])
        kept += [element for element in elements if element not in kept or type in ("list", "stream")]
        del kept[ELEMENTS:]

    def expires(self, key: str, text: str, unit: float = 1) -> None:
        self.seconds[key] = max(0, int(int(text) * unit))


def is_keys(text: str) -> bool:
    """Whether most lines at the beginning of a file are commands, and one of them writes a key."""
    names = [words[0].upper() for words in _commands(text, _SHOWN) if words]
    written = sum(name in _WRITES for name in names)
    return written > 0 and written + sum(name in _READS for name in names) > len(names) / 2


def sample_of(files: Mapping[str, str]) -> Sample:
    """The keys of some files by their shapes; a later command changes the keys of earlier ones."""
    keys = _Keys()
    for text in files.values():
        for words in _commands(text, LINES):
            write = _WRITES.get(words[0].upper()) if len(words) > 1 else None
            try:
                if write is not None:
                    write(keys, words[1], words[2:])
            except (ValueError, IndexError):
                continue  # a command that the server would reject too
    shapes = KeyShapes()
    for type, key in keys.values:
        shapes.add(key.encode(), type)
    items = [
        SampledShape(shape, count.count, tuple(_stored(keys, shape[0], key) for key in count.keys))
        for shape, count in shapes.counts.items()
    ]
    return Sample(items, count=len(keys.values))


def _stored(keys: _Keys, type: str, key: bytes) -> StoredKey:
    text = key.decode()
    return StoredKey(key, keys.values[type, text], keys.seconds.get(text))


def _commands(text: str, most: int) -> Iterator[list[str]]:
    """The words of the first commands."""
    for number, line in enumerate(re.finditer(r"[^\r\n]+", text)):
        if number >= most:
            return
        if len(line[0]) > LONGEST_LINE:
            continue
        command = _MONITORED.sub("", line[0]).strip()
        if command and not command.startswith(("#", "//")):
            yield split(command) or [""]


def _set(keys: _Keys, key: str, words: Sequence[str]) -> None:
    keys.string(key, words[0])
    options = [word.upper() for word in words[1:]]
    for option, unit in (("EX", 1.0), ("PX", 0.001)):
        if option in options:
            keys.expires(key, words[options.index(option) + 2], unit)


def _setex(keys: _Keys, key: str, words: Sequence[str], unit: float = 1) -> None:
    keys.string(key, words[1])
    keys.expires(key, words[0], unit)


def _mset(keys: _Keys, key: str, words: Sequence[str]) -> None:
    pairs = [key, *words]
    for name, value in zip(pairs[::2], pairs[1::2], strict=True):
        keys.string(name, value)


def _zadd(keys: _Keys, key: str, words: Sequence[str]) -> None:
    own = list(words)
    while own and own[0].upper() in _OPTIONS_OF_ZADD:
        own.pop(0)
    keys.elements(
        "zset", key, [(member.encode(), float(score)) for score, member in zip(own[::2], own[1::2], strict=True)]
    )


def _xadd(keys: _Keys, key: str, words: Sequence[str]) -> None:
    own = list(words)
    if own[0].upper() == "NOMKSTREAM":
        own.pop(0)
    if own[0].upper() in ("MAXLEN", "MINID"):
        del own[: 3 if own[1] in ("~", "=") else 2]
        del own[: 2 if own[0].upper() == "LIMIT" else 0]
    entry = [word.encode() for word in own[1:]]
    keys.elements("stream", key, [dict(zip(entry[::2], entry[1::2], strict=True))] if entry else [])


def _added(type: str) -> Callable[[_Keys, str, Sequence[str]], None]:
    return lambda keys, key, words: keys.elements(type, key, [word.encode() for word in words])


_WRITES: Mapping[str, Callable[[_Keys, str, Sequence[str]], None]] = {
    "SET": _set,
    "SETEX": _setex,
    "PSETEX": lambda keys, key, words: _setex(keys, key, words, 0.001),
    "SETNX": lambda keys, key, words: keys.string(key, words[0]),
    "MSET": _mset,
    "INCR": lambda keys, key, words: keys.number(key),
    "INCRBY": lambda keys, key, words: keys.number(key),
    "DECR": lambda keys, key, words: keys.number(key),
    "HSET": lambda keys, key, words: keys.fields(key, words),
    "HMSET": lambda keys, key, words: keys.fields(key, words),
    "HSETNX": lambda keys, key, words: keys.fields(key, words),
    "LPUSH": _added("list"),
    "RPUSH": _added("list"),
    "SADD": _added("set"),
    "ZADD": _zadd,
    "XADD": _xadd,
    "EXPIRE": lambda keys, key, words: keys.expires(key, words[0]),
    "PEXPIRE": lambda keys, key, words: keys.expires(key, words[0], 0.001),
}
"""The effect of each command that writes a key."""
