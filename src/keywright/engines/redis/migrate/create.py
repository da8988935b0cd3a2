"""Steps that bring a Redis server to its target; each statement is a command."""

from typing import Any

from keywright.engines.contract.plan import ObjectState, Statement, probe
from keywright.engines.interface import Description
from keywright.ir.json import Json
from keywright.record import replace

from ..schema.capabilities import DIRECTIVES, default, is_service
from ..schema.target import Placement, ServerTarget, StreamTarget
from ..schema.users import RESET, UserTarget
from .search_indexes import create_indexes


def store(server: ServerTarget) -> str:
    """See `Engine.store`."""
    return f"redis/{server.name}"


def create(server: ServerTarget) -> tuple[Statement, ...]:
    """See `Engine.create`: settings one by one, the memory limit last, then consumer groups and indexes.

    Settings that are read only at the start have no step, nor have settings of a service, whose parameters are not
    set by commands. The artefact contains both.
    """
    assert server.placement is not None
    statements = [] if is_service(server.placement.flavour) else _settings(server, server.placement)
    for stream in server.streams:
        statements += [create_group(server, stream, group) for group in stream.groups]
    statements += create_indexes(server, store(server))
    return (*statements, *(set_user(server, user, (None,)) for user in managed_users(server)))


def _settings(server: ServerTarget, placement: Placement) -> list[Statement]:
    """Steps for settings; the memory limit is last, so that a full server never evicts by a policy about to change."""
    settings = [(name, value) for name, value in server.settings if not is_fixed(name)]
    return [
        _setting(server, placement, *setting)
        for setting in sorted(settings, key=lambda setting: (setting[0] == "maxmemory", setting))
    ]


def is_fixed(name: str) -> bool:
    """Whether a directive is read only when the server starts."""
    return name in DIRECTIVES and DIRECTIVES[name].is_fixed


def _setting(server: ServerTarget, placement: Placement, name: str, value: str) -> Statement:
    """The step with CONFIG SET; the allowed prior values are unset ones only.

    An empty `save` counts as unset: temporary servers are started with it, and it cannot be told from a choice.
    """
    unset: list[Json] = [None]
    if name in DIRECTIVES:
        unset.append(default(DIRECTIVES[name], placement.flavour, placement.version))
    if name == "save":
        unset.append("")
    return set_directive(server, name, value, tuple(unset))


def set_directive(server: ServerTarget, name: str, value: str, before: tuple[Json, ...]) -> Statement:
    """The step that sets a directive; before: the allowed prior values."""
    statement: Json = {"command": ["CONFIG", "SET", name, value]}
    summary = f'set "{name}" to {value or "nothing"}'
    return Statement(store(server), server.name, ("settings", name), summary, statement, value, before)


def create_group(server: ServerTarget, stream: StreamTarget, group: str) -> Statement:
    """The step that creates a group, which begins with the next entry, and an empty stream if there is none."""
    statement: Json = {"command": ["XGROUP", "CREATE", stream.key, group, "$", "MKSTREAM"]}
    summary = f'create consumer group "{group}" of stream "{stream.key}"'
    return Statement(store(server), server.name, ("streams", stream.key, group), summary, statement, {})


def managed_users(server: ServerTarget) -> tuple[UserTarget, ...]:
    """The users that statements keep; services and environments without users of their own have none."""
    return server.users if server.placement is not None and server.placement.has_users else ()


def set_user(server: ServerTarget, user: UserTarget, before: tuple[Json, ...]) -> Statement:
    """The step that sets the rights of a user, whose passwords stay; a new user cannot log in before it has one."""
    statement: Json = {"command": ["ACL", "SETUSER", user.name, *RESET, *user.rules], "then": ["ACL", "SAVE"]}
    summary = f'give user "{user.name}" the rights of its patterns'
    return Statement(store(server), server.name, ("users", user.name), summary, statement, list(user.rules), before)


def is_untouched(server: ServerTarget, live: Description | None) -> bool:
    """See `Engine.is_untouched`: a server exists before the first migration; its settings, groups
    and indexes decide."""
    native: Any = live["native"] if live else {"settings": {}}
    plain = create(replace(server, streams=(), indexes=()))
    settings = [statement for statement in plain if probe(statement, live) is ObjectState.PRESENT]
    if native.get("streams") or native.get("indexes"):
        return False
    return not any(statement.wants not in statement.before for statement in settings)
