"""The managed part of a live server: the objects that the target names."""

from typing import Any

from keywright.engines.interface import Description
from keywright.ir.design import Design
from keywright.record import replace

from .capabilities import DIRECTIVES, default, is_service
from .codec import describe, parse
from .target import ServerTarget, StreamTarget
from .users import UserTarget


def managed(live: ServerTarget, server: ServerTarget) -> ServerTarget:
    """See `Engine.managed`: settings, streams and their groups, and indexes by name."""
    groups, part = {stream.key: stream.groups for stream in server.streams}, around(live, server)
    streams = (
        StreamTarget(stream.key, tuple(name for name in stream.groups if name in groups[stream.key]))
        for stream in part.streams
    )
    names = {index.name for index in server.indexes}
    return replace(
        part,
        streams=tuple(stream for stream in streams if stream.groups),
        indexes=tuple(index for index in part.indexes if index.name in names),
    )


def around(live: ServerTarget, server: ServerTarget) -> ServerTarget:
    """See `Engine.around`: of a server's hundred settings and foreign keys, only those that the target names."""
    declared, keys = dict(server.settings), {stream.key for stream in server.streams}
    placement = live.placement
    if placement and server.placement:
        flavour = server.placement.flavour  # a service reports the product that it is compatible with
        placement = replace(
            placement,
            flavour=flavour if is_service(flavour) else placement.flavour,
            version=placement.version if server.placement.version else None,
            has_users=server.placement.has_users,
        )
    return replace(
        live,
        generation=server.generation,  # which no server reports
        settings=tuple(setting for setting in live.settings if setting[0] in declared),
        streams=tuple(stream for stream in live.streams if stream.key in keys),
        users=_users(live, server),
        built=tuple(each for each in live.built if each[0] in dict(server.built)),
        placement=placement,
    )


def _users(live: ServerTarget, server: ServerTarget) -> tuple[UserTarget, ...]:
    """The live users that the target names; its own ones where the environment leaves users to others."""
    if server.placement is not None and not server.placement.has_users:
        return server.users
    names = {user.name for user in server.users}
    return tuple(user for user in live.users if user.name in names)


def deliberate(live: Description, server_target: ServerTarget) -> Description:
    """See `Engine.deliberate`: settings that differ from the server's defaults."""
    server = parse(live)
    assert server.placement is not None
    flavour, version = server.placement.flavour, server.placement.version
    defaults = {name: default(directive, flavour, version) for name, directive in DIRECTIVES.items()}
    settings = tuple(
        setting for setting in server.settings if setting[0] in defaults and defaults[setting[0]] != setting[1]
    )
    return describe(replace(server, settings=settings, built=()))


def keep(design: Design, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """See `Engine.keep`: generations of keys are data, which neither servers nor snapshots list."""
    return after
