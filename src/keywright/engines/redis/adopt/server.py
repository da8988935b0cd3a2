"""The settings of a server as a declaration: its role, and what differs from the role."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from keywright.engines.contract.adoption import NotExpressed
from keywright.errors import NOWHERE, gathering
from keywright.ir.binding import Physical
from keywright.ir.design import Design

from ..declare.server import Aof, Rdb, RedisServer
from ..declare.settings import RedisEnvironment
from ..schema.capabilities import DIRECTIVES, OWN_WORDS, default
from ..schema.check import check
from ..schema.directive import Directive
from ..schema.lower import settings_of
from ..schema.target import ServerTarget

PERSISTENCE = ("appendonly", "appendfsync", "save")
"""Directives of `persistence`."""


def server_of(target: ServerTarget, environment: RedisEnvironment) -> tuple[RedisServer, tuple[NotExpressed, ...]]:
    """(declaration with the settings of a server, settings that it cannot have).

    Settings with the default of the environment's product and version are left out.
    """
    live = {**_defaults(environment), **dict(target.settings)}
    missing: list[NotExpressed] = []
    options = dict(_options(live))
    server = _declared(target.name, options)
    settings: dict[str, Any] = {}
    for name, value in _deliberate(target, environment):
        directive = DIRECTIVES[name]
        if (problem := _problem(target.name, options, {name: _value(directive, value)})) is not None:
            missing.append(NotExpressed(f"settings/{name}", problem))
        else:
            settings[name] = _value(directive, value)
    if settings:
        server = _declared(target.name, {**options, "settings": settings})
    return server, (*missing, *_without_word(target))


def _defaults(environment: RedisEnvironment) -> dict[str, str]:
    names = ("maxmemory-policy", *PERSISTENCE)
    return {name: default(DIRECTIVES[name], environment.flavour, environment.version) for name in names}


def role_of(live: Mapping[str, str]) -> str:
    """The role whose data the eviction policy and the persistence suit; data that is never evicted is primary."""
    policy, is_durable = live["maxmemory-policy"], live["appendonly"] == "yes" or bool(live["save"])
    if policy.startswith("allkeys-"):
        return "cache"
    if policy.startswith("volatile-"):
        return "sessions" if is_durable else "limiter"
    return "primary"


def _options(live: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """The options of `RedisServer` that give the eviction and the persistence of a server."""
    yield "role", role_of(live)
    plain = settings_of(_declared("plain", {"role": role_of(live)}))
    if plain["maxmemory-policy"] != live["maxmemory-policy"]:
        yield "eviction", live["maxmemory-policy"]
    persistence = {name: live[name] for name in PERSISTENCE if name != "appendfsync" or live["appendonly"] == "yes"}
    if persistence != {name: plain[name] for name in PERSISTENCE if name in plain}:
        numbers = [int(number) for number in live["save"].split()]
        after = dict(zip(numbers[::2], numbers[1::2], strict=True))
        aof = [Aof(fsync=live["appendfsync"])] if live["appendonly"] == "yes" else []  # type: ignore[arg-type]
        yield "persistence", [*aof, *([Rdb(after=after)] if after else [])]


def _deliberate(target: ServerTarget, environment: RedisEnvironment) -> Iterator[tuple[str, str]]:
    """Settings without a word of their own that differ from the defaults, each under its current name."""
    for name, value in target.settings:
        directive = DIRECTIVES.get(name)
        if directive is None or directive.renamed or name in OWN_WORDS:
            continue
        if value != default(directive, environment.flavour, environment.version):
            yield name, value


def _without_word(target: ServerTarget) -> Iterator[NotExpressed]:
    """Settings that only other places can have, if they differ from the usual values."""
    settings = dict(target.settings)
    if settings.get("databases", "16") != "16":
        yield NotExpressed("settings/databases", OWN_WORDS["databases"])


def _value(directive: Directive, value: str) -> Any:
    """A value as a person would write it."""
    if directive.kind == "flag":
        return value == "yes"
    return int(value) if re.fullmatch(r"-?\d+", value) and directive.kind in ("integer", "memory", "share") else value


def _problem(name: str, options: Mapping[str, Any], settings: Mapping[str, Any]) -> str | None:
    """The reason why a setting is rejected."""
    spec = _declared(name, {**options, "settings": settings})
    design: Design[Any, Any] = Design((), (Physical("redis", name, name, spec, NOWHERE),), ())
    rejection = next(check(design), None)
    return rejection.problem if rejection else None


def _declared(name: str, options: Mapping[str, Any]) -> RedisServer:
    with gathering():
        return RedisServer(name, **options)
