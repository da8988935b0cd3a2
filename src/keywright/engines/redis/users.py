"""Users from patterns: each service in `used_by=` gets the commands and keys that its patterns need, and no others."""

from collections.abc import Iterable, Iterator

from keywright.access.search import Finder, Planned, plan, plan_together
from keywright.ir.design import Design
from keywright.ir.pattern import Pattern
from keywright.record import replace

from .access.rights import sent_by
from .declare.options import Structure
from .declare.server import RedisServer
from .declare.settings import RedisEnvironment
from .schema import lower as schema
from .schema.place import place
from .schema.target import ServerTarget
from .schema.users import UserTarget

_ANYWHERE = RedisEnvironment(flavour="redis")
"""The environment of the plans; `sent_by` lists the commands of each other one too."""

_READING = frozenset((
    "bitcount", "exists", "geopos", "geosearch", "get", "getbit", "hget", "hgetall", "hlen", "hmget", "llen", "lrange",
    "mget", "pfcount", "scard", "sismember", "smembers", "smismember", "sscan", "strlen", "xlen", "xpending", "xrange",
    "xreadgroup", "xrevrange", "zcard", "zcount", "zmscore", "zrange", "zrangebyscore", "zrank", "zrevrank", "zscore",
))  # fmt: skip
"""Commands that read their key. Source: COMMAND INFO of Redis 7.0.15 and Valkey 9.1.2, 2026-11-28."""

_READING_AND_WRITING = frozenset((
    "eval", "evalsha", "hincrby", "hincrbyfloat", "incr", "incrby", "rpop", "setbit", "zincrby",
))  # fmt: skip
"""Commands that need both rights: they return what was there, or are a script, which could do either."""


def access_of(command: str) -> frozenset[str]:
    """The rights on its key that a command needs: R, W or both."""
    if command in _READING_AND_WRITING:
        return frozenset("RW")
    return frozenset("R" if command in _READING else "W")


def lower(finder: Finder, design: Design[RedisServer, Structure]) -> tuple[ServerTarget, ...]:
    """See `Engine.lower`: servers with users; finder: the functions of the engine that planning needs."""
    servers = schema.lower(design)
    patterns = [pattern for pattern in design.patterns if pattern.used_by]
    if not patterns:
        return servers
    placed = {server.name: place(replace(server, generation=1), _ANYWHERE) for server in servers}
    planned = [plan for pattern in patterns if (plan := _planned(finder, design, placed, pattern)) is not None]
    return tuple(replace(server, users=tuple(users_of(_pairs(placed[server.name], planned)))) for server in servers)


def _pairs(server: ServerTarget, planned: list[Planned[ServerTarget]]) -> Iterator[tuple[str, Planned[ServerTarget]]]:
    """The patterns on a server by service."""
    return ((service, each) for each in planned if each.target is server for service in each.pattern.used_by)


def _planned(
    finder: Finder, design: Design[RedisServer, Structure], placed: dict[str, ServerTarget], pattern: Pattern
) -> Planned[ServerTarget] | None:
    bindings = {binding.name: binding for binding in design.bindings}

    def alone(pattern: Pattern) -> Planned[ServerTarget]:
        binding = bindings[pattern.binding]
        return plan(finder, placed[binding.physical.name], binding, pattern)

    if not pattern.parts:
        planned = alone(pattern)
    else:
        parts = tuple(map(alone, pattern.parts))
        planned = plan_together(finder, parts[0].target, pattern, parts)
    return planned if planned.is_served else None


def users_of(pairs: Iterable[tuple[str, Planned[ServerTarget]]]) -> Iterator[UserTarget]:
    """The users of some services, from pairs of a service and a pattern that it calls."""
    sent: dict[str, set[tuple[str, str]]] = {}
    for service, planned in pairs:
        sent.setdefault(service, set()).update(sent_by(planned))
    for service in sorted(sent):
        keys: dict[str, frozenset[str]] = {}
        for command, key in sent[service]:
            if key:
                keys[key] = keys.get(key, frozenset()) | access_of(command)
        rules = {f"+{command}" for command, _ in sent[service]}
        yield UserTarget(service, tuple(sorted(rules | {_key_rule(key, access) for key, access in keys.items()})))


def _key_rule(key: str, access: frozenset[str]) -> str:
    return f"~{key}" if len(access) == 2 else f"%{''.join(access)}~{key}"
